#include "gannet_ycc.h"

#include <math.h>
#include <string.h>

#include "vectors.h"

#define BITS 13
#define HALF (1 << (BITS - 1))

gannet_ycc gannet_ycc_make(double kr, double kb, int full) {
    double kg = 1 - kr - kb;
    double luma = full ? 1 : 255.0 / 219, chroma = full ? 1 : 255.0 / 224, one = 1 << BITS;
    gannet_ycc matrix = {
        .luma = (int16_t)lround(luma * one),
        .red_cr = (int16_t)lround(2 * (1 - kr) * chroma * one),
        .green_cb = (int16_t)lround(-2 * (1 - kb) * kb / kg * chroma * one),
        .green_cr = (int16_t)lround(-2 * (1 - kr) * kr / kg * chroma * one),
        .blue_cb = (int16_t)lround(2 * (1 - kb) * chroma * one),
        .black = full ? 0 : 16,
    };
    return matrix;
}

static uint8_t clamped(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

static void plain(
    uint8_t *restrict rgba, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, const uint8_t *alpha, size_t first, size_t count,
    int halved, const gannet_ycc *matrix) {
    for (size_t i = first; i < count; i++) {
        int32_t luma = (y[i] - matrix->black) * matrix->luma + HALF;
        int32_t blue = cb ? cb[i >> halved] - 128 : 0, red = cr ? cr[i >> halved] - 128 : 0;
        rgba[4 * i] = clamped((luma + red * matrix->red_cr) >> BITS);
        rgba[4 * i + 1] = clamped((luma + blue * matrix->green_cb + red * matrix->green_cr) >> BITS);
        rgba[4 * i + 2] = clamped((luma + blue * matrix->blue_cb) >> BITS);
        rgba[4 * i + 3] = alpha ? alpha[i] : 255;
    }
}

#if GANNET_X86
/// (a·x + b·y + half) >> BITS for eight pairs of 16 bits.
static inline __m128i mix(__m128i a, __m128i b, __m128i factors) {
    const __m128i half = _mm_set1_epi32(HALF);
    __m128i low = _mm_madd_epi16(_mm_unpacklo_epi16(a, b), factors), high = _mm_madd_epi16(_mm_unpackhi_epi16(a, b), factors);
    return _mm_packs_epi32(
        _mm_srai_epi32(_mm_add_epi32(low, half), BITS), _mm_srai_epi32(_mm_add_epi32(high, half), BITS));
}

static inline __m128i both(int16_t first, int16_t second) {
    return _mm_set1_epi32((int32_t)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
}

static inline void store(uint8_t *rgba, __m128i red, __m128i green, __m128i blue, __m128i alpha) {
    __m128i first = _mm_unpacklo_epi8(red, green), second = _mm_unpacklo_epi8(blue, alpha);
    _mm_storeu_si128((__m128i *)rgba, _mm_unpacklo_epi16(first, second));
    _mm_storeu_si128((__m128i *)(rgba + 16), _mm_unpackhi_epi16(first, second));
}

static size_t wide(
    uint8_t *restrict rgba, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, const uint8_t *alpha, size_t count, int halved,
    const gannet_ycc *matrix) {
    const __m128i zero = _mm_setzero_si128(), black = _mm_set1_epi16(matrix->black), middle = _mm_set1_epi16(128);
    const __m128i red_factors = both(matrix->luma, matrix->red_cr), blue_factors = both(matrix->luma, matrix->blue_cb);
    const __m128i green_luma = both(matrix->luma, matrix->green_cb), green_chroma = both(matrix->green_cr, HALF);
    const __m128i one = _mm_set1_epi16(1), opaque = _mm_set1_epi8(-1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i luma = _mm_sub_epi16(_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(y + i)), zero), black);
        __m128i blue_part, red_part;
        if (halved) {
            int32_t four;
            memcpy(&four, cb + i / 2, 4);
            blue_part = _mm_cvtsi32_si128(four);
            memcpy(&four, cr + i / 2, 4);
            red_part = _mm_cvtsi32_si128(four);
            blue_part = _mm_unpacklo_epi8(blue_part, blue_part);
            red_part = _mm_unpacklo_epi8(red_part, red_part);
        } else {
            blue_part = _mm_loadl_epi64((const __m128i *)(cb + i));
            red_part = _mm_loadl_epi64((const __m128i *)(cr + i));
        }
        blue_part = _mm_sub_epi16(_mm_unpacklo_epi8(blue_part, zero), middle);
        red_part = _mm_sub_epi16(_mm_unpacklo_epi8(red_part, zero), middle);
        __m128i low = _mm_add_epi32(
            _mm_madd_epi16(_mm_unpacklo_epi16(luma, blue_part), green_luma),
            _mm_madd_epi16(_mm_unpacklo_epi16(red_part, one), green_chroma));
        __m128i high = _mm_add_epi32(
            _mm_madd_epi16(_mm_unpackhi_epi16(luma, blue_part), green_luma),
            _mm_madd_epi16(_mm_unpackhi_epi16(red_part, one), green_chroma));
        __m128i green = _mm_packs_epi32(_mm_srai_epi32(low, BITS), _mm_srai_epi32(high, BITS));
        __m128i red = mix(luma, red_part, red_factors), blue = mix(luma, blue_part, blue_factors);
        store(
            rgba + 4 * i, _mm_packus_epi16(red, red), _mm_packus_epi16(green, green), _mm_packus_epi16(blue, blue),
            alpha ? _mm_loadl_epi64((const __m128i *)(alpha + i)) : opaque);
    }
    return i;
}
#elif GANNET_NEON
/// (a·x + b·y + c·z + half) >> BITS for eight pixels.
static inline uint8x8_t mix(int16x8_t a, int16_t x, int16x8_t b, int16_t y, int16x8_t c, int16_t z) {
    int32x4_t low = vmull_n_s16(vget_low_s16(a), x), high = vmull_high_n_s16(a, x);
    low = vmlal_n_s16(low, vget_low_s16(b), y);
    high = vmlal_high_n_s16(high, b, y);
    low = vmlal_n_s16(low, vget_low_s16(c), z);
    high = vmlal_high_n_s16(high, c, z);
    return vqmovun_s16(vcombine_s16(vqrshrn_n_s32(low, BITS), vqrshrn_n_s32(high, BITS)));
}

/// Eight samples of chroma, less their middle; four of them, each twice, where they are `halved`.
static inline int16x8_t chroma_at(const uint8_t *samples, size_t i, int halved) {
    uint8x8_t bytes;
    if (halved) {
        uint32_t four;
        memcpy(&four, samples + i / 2, 4);
        bytes = vcreate_u8(four);
        bytes = vzip1_u8(bytes, bytes);
    } else {
        bytes = vld1_u8(samples + i);
    }
    return vreinterpretq_s16_u16(vsubl_u8(bytes, vdup_n_u8(128)));
}

static size_t wide(
    uint8_t *restrict rgba, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, const uint8_t *alpha, size_t count, int halved,
    const gannet_ycc *matrix) {
    const uint8x8_t black = vdup_n_u8((uint8_t)matrix->black);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        int16x8_t luma = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(y + i), black));
        int16x8_t blue = chroma_at(cb, i, halved), red = chroma_at(cr, i, halved);
        uint8x8x4_t pixels = {{
            mix(luma, matrix->luma, blue, 0, red, matrix->red_cr),
            mix(luma, matrix->luma, blue, matrix->green_cb, red, matrix->green_cr),
            mix(luma, matrix->luma, blue, matrix->blue_cb, red, 0),
            alpha ? vld1_u8(alpha + i) : vdup_n_u8(255),
        }};
        vst4_u8(rgba + 4 * i, pixels);
    }
    return i;
}
#endif

void gannet_ycc_row(
    uint8_t *restrict rgba, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, const uint8_t *alpha, size_t count, int halved,
    const gannet_ycc *matrix) {
    size_t done = 0;
#if GANNET_X86 || GANNET_NEON
    if (cb && cr) done = wide(rgba, y, cb, cr, alpha, count, halved, matrix);
#endif
    plain(rgba, y, cb, cr, alpha, done, count, halved, matrix);
}

void gannet_rgb_row(
    uint8_t *restrict rgba, const uint8_t *red, const uint8_t *green, const uint8_t *blue, const uint8_t *alpha, size_t count) {
    size_t i = 0;
#if GANNET_X86
    for (; i + 8 <= count; i += 8) {
        store(
            rgba + 4 * i, _mm_loadl_epi64((const __m128i *)(red + i)), _mm_loadl_epi64((const __m128i *)(green + i)),
            _mm_loadl_epi64((const __m128i *)(blue + i)),
            alpha ? _mm_loadl_epi64((const __m128i *)(alpha + i)) : _mm_set1_epi8(-1));
    }
#elif GANNET_NEON
    for (; i + 8 <= count; i += 8) {
        uint8x8x4_t pixels = {{
            vld1_u8(red + i), vld1_u8(green + i), vld1_u8(blue + i), alpha ? vld1_u8(alpha + i) : vdup_n_u8(255),
        }};
        vst4_u8(rgba + 4 * i, pixels);
    }
#endif
    for (; i < count; i++) {
        rgba[4 * i] = red[i];
        rgba[4 * i + 1] = green[i];
        rgba[4 * i + 2] = blue[i];
        rgba[4 * i + 3] = alpha ? alpha[i] : 255;
    }
}
