// x86-64's baseline.
#include "vectors.h"

#if GANNET_X86
#include "resample_plain.h"
#include <string.h>

static void box_add_row(uint16_t *sums, const uint8_t *row, size_t samples) {
    const __m128i zero = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(row + i));
        __m128i *out = (__m128i *)(sums + i);
        _mm_storeu_si128(out, _mm_add_epi16(_mm_loadu_si128(out), _mm_unpacklo_epi8(v, zero)));
        _mm_storeu_si128(out + 1, _mm_add_epi16(_mm_loadu_si128(out + 1), _mm_unpackhi_epi8(v, zero)));
    }
    box_add_row_from(i, sums, row, samples);
}

static void box_sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples) {
    const __m128i zero = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        __m128i low = zero, high = zero;
        for (size_t k = 0; k < count; k++) {
            __m128i v = _mm_loadu_si128((const __m128i *)(rows + k * stride + i));
            low = _mm_add_epi16(low, _mm_unpacklo_epi8(v, zero));
            high = _mm_add_epi16(high, _mm_unpackhi_epi8(v, zero));
        }
        _mm_storeu_si128((__m128i *)(sums + i), low);
        _mm_storeu_si128((__m128i *)(sums + i + 8), high);
    }
    box_sum_rows_from(i, sums, rows, stride, count, samples);
}

static void box_finish(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows) {
    const __m128i zero = _mm_setzero_si128();
    for (size_t x = 0; x < width; x += factor, out += 4) {
        size_t count = width - x < factor ? width - x : factor;
        const uint16_t *pixels = sums + x * 4;
        __m128i sum = zero;
        for (size_t k = 0; k < count; k++)
            sum = _mm_add_epi32(sum, _mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i *)(pixels + k * 4)), zero));
        __m128 scaled = _mm_mul_ps(_mm_cvtepi32_ps(sum), _mm_set1_ps(64.0f / (float)(count * rows)));
        __m128i mean = _mm_cvttps_epi32(_mm_add_ps(scaled, _mm_set1_ps(0.5f)));
        _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(mean, mean));
    }
}

static inline __m128i pair_of(const int16_t *weights, size_t k) {
    int32_t pair;
    memcpy(&pair, weights + k, 4);
    return _mm_set1_epi32(pair);
}

/// Pixels in the halves of `v`, weighted and added.
static inline __m128i weighed(__m128i v, const int16_t *weights, size_t k) {
    return _mm_madd_epi16(_mm_unpacklo_epi16(v, _mm_srli_si128(v, 8)), pair_of(weights, k));
}

static void horizontal_u8(int16_t *const *outs, const uint8_t *const *rows, size_t count, const gannet_windows *windows) {
    const __m128i zero = _mm_setzero_si128();
    for (size_t row = 0; row < count; row++) {
        int16_t *out = outs[row];
        for (size_t x = 0; x < windows->count; x++, out += 4) {
            const uint8_t *pixels = rows[row] + (size_t)windows->starts[x] * 4;
            const int16_t *weights = windows->weights + x * windows->taps;
            __m128i sum = _mm_set1_epi32(128);
            for (size_t k = 0; k < windows->taps; k += 4) {
                __m128i v = _mm_loadu_si128((const __m128i *)(pixels + k * 4));
                sum = _mm_add_epi32(sum, weighed(_mm_unpacklo_epi8(v, zero), weights, k));
                sum = _mm_add_epi32(sum, weighed(_mm_unpackhi_epi8(v, zero), weights, k + 2));
            }
            _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(_mm_srai_epi32(sum, 8), zero));
        }
    }
}

static void horizontal_i16(int16_t *out, const int16_t *row, const gannet_windows *windows) {
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        __m128i sum = _mm_set1_epi32(8192);
        for (size_t k = 0; k < windows->taps; k += 2)
            sum = _mm_add_epi32(sum, weighed(_mm_loadu_si128((const __m128i *)(pixels + k * 4)), weights, k));
        _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(_mm_srai_epi32(sum, 14), _mm_setzero_si128()));
    }
}

static void vertical_i16(uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    size_t i = 0;
    for (; i + 8 <= samples; i += 8) {
        __m128i s0 = _mm_set1_epi32(1 << 19), s1 = s0;
        for (size_t k = 0; k < taps; k += 2) {
            __m128i a = _mm_loadu_si128((const __m128i *)(rows[k] + i));
            __m128i b = _mm_loadu_si128((const __m128i *)(rows[k + 1] + i));
            __m128i w = pair_of(weights, k);
            s0 = _mm_add_epi32(s0, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), w));
            s1 = _mm_add_epi32(s1, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), w));
        }
        __m128i wide = _mm_packs_epi32(_mm_srai_epi32(s0, 20), _mm_srai_epi32(s1, 20));
        // Clamped to 0 … 255 first, so that alpha has its final value.
        wide = _mm_unpacklo_epi8(_mm_packus_epi16(wide, wide), _mm_setzero_si128());
        __m128i alphas = _mm_shufflehi_epi16(_mm_shufflelo_epi16(wide, 0xFF), 0xFF);
        wide = _mm_min_epi16(wide, alphas);
        _mm_storel_epi64((__m128i *)(out + i), _mm_packus_epi16(wide, wide));
    }
    vertical_i16_from(i, out, rows, weights, taps, samples);
}

static void horizontal_u16(float *out, const uint16_t *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}
static void vertical_u16(uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}

extern const gannet_resample_kernels gannet_resample_sse2;
const gannet_resample_kernels gannet_resample_sse2 = {
    box_sum_rows, box_add_row, box_finish, horizontal_u8, horizontal_i16, vertical_i16, horizontal_u16, vertical_u16,
};
#endif
