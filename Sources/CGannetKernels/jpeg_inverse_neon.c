#include "gannet_jpeg_inverse.h"
#include "vectors.h"

#if GANNET_NEON
#include <string.h>

// The same factors, rounding and saturation as in jpeg_inverse.c. Four transforms at a time: a vector holds one coefficient of each.

enum { FACTOR_BITS = 13, BETWEEN_BITS = 2, ONE = 1 << FACTOR_BITS };

/// √2 cos(kπ/16), in 13 bits.
enum { COS1 = 11363, COS2 = 10703, COS3 = 9633, COS5 = 6436, COS6 = 4433, COS7 = 2260 };

/// Four coefficients; hostile ones are cut to 16 bits.
static inline int16x4_t coefficients(const int16_t *block, const uint16_t *steps) {
    return vreinterpret_s16_u16(vmul_u16(vreinterpret_u16_s16(vld1_s16(block)), vld1_u16(steps)));
}

/// The sum of two products.
static inline int32x4_t products(int16x4_t first, int16_t by, int16x4_t second, int16_t with) {
    return vmlal_n_s16(vmull_n_s16(first, by), second, with);
}

/// Saturates results that do not fit into 16 bits. No sum of eight products overflows 32 bits, whatever the coefficients are.
static inline int16x4_t rounded(int32x4_t wide, const int bits) {
    return vqmovn_s32(vshlq_s32(vaddq_s32(wide, vdupq_n_s32(1 << (bits - 1))), vdupq_n_s32(-bits)));
}

static inline void inverse_4(const int16x4_t c[4], int32x4_t out[4]) {
    int32x4_t sum = products(c[0], ONE, c[2], ONE), difference = products(c[0], ONE, c[2], -ONE);
    int32x4_t outer = products(c[1], COS2, c[3], COS6), inner = products(c[1], COS6, c[3], -COS2);
    out[0] = vaddq_s32(sum, outer);
    out[1] = vaddq_s32(difference, inner);
    out[2] = vsubq_s32(difference, inner);
    out[3] = vsubq_s32(sum, outer);
}

/// The even coefficients are a transform of four.
static inline void inverse_8(const int16x4_t c[8], int32x4_t out[8]) {
    int32x4_t even[4];
    inverse_4((const int16x4_t[4]){c[0], c[2], c[4], c[6]}, even);
    const int32x4_t odd[4] = {
        vaddq_s32(products(c[1], COS1, c[3], COS3), products(c[5], COS5, c[7], COS7)),
        vaddq_s32(products(c[1], COS3, c[3], -COS7), products(c[5], -COS1, c[7], -COS5)),
        vaddq_s32(products(c[1], COS5, c[3], -COS1), products(c[5], COS7, c[7], COS3)),
        vaddq_s32(products(c[1], COS7, c[3], -COS5), products(c[5], COS3, c[7], -COS1)),
    };
    for (int index = 0; index < 4; index++) {
        out[index] = vaddq_s32(even[index], odd[index]);
        out[7 - index] = vsubq_s32(even[index], odd[index]);
    }
}

/// In place, 4 or 8 coefficients.
static inline __attribute__((always_inline)) void inverse(const int count, int16x4_t c[8], const int bits) {
    int32x4_t out[8];
    if (count == 4) {
        inverse_4(c, out);
    } else {
        inverse_8(c, out);
    }
    for (int index = 0; index < count; index++) c[index] = rounded(out[index], bits);
}

static inline void transpose(int16x4_t v[4]) {
    int16x4x2_t first = vtrn_s16(v[0], v[1]), second = vtrn_s16(v[2], v[3]);
    int32x2x2_t even = vtrn_s32(vreinterpret_s32_s16(first.val[0]), vreinterpret_s32_s16(second.val[0]));
    int32x2x2_t odd = vtrn_s32(vreinterpret_s32_s16(first.val[1]), vreinterpret_s32_s16(second.val[1]));
    v[0] = vreinterpret_s16_s32(even.val[0]);
    v[1] = vreinterpret_s16_s32(odd.val[0]);
    v[2] = vreinterpret_s16_s32(even.val[1]);
    v[3] = vreinterpret_s16_s32(odd.val[1]);
}

static inline __attribute__((always_inline)) void transform(
    const int across, const int down, const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    // Columns first, four side by side.
    int16x4_t columns[2][8];
    for (int x = 0; x < across; x += 4) {
        for (int y = 0; y < down; y++)
            columns[x / 4][y] = coefficients(block + 8 * y + x, steps + 8 * y + x);
        inverse(down, columns[x / 4], FACTOR_BITS - BETWEEN_BITS);
    }
    // Then rows, four below each other.
    for (int y = 0; y < down; y += 4) {
        int16x4_t rows[8];
        for (int x = 0; x < across; x += 4) {
            for (int index = 0; index < 4; index++) rows[x + index] = columns[x / 4][y + index];
            transpose(rows + x);
        }
        inverse(across, rows, FACTOR_BITS + BETWEEN_BITS + 3);
        for (int x = 0; x < across; x += 4) transpose(rows + x);
        for (int index = 0; index < 4; index++) {
            int16x8_t levels = vcombine_s16(rows[index], across == 8 ? rows[4 + index] : vdup_n_s16(0));
            uint8x8_t bytes = vqmovun_s16(vqaddq_s16(levels, vdupq_n_s16(128)));
            memcpy(samples + (size_t)(y + index) * stride, &bytes, (size_t)across);
        }
    }
}

void gannet_jpeg_inverse_4x4_neon(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    transform(4, 4, block, steps, samples, stride);
}

void gannet_jpeg_inverse_4x8_neon(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    transform(4, 8, block, steps, samples, stride);
}

void gannet_jpeg_inverse_8x4_neon(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    transform(8, 4, block, steps, samples, stride);
}

void gannet_jpeg_inverse_8x8_neon(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    transform(8, 8, block, steps, samples, stride);
}
#endif
