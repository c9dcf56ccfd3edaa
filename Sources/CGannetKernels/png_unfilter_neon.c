#include "png_unfilter_neon.h"
#include "vectors.h"

#if GANNET_NEON
#include <string.h>

// A pixel a step; loads and stores have the pixel's exact size. The compiler uses NEON in the plain loop for Up.
// There is no wave of four rows as with AVX2. The wave pays by filling a processor's idle units, and emulation cannot measure that.

static inline uint8x8_t load_pixel(const uint8_t *p, const unsigned bpp) {
    uint64_t v = 0;
    memcpy(&v, p, bpp);
    return vcreate_u8(v);
}

static inline void store_pixel(uint8_t *p, uint8x8_t v, const unsigned bpp) {
    uint64_t w = vget_lane_u64(vreinterpret_u64_u8(v), 0);
    memcpy(p, &w, bpp);
}

static inline void sub_row(uint8_t *row, size_t count, const unsigned bpp) {
    uint8x8_t a = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += bpp) {
        a = vadd_u8(a, load_pixel(row + i, bpp));
        store_pixel(row + i, a, bpp);
    }
}

/// Four bytes a pixel: running sums inside a vector, so that the chain is one step for four pixels.
static void sub_row4(uint8_t *row, size_t count) {
    const uint8x16_t zero = vdupq_n_u8(0);
    uint8x16_t last = zero;
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        uint8x16_t x = vld1q_u8(row + i);
        x = vaddq_u8(x, vextq_u8(zero, x, 12));
        x = vaddq_u8(x, vextq_u8(zero, x, 8));
        x = vaddq_u8(x, vreinterpretq_u8_u32(vdupq_laneq_u32(vreinterpretq_u32_u8(last), 3)));
        vst1q_u8(row + i, x);
        last = x;
    }
    for (; i < count; i++) row[i] = (uint8_t)(row[i] + (i < 4 ? 0 : row[i - 4]));
}

static inline void average_row(uint8_t *row, const uint8_t *prior, size_t count, const unsigned bpp) {
    uint8x8_t a = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += bpp) {
        a = vadd_u8(load_pixel(row + i, bpp), vhadd_u8(a, load_pixel(prior + i, bpp)));
        store_pixel(row + i, a, bpp);
    }
}

static inline void paeth_row(uint8_t *row, const uint8_t *prior, size_t count, const unsigned bpp) {
    uint8x8_t made = vdup_n_u8(0);
    int16x8_t c = vdupq_n_s16(0);
    for (size_t i = 0; i < count; i += bpp) {
        int16x8_t a = vreinterpretq_s16_u16(vmovl_u8(made));
        int16x8_t b = vreinterpretq_s16_u16(vmovl_u8(load_pixel(prior + i, bpp)));
        int16x8_t threshold = vsubq_s16(vsubq_s16(vaddq_s16(vaddq_s16(c, c), c), b), a);
        int16x8_t low = vminq_s16(a, b), high = vmaxq_s16(a, b);
        int16x8_t first = vbslq_s16(vcgtq_s16(high, threshold), c, low);
        int16x8_t nearest = vbslq_s16(vcgtq_s16(threshold, low), first, high);
        made = vadd_u8(load_pixel(row + i, bpp), vmovn_u16(vreinterpretq_u16_s16(nearest)));
        c = b;
        store_pixel(row + i, made, bpp);
    }
}

#define BY_PIXEL_SIZE(call)     \
    switch (bytes_per_pixel) {  \
    case 3: call(3); break;     \
    case 4: call(4); break;     \
    case 6: call(6); break;     \
    default: call(8); break;    \
    }

_Bool gannet_png_unfilter_row_neon(uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned filter) {
#define SUB(n) sub_row(row, count, n)
#define AVERAGE(n) average_row(row, prior, count, n)
#define PAETH(n) paeth_row(row, prior, count, n)
    if (bytes_per_pixel < 3 || count % bytes_per_pixel != 0) return 0;
    switch (filter) {
    case 1:
        if (bytes_per_pixel == 4) sub_row4(row, count);
        else BY_PIXEL_SIZE(SUB)
        return 1;
    case 3: BY_PIXEL_SIZE(AVERAGE) return 1;
    case 4: BY_PIXEL_SIZE(PAETH) return 1;
    default: return 0;
    }
}
#endif
