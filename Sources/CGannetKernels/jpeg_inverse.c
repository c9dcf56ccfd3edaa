#include "gannet_jpeg_inverse.h"
#include "vectors.h"

// A sample of N × M of them is the sum over the lowest N × M coefficients of w(u, x) × w(v, y) × coefficient / 8, where w(0, x) is 1 and
// w(u, x) = √2 cos((2x + 1) u π / 2N). Factors have 13 bits behind the point, values between the two directions 2. Unsigned, because
// coefficients of hostile files may overflow: they are cut to 16 bits. Values between the directions saturate, as in vectors.

typedef uint32_t value;

enum { FACTOR_BITS = 13, BETWEEN_BITS = 2 };

/// √2 cos(kπ/16), in 13 bits.
enum { COS1 = 11363, COS2 = 10703, COS3 = 9633, COS5 = 6436, COS6 = 4433, COS7 = 2260 };

/// Two coefficients, without factors.
static inline void inverse_2(const value c[2], value out[2]) {
    out[0] = c[0] + c[1];
    out[1] = c[0] - c[1];
}

/// Four coefficients; 13 bits more.
static inline void inverse_4(const value c[4], value out[4]) {
    value sum = (c[0] + c[2]) << FACTOR_BITS, difference = (c[0] - c[2]) << FACTOR_BITS;
    value outer = c[1] * COS2 + c[3] * COS6, inner = c[1] * COS6 - c[3] * COS2;
    out[0] = sum + outer;
    out[1] = difference + inner;
    out[2] = difference - inner;
    out[3] = sum - outer;
}

/// Eight coefficients; 13 bits more. The even ones are a transform of four.
static inline void inverse_8(const value c[8], value out[8]) {
    value even[4];
    inverse_4((const value[4]){c[0], c[2], c[4], c[6]}, even);
    const value odd[4] = {
        c[1] * COS1 + c[3] * COS3 + c[5] * COS5 + c[7] * COS7,
        c[1] * COS3 - c[3] * COS7 - c[5] * COS1 - c[7] * COS5,
        c[1] * COS5 - c[3] * COS1 + c[5] * COS7 + c[7] * COS3,
        c[1] * COS7 - c[3] * COS5 + c[5] * COS3 - c[7] * COS1,
    };
    for (int index = 0; index < 4; index++) {
        out[index] = even[index] + odd[index];
        out[7 - index] = even[index] - odd[index];
    }
}

/// One direction. Answers how many bits the results have more than the coefficients.
static inline __attribute__((always_inline)) int inverse(int count, const value *c, value *out) {
    switch (count) {
    case 1:
        out[0] = c[0];
        return 0;
    case 2:
        inverse_2(c, out);
        return 0;
    case 4:
        inverse_4(c, out);
        return FACTOR_BITS;
    default:
        inverse_8(c, out);
        return FACTOR_BITS;
    }
}

static inline value scaled(value wide, int bits) {
    return bits == 0 ? wide : (value)((int32_t)(wide + (1u << (bits - 1))) >> bits);
}

static inline value saturated(value wide) {
    int32_t number = (int32_t)wide;
    return (value)(number < -32768 ? -32768 : number > 32767 ? 32767 : number);
}

static inline uint8_t sample(value wide, int bits) {
    int32_t level = (int32_t)scaled(wide, bits) + 128;
    return level < 0 ? 0 : level > 255 ? 255 : (uint8_t)level;
}

static inline __attribute__((always_inline)) void transform(
    int across, int down, const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    value between[8][8];
    for (int x = 0; x < across; x++) {
        value column[8], out[8];
        for (int y = 0; y < down; y++) column[y] = (value)(int16_t)(block[8 * y + x] * (int32_t)steps[8 * y + x]);
        int bits = inverse(down, column, out);
        for (int y = 0; y < down; y++)
            between[y][x] = bits == 0 ? out[y] << BETWEEN_BITS : saturated(scaled(out[y], bits - BETWEEN_BITS));
    }
    for (int y = 0; y < down; y++) {
        value out[8];
        int bits = inverse(across, between[y], out) + BETWEEN_BITS + 3;
        for (int x = 0; x < across; x++) samples[(size_t)y * stride + (size_t)x] = sample(out[x], bits);
    }
}

#define TRANSFORM(ACROSS, DOWN)                                                                                              \
    static void transform_##ACROSS##x##DOWN(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) { \
        transform(ACROSS, DOWN, block, steps, samples, stride);                                                              \
    }
TRANSFORM(1, 1)
TRANSFORM(1, 2)
TRANSFORM(2, 1)
TRANSFORM(2, 2)
TRANSFORM(2, 4)
TRANSFORM(4, 2)
TRANSFORM(4, 4)
TRANSFORM(4, 8)
TRANSFORM(8, 4)
TRANSFORM(8, 8)
#undef TRANSFORM

gannet_jpeg_inverse *gannet_jpeg_inverse_plain(int across, int down) {
    switch (across * 16 + down) {
    case 0x11: return transform_1x1;
    case 0x12: return transform_1x2;
    case 0x21: return transform_2x1;
    case 0x22: return transform_2x2;
    case 0x24: return transform_2x4;
    case 0x42: return transform_4x2;
    case 0x44: return transform_4x4;
    case 0x48: return transform_4x8;
    case 0x84: return transform_8x4;
    case 0x88: return transform_8x8;
    default: return NULL;
    }
}

gannet_jpeg_inverse *gannet_jpeg_inverse_for(int across, int down) {
#if GANNET_X86
    switch (across * 16 + down) {
    case 0x44: return gannet_jpeg_inverse_4x4_sse2;
    case 0x48: return gannet_jpeg_inverse_4x8_sse2;
    case 0x84: return gannet_jpeg_inverse_8x4_sse2;
    case 0x88: return gannet_jpeg_inverse_8x8_sse2;
    }
#elif GANNET_NEON
    switch (across * 16 + down) {
    case 0x44: return gannet_jpeg_inverse_4x4_neon;
    case 0x48: return gannet_jpeg_inverse_4x8_neon;
    case 0x84: return gannet_jpeg_inverse_8x4_neon;
    case 0x88: return gannet_jpeg_inverse_8x8_neon;
    }
#endif
    return gannet_jpeg_inverse_plain(across, down);
}
