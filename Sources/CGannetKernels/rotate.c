#include "gannet_rotate.h"
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef int32_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

static inline lanes load(const uint8_t *pixel) {
    bytes4 v;
    memcpy(&v, pixel, 4);
    return __builtin_convertvector(v, lanes);
}

static const uint8_t nothing[4] = {0, 0, 0, 0};

static inline const uint8_t *at(const gannet_picture *p, int64_t x, int64_t y) {
    if (x < 0 || y < 0 || x >= (int64_t)p->width || y >= (int64_t)p->height) return nothing;
    return p->pixels + (size_t)y * p->stride + (size_t)x * 4;
}

/// 2 × 2 pixels, 8-bit fractions: weights add up to 65,536.
static inline uint32_t linear(lanes a, lanes b, lanes c, lanes d, int32_t fx, int32_t fy) {
    lanes top = a * (256 - fx) + b * fx, bottom = c * (256 - fx) + d * fx;
    lanes v = (top * (256 - fy) + bottom * fy + 32768) >> 16;
    // A mean of premultiplied pixels is premultiplied and inside the range: nothing to clamp.
    bytes4 narrow = __builtin_convertvector(v, bytes4);
    uint32_t result;
    memcpy(&result, &narrow, 4);
    return result;
}

/// Catmull-Rom at distance f / 256 from the second of four pixels; the weights add up to 2048.
static inline void cubic_weights(int32_t f, int32_t w[4]) {
    int32_t f2 = f * f, f3 = f2 * f;  // 16 and 24 fractional bits
    // Times 2: −f³ + 2f² − f; 3f³ − 5f² + 2; −3f³ + 4f² + f; f³ − f²
    w[0] = (-f3 + 2 * (f2 << 8) - (f << 16) + (1 << 13)) >> 14;
    w[2] = (-3 * f3 + 4 * (f2 << 8) + (f << 16) + (1 << 13)) >> 14;
    w[3] = (f3 - (f2 << 8) + (1 << 13)) >> 14;
    w[1] = 2048 - w[0] - w[2] - w[3];
}

/// Four rows of four pixels each, weighted. Between the two passes 5 fractional bits are left, so that a line fits 16 bits; no
/// colour gets above its alpha.
#if defined(__SSE2__)
static inline __m128i pair(int32_t first, int32_t second) {
    return _mm_set1_epi32((int32_t)((uint32_t)first & 0xffff) | (int32_t)((uint32_t)second << 16));
}

/// Numbers of the lower half and of the upper one, in turns.
static inline __m128i interleaved(__m128i v) { return _mm_unpacklo_epi16(v, _mm_srli_si128(v, 8)); }

static inline uint32_t weighted(const uint8_t *const rows[4], const int32_t wx[4], const int32_t wy[4]) {
    const __m128i zero = _mm_setzero_si128(), left = pair(wx[0], wx[1]), right = pair(wx[2], wx[3]);
    __m128i lines[4];
    for (int row = 0; row < 4; row++) {
        __m128i v = _mm_loadu_si128((const __m128i *)rows[row]);
        __m128i sum = _mm_add_epi32(
            _mm_madd_epi16(interleaved(_mm_unpacklo_epi8(v, zero)), left),
            _mm_madd_epi16(interleaved(_mm_unpackhi_epi8(v, zero)), right));
        lines[row] = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(32)), 6);
    }
    __m128i upper = _mm_madd_epi16(interleaved(_mm_packs_epi32(lines[0], lines[1])), pair(wy[0], wy[1]));
    __m128i lower = _mm_madd_epi16(interleaved(_mm_packs_epi32(lines[2], lines[3])), pair(wy[2], wy[3]));
    __m128i sum = _mm_srai_epi32(_mm_add_epi32(_mm_add_epi32(upper, lower), _mm_set1_epi32(1 << 15)), 16);
    __m128i narrow = _mm_packus_epi16(_mm_packs_epi32(sum, sum), zero);
    uint32_t alpha = (uint32_t)_mm_cvtsi128_si32(narrow) >> 24;
    return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu8(narrow, _mm_set1_epi8((char)alpha)));
}
#else
static inline uint32_t weighted(const uint8_t *const rows[4], const int32_t wx[4], const int32_t wy[4]) {
    lanes sum = {1 << 15, 1 << 15, 1 << 15, 1 << 15};
    for (int row = 0; row < 4; row++) {
        const uint8_t *p = rows[row];
        lanes line = load(p) * wx[0] + load(p + 4) * wx[1] + load(p + 8) * wx[2] + load(p + 12) * wx[3];
        sum += ((line + 32) >> 6) * wy[row];
    }
    sum >>= 16;
    int32_t alpha = sum[3] < 0 ? 0 : sum[3] > 255 ? 255 : sum[3];
    uint32_t result = (uint32_t)alpha << 24;
    for (int c = 0; c < 3; c++) result |= (uint32_t)(sum[c] < 0 ? 0 : sum[c] > alpha ? alpha : sum[c]) << (8 * c);
    return result;
}
#endif

static uint32_t cubic_pixel(const gannet_picture *p, int64_t x, int64_t y) {
    int32_t wx[4], wy[4];
    cubic_weights((int32_t)(x >> 8 & 255), wx);
    cubic_weights((int32_t)(y >> 8 & 255), wy);
    int64_t left = (x >> 16) - 1, top = (y >> 16) - 1;
    const uint8_t *rows[4];
    if (left >= 0 && top >= 0 && left + 3 < (int64_t)p->width && top + 3 < (int64_t)p->height) {
        for (int row = 0; row < 4; row++) rows[row] = p->pixels + (size_t)(top + row) * p->stride + (size_t)left * 4;
        return weighted(rows, wx, wy);
    }
    uint8_t around[64];
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) memcpy(around + row * 16 + column * 4, at(p, left + column, top + row), 4);
        rows[row] = around + row * 16;
    }
    return weighted(rows, wx, wy);
}

void gannet_sample_line(
    uint32_t *out, size_t count, const gannet_picture *p, int64_t x, int64_t y, int64_t dx, int64_t dy, int cubic) {
    const int64_t reach = cubic ? 2 : 1;
    for (size_t i = 0; i < count; i++, x += dx, y += dy) {
        int64_t left = x >> 16, top = y >> 16;
        if (left < -reach || top < -reach || left >= (int64_t)p->width + reach || top >= (int64_t)p->height + reach) {
            out[i] = 0;
        } else if (cubic) {
            out[i] = cubic_pixel(p, x, y);
        } else {
            int32_t fx = (int32_t)(x >> 8 & 255), fy = (int32_t)(y >> 8 & 255);
            if (left >= 0 && top >= 0 && left + 1 < (int64_t)p->width && top + 1 < (int64_t)p->height) {
                const uint8_t *pixels = p->pixels + (size_t)top * p->stride + (size_t)left * 4;
                const uint8_t *below = pixels + p->stride;
                out[i] = linear(load(pixels), load(pixels + 4), load(below), load(below + 4), fx, fy);
            } else {
                out[i] = linear(
                    load(at(p, left, top)), load(at(p, left + 1, top)), load(at(p, left, top + 1)),
                    load(at(p, left + 1, top + 1)), fx, fy);
            }
        }
    }
}
