#include "gannet_jpeg_colors.h"
#include "vectors.h"

void gannet_jpeg_pixels_of_gray(const uint8_t *gray, uint8_t *pixels, size_t count) {
    for (size_t x = 0; x < count; x++) {
        pixels[4 * x] = gray[x];
        pixels[4 * x + 1] = gray[x];
        pixels[4 * x + 2] = gray[x];
        pixels[4 * x + 3] = 255;
    }
}

void gannet_jpeg_pixels_of_rgb(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *pixels, size_t count) {
    for (size_t x = 0; x < count; x++) {
        pixels[4 * x] = red[x];
        pixels[4 * x + 1] = green[x];
        pixels[4 * x + 2] = blue[x];
        pixels[4 * x + 3] = 255;
    }
}

static inline uint8_t clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

// With 14 bits behind the point; no two factors of a sum go over 16 bits, which is what pairs of them are multiplied in.
enum { BITS = 14, HALF = 1 << (BITS - 1), RED_OF_CR = 22970, GREEN_OF_CB = -5638, GREEN_OF_CR = -11700, BLUE_OF_CB = 29032 };

static void pixels_of_ycc(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t first, size_t count) {
    for (size_t x = first; x < count; x++) {
        int y = luma[x], blueness = cb[x] - 128, redness = cr[x] - 128;
        pixels[4 * x] = clamped(y + ((RED_OF_CR * redness + HALF) >> BITS));
        pixels[4 * x + 1] = clamped(y + ((GREEN_OF_CB * blueness + GREEN_OF_CR * redness + HALF) >> BITS));
        pixels[4 * x + 2] = clamped(y + ((BLUE_OF_CB * blueness + HALF) >> BITS));
        pixels[4 * x + 3] = 255;
    }
}

#if GANNET_X86

/// A sum of two factors with each of eight pairs, rounded, on eight values of luma.
static inline __m128i mixed(__m128i luma, __m128i low, __m128i high, int of_cb, int of_cr) {
    const __m128i factors = _mm_set1_epi32((int)((uint32_t)of_cr << 16 | ((uint32_t)of_cb & 0xFFFF)));
    const __m128i half = _mm_set1_epi32(HALF);
    low = _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(low, factors), half), BITS);
    high = _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(high, factors), half), BITS);
    return _mm_add_epi16(luma, _mm_packs_epi32(low, high));
}

void gannet_jpeg_pixels_of_ycc(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count) {
    const __m128i zero = _mm_setzero_si128(), middle = _mm_set1_epi16(128), opaque = _mm_set1_epi8(-1);
    size_t x = 0;
    for (; x + 8 <= count; x += 8) {
        __m128i y = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(luma + x)), zero);
        __m128i b = _mm_sub_epi16(_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(cb + x)), zero), middle);
        __m128i r = _mm_sub_epi16(_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(cr + x)), zero), middle);
        __m128i low = _mm_unpacklo_epi16(b, r), high = _mm_unpackhi_epi16(b, r);
        __m128i red = mixed(y, low, high, 0, RED_OF_CR), green = mixed(y, low, high, GREEN_OF_CB, GREEN_OF_CR);
        __m128i blue = mixed(y, low, high, BLUE_OF_CB, 0);
        __m128i first = _mm_unpacklo_epi8(_mm_packus_epi16(red, red), _mm_packus_epi16(green, green));
        __m128i second = _mm_unpacklo_epi8(_mm_packus_epi16(blue, blue), opaque);
        _mm_storeu_si128((__m128i *)(pixels + 4 * x), _mm_unpacklo_epi16(first, second));
        _mm_storeu_si128((__m128i *)(pixels + 4 * x + 16), _mm_unpackhi_epi16(first, second));
    }
    pixels_of_ycc(luma, cb, cr, pixels, x, count);
}
#elif GANNET_NEON

/// A sum of two products for each of eight pixels, rounded, on eight values of luma.
static inline uint8x8_t mixed(int16x8_t luma, int16x8_t cb, int16x8_t cr, int16_t of_cb, int16_t of_cr) {
    int32x4_t low = vmlal_n_s16(vmull_n_s16(vget_low_s16(cb), of_cb), vget_low_s16(cr), of_cr);
    int32x4_t high = vmlal_high_n_s16(vmull_high_n_s16(cb, of_cb), cr, of_cr);
    return vqmovun_s16(vaddq_s16(luma, vcombine_s16(vrshrn_n_s32(low, BITS), vrshrn_n_s32(high, BITS))));
}

void gannet_jpeg_pixels_of_ycc(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count) {
    const uint8x8_t middle = vdup_n_u8(128);
    size_t x = 0;
    for (; x + 8 <= count; x += 8) {
        int16x8_t y = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(luma + x)));
        int16x8_t b = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(cb + x), middle));
        int16x8_t r = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(cr + x), middle));
        uint8x8x4_t rgba = {{
            mixed(y, b, r, 0, RED_OF_CR), mixed(y, b, r, GREEN_OF_CB, GREEN_OF_CR), mixed(y, b, r, BLUE_OF_CB, 0), vdup_n_u8(255),
        }};
        vst4_u8(pixels + 4 * x, rgba);
    }
    pixels_of_ycc(luma, cb, cr, pixels, x, count);
}
#else
void gannet_jpeg_pixels_of_ycc(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count) {
    pixels_of_ycc(luma, cb, cr, pixels, 0, count);
}
#endif
