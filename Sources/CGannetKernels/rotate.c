#include "gannet_rotate.h"
#include "vectors.h"
#include <string.h>

typedef int32_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

static inline lanes load(const uint8_t *pixel) {
    bytes4 v;
    memcpy(&v, pixel, 4);
    return __builtin_convertvector(v, lanes);
}

static const uint8_t nothing[4] = {0, 0, 0, 0};

static inline const uint8_t *at(const gannet_bitmap *p, int64_t x, int64_t y) {
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

// Catmull-Rom at distance f / 256 from the second of four pixels; the weights add up to 2048.
// Times 2: −f³ + 2f² − f; 3f³ − 5f² + 2; −3f³ + 4f² + f; f³ − f²
#define FIRST(f) ((-(f) * (f) * (f) + 2 * ((f) * (f) * 256) - (f) * 65536 + (1 << 13)) >> 14)
#define THIRD(f) ((-3 * (f) * (f) * (f) + 4 * ((f) * (f) * 256) + (f) * 65536 + (1 << 13)) >> 14)
#define FOURTH(f) (((f) * (f) * (f) - (f) * (f) * 256 + (1 << 13)) >> 14)
#define WEIGHTS(f) {FIRST(f), 2048 - FIRST(f) - THIRD(f) - FOURTH(f), THIRD(f), FOURTH(f)},
#define FOUR(f) WEIGHTS(f) WEIGHTS(f + 1) WEIGHTS(f + 2) WEIGHTS(f + 3)
#define SIXTEEN(f) FOUR(f) FOUR(f + 4) FOUR(f + 8) FOUR(f + 12)
#define SIXTY_FOUR(f) SIXTEEN(f) SIXTEEN(f + 16) SIXTEEN(f + 32) SIXTEEN(f + 48)
static const int16_t cubic_weights[256][4] = {SIXTY_FOUR(0) SIXTY_FOUR(64) SIXTY_FOUR(128) SIXTY_FOUR(192)};

/// Four rows of four pixels each, `stride` bytes apart: weighted downwards first, because that needs no shuffling. Between the two
/// passes 5 fractional bits are left, so that a column fits 16 bits; no colour gets above its alpha.
static inline uint32_t weighted_plain(const uint8_t *rows, size_t stride, const int16_t wx[4], const int16_t wy[4]) {
    lanes sum = {1 << 15, 1 << 15, 1 << 15, 1 << 15};
    for (int column = 0; column < 4; column++) {
        const uint8_t *p = rows + column * 4;
        lanes line = load(p) * wy[0] + load(p + stride) * wy[1] + load(p + 2 * stride) * wy[2] + load(p + 3 * stride) * wy[3];
        sum += ((line + 32) >> 6) * wx[column];
    }
    sum >>= 16;
    int32_t alpha = sum[3] < 0 ? 0 : sum[3] > 255 ? 255 : sum[3];
    uint32_t result = (uint32_t)alpha << 24;
    for (int c = 0; c < 3; c++) result |= (uint32_t)(sum[c] < 0 ? 0 : sum[c] > alpha ? alpha : sum[c]) << (8 * c);
    return result;
}

#if GANNET_X86
static inline __m128i pair(const int16_t *weights) {
    int32_t both;
    memcpy(&both, weights, 4);
    return _mm_set1_epi32(both);
}

static inline uint32_t finished(__m128i sum) {
    sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << 15)), 16);
    __m128i narrow = _mm_packs_epi32(sum, sum);
    narrow = _mm_packus_epi16(narrow, narrow);
    uint32_t alpha = (uint32_t)_mm_cvtsi128_si32(narrow) >> 24;
    return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu8(narrow, _mm_set1_epi8((char)alpha)));
}

static inline uint32_t weighted(const uint8_t *rows, size_t stride, const int16_t wx[4], const int16_t wy[4]) {
    const __m128i zero = _mm_setzero_si128(), upper = pair(wy), lower = pair(wy + 2);
    __m128i a = _mm_loadu_si128((const __m128i *)rows), b = _mm_loadu_si128((const __m128i *)(rows + stride));
    __m128i c = _mm_loadu_si128((const __m128i *)(rows + 2 * stride)), d = _mm_loadu_si128((const __m128i *)(rows + 3 * stride));
    __m128i ab[2] = {_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)}, cd[2] = {_mm_unpacklo_epi8(c, d), _mm_unpackhi_epi8(c, d)};
    __m128i sum = zero;
    for (int half = 0; half < 2; half++) {
        __m128i left = _mm_add_epi32(
            _mm_madd_epi16(_mm_unpacklo_epi8(ab[half], zero), upper), _mm_madd_epi16(_mm_unpacklo_epi8(cd[half], zero), lower));
        __m128i right = _mm_add_epi32(
            _mm_madd_epi16(_mm_unpackhi_epi8(ab[half], zero), upper), _mm_madd_epi16(_mm_unpackhi_epi8(cd[half], zero), lower));
        left = _mm_srai_epi32(_mm_add_epi32(left, _mm_set1_epi32(32)), 6);
        right = _mm_srai_epi32(_mm_add_epi32(right, _mm_set1_epi32(32)), 6);
        __m128i both = _mm_packs_epi32(left, right);
        both = _mm_unpacklo_epi16(both, _mm_srli_si128(both, 8));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(both, pair(wx + half * 2)));
    }
    return finished(sum);
}

__attribute__((target("avx2"))) static inline __m256i wide(const uint8_t *row) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)row));
}

__attribute__((target("avx2"))) static inline uint32_t weighted_avx2(
    const uint8_t *rows, size_t stride, const int16_t wx[4], const int16_t wy[4]) {
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1), half = _mm256_set1_epi32(32);
    __m256i upper = _mm256_broadcastsi128_si256(pair(wy)), lower = _mm256_broadcastsi128_si256(pair(wy + 2));
    __m256i a = wide(rows), b = wide(rows + stride), c = wide(rows + 2 * stride), d = wide(rows + 3 * stride);
    // Pixels 0 and 2, then 1 and 3.
    __m256i even = _mm256_add_epi32(
        _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), upper), _mm256_madd_epi16(_mm256_unpacklo_epi16(c, d), lower));
    __m256i odd = _mm256_add_epi32(
        _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), upper), _mm256_madd_epi16(_mm256_unpackhi_epi16(c, d), lower));
    even = _mm256_srai_epi32(_mm256_add_epi32(even, half), 6);
    odd = _mm256_srai_epi32(_mm256_add_epi32(odd, half), 6);
    __m256i columns = _mm256_shuffle_epi8(_mm256_packs_epi32(even, odd), pairs);
    __m256i across = _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)wx)), spread);
    __m256i sum = _mm256_madd_epi16(columns, across);
    return finished(_mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
}
#elif GANNET_NEON
static inline uint32_t weighted_neon(const uint8_t *rows, size_t stride, const int16_t wx[4], const int16_t wy[4]) {
    const int16x4_t across = vld1_s16(wx), down = vld1_s16(wy);
    int32x4_t lines[4] = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0)};
#define ADD_ROW(row)                                                                    \
    {                                                                                   \
        uint8x16_t v = vld1q_u8(rows + (row) * stride);                                 \
        int16x8_t left = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));               \
        int16x8_t right = vreinterpretq_s16_u16(vmovl_high_u8(v));                      \
        lines[0] = vmlal_lane_s16(lines[0], vget_low_s16(left), down, row);             \
        lines[1] = vmlal_high_lane_s16(lines[1], left, down, row);                      \
        lines[2] = vmlal_lane_s16(lines[2], vget_low_s16(right), down, row);            \
        lines[3] = vmlal_high_lane_s16(lines[3], right, down, row);                     \
    }
    ADD_ROW(0)
    ADD_ROW(1)
    ADD_ROW(2)
    ADD_ROW(3)
#undef ADD_ROW
    int32x4_t sum = vmull_lane_s16(vrshrn_n_s32(lines[0], 6), across, 0);
    sum = vmlal_lane_s16(sum, vrshrn_n_s32(lines[1], 6), across, 1);
    sum = vmlal_lane_s16(sum, vrshrn_n_s32(lines[2], 6), across, 2);
    sum = vmlal_lane_s16(sum, vrshrn_n_s32(lines[3], 6), across, 3);
    int16x4_t narrow = vqrshrn_n_s32(sum, 16);
    uint8x8_t bytes = vqmovun_s16(vcombine_s16(narrow, narrow));
    return vget_lane_u32(vreinterpret_u32_u8(vmin_u8(bytes, vdup_lane_u8(bytes, 3))), 0);
}
#endif

typedef struct {
    const uint8_t *rows;
    size_t stride;
    uint8_t copied[64];
} neighbours;

/// The 4 × 4 pixels around a place whose upper left one is at (left, top), copied where some lie outside.
static void find(neighbours *n, const gannet_bitmap *p, int64_t left, int64_t top) {
    n->rows = n->copied;
    n->stride = 16;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            memcpy(n->copied + row * 16 + column * 4, at(p, left + column, top + row), 4);
}

#define CUBIC_LINE(name, weigh)                                                                                               \
    static void name(                                                                                                         \
        uint32_t *out, size_t count, const gannet_bitmap *p, int64_t x, int64_t y, int64_t dx, int64_t dy) {                  \
        const int64_t width = (int64_t)p->width, height = (int64_t)p->height;                                                  \
        const uint64_t inside_x = width > 3 ? (uint64_t)width - 3 : 0, inside_y = height > 3 ? (uint64_t)height - 3 : 0;        \
        for (size_t i = 0; i < count; i++, x += dx, y += dy) {                                                                \
            int64_t left = (x >> 16) - 1, top = (y >> 16) - 1;                                                                \
            const int16_t *wx = cubic_weights[x >> 8 & 255], *wy = cubic_weights[y >> 8 & 255];                                \
            if ((uint64_t)left < inside_x && (uint64_t)top < inside_y) {                                                      \
                out[i] = weigh(p->pixels + (size_t)top * p->stride + (size_t)left * 4, p->stride, wx, wy);                    \
            } else if (left < -3 || top < -3 || left > width || top > height) {                                               \
                out[i] = 0;                                                                                                   \
            } else {                                                                                                          \
                neighbours n;                                                                                                 \
                find(&n, p, left, top);                                                                                       \
                out[i] = weigh(n.rows, n.stride, wx, wy);                                                                     \
            }                                                                                                                 \
        }                                                                                                                     \
    }

CUBIC_LINE(cubic_line_plain, weighted_plain)
#if GANNET_X86
CUBIC_LINE(cubic_line_sse2, weighted)
__attribute__((target("avx2"))) CUBIC_LINE(cubic_line_avx2, weighted_avx2)
#elif GANNET_NEON
CUBIC_LINE(cubic_line_neon, weighted_neon)
#endif

static void linear_line(uint32_t *out, size_t count, const gannet_bitmap *p, int64_t x, int64_t y, int64_t dx, int64_t dy) {
    for (size_t i = 0; i < count; i++, x += dx, y += dy) {
        int64_t left = x >> 16, top = y >> 16;
        int32_t fx = (int32_t)(x >> 8 & 255), fy = (int32_t)(y >> 8 & 255);
        if (left < -1 || top < -1 || left > (int64_t)p->width || top > (int64_t)p->height) {
            out[i] = 0;
        } else if (left >= 0 && top >= 0 && left + 1 < (int64_t)p->width && top + 1 < (int64_t)p->height) {
            const uint8_t *pixels = p->pixels + (size_t)top * p->stride + (size_t)left * 4;
            const uint8_t *below = pixels + p->stride;
            out[i] = linear(load(pixels), load(pixels + 4), load(below), load(below + 4), fx, fy);
        } else {
            out[i] = linear(
                load(at(p, left, top)), load(at(p, left + 1, top)), load(at(p, left, top + 1)), load(at(p, left + 1, top + 1)), fx,
                fy);
        }
    }
}

void gannet_sample_line(
    uint32_t *out, size_t count, const gannet_bitmap *p, int64_t x, int64_t y, int64_t dx, int64_t dy, int cubic) {
    if (!cubic) {
        linear_line(out, count, p, x, y, dx, dy);
        return;
    }
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        cubic_line_avx2(out, count, p, x, y, dx, dy);
    } else {
        cubic_line_sse2(out, count, p, x, y, dx, dy);
    }
#elif GANNET_NEON
    cubic_line_neon(out, count, p, x, y, dx, dy);
#else
    cubic_line_plain(out, count, p, x, y, dx, dy);
#endif
}

bool gannet_sample_line_at(
    gannet_level level, uint32_t *out, size_t count, const gannet_bitmap *p, int64_t x, int64_t y, int64_t dx, int64_t dy) {
    switch ((int)level) {
    case gannet_level_plain: cubic_line_plain(out, count, p, x, y, dx, dy); return true;
#if GANNET_X86
    case gannet_level_sse2: cubic_line_sse2(out, count, p, x, y, dx, dy); return true;
    case gannet_level_avx2:
        if (!__builtin_cpu_supports("avx2")) return false;
        cubic_line_avx2(out, count, p, x, y, dx, dy);
        return true;
#elif GANNET_NEON
    case gannet_level_neon: cubic_line_neon(out, count, p, x, y, dx, dy); return true;
#endif
    default: return false;
    }
}
