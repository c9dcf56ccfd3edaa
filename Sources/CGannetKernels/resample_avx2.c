// Chosen at run time; the attribute lets the compiler use AVX2 and FMA in these functions alone.
#include "vectors.h"

#if GANNET_X86
#include "resample_plain.h"
#include <string.h>

#define AVX2 __attribute__((target("avx2,fma")))

AVX2 static void box_add_row(uint16_t *sums, const uint8_t *row, size_t samples) {
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        __m256i a = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + i)));
        __m256i b = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + i + 16)));
        __m256i *out = (__m256i *)(sums + i);
        _mm256_storeu_si256(out, _mm256_add_epi16(_mm256_loadu_si256(out), a));
        _mm256_storeu_si256(out + 1, _mm256_add_epi16(_mm256_loadu_si256(out + 1), b));
    }
    box_add_row_from(i, sums, row, samples);
}

AVX2 static void box_sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples) {
    const __m256i zero = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 64 <= samples; i += 64) {
        __m256i s0 = zero, s1 = zero, s2 = zero, s3 = zero;
        const uint8_t *p = rows + i;
        for (size_t k = 0; k < count; k++, p += stride) {
            __m256i a = _mm256_loadu_si256((const __m256i *)p);
            __m256i b = _mm256_loadu_si256((const __m256i *)(p + 32));
            s0 = _mm256_add_epi16(s0, _mm256_unpacklo_epi8(a, zero));
            s1 = _mm256_add_epi16(s1, _mm256_unpackhi_epi8(a, zero));
            s2 = _mm256_add_epi16(s2, _mm256_unpacklo_epi8(b, zero));
            s3 = _mm256_add_epi16(s3, _mm256_unpackhi_epi8(b, zero));
        }
        __m256i *out = (__m256i *)(sums + i);
        _mm256_storeu_si256(out, _mm256_permute2x128_si256(s0, s1, 0x20));
        _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(s0, s1, 0x31));
        _mm256_storeu_si256(out + 2, _mm256_permute2x128_si256(s2, s3, 0x20));
        _mm256_storeu_si256(out + 3, _mm256_permute2x128_si256(s2, s3, 0x31));
    }
    box_sum_rows_from(i, sums, rows, stride, count, samples);
}

AVX2 static void box_finish(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows) {
    for (size_t x = 0; x < width; x += factor, out += 4) {
        size_t count = width - x < factor ? width - x : factor;
        const uint16_t *pixels = sums + x * 4;
        __m256i wide = _mm256_setzero_si256();
        size_t k = 0;
        for (; k + 2 <= count; k += 2)
            wide = _mm256_add_epi32(wide, _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(pixels + k * 4))));
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
        if (k < count) sum = _mm_add_epi32(sum, _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(pixels + k * 4))));
        // Multiplied and added apart, as the other levels do, so that every level gives the same number.
        __m128 scaled = _mm_mul_ps(_mm_cvtepi32_ps(sum), _mm_set1_ps(64.0f / (float)(count * rows)));
        __m128i mean = _mm_cvttps_epi32(_mm_add_ps(scaled, _mm_set1_ps(0.5f)));
        _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(mean, mean));
    }
}

AVX2 static inline __m256i pair_of(const int16_t *weights, size_t k) {
    int32_t pair;
    memcpy(&pair, weights + k, 4);
    return _mm256_set1_epi32(pair);
}

/// Weights of four neighbouring pixels, as two pairs for four channels each.
AVX2 static inline __m256i four_of(const int16_t *weights) {
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    __m256i four = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)weights));
    return _mm256_permutevar8x32_epi32(four, spread);
}

/// Two neighbouring pixels become four pairs of equal channels, as needed for a pairwise multiply-and-add.
AVX2 static inline __m256i pairs_u8(const uint8_t *pixels) {
    const __m256i pairs = _mm256_setr_epi8(
        0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1, 8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)pixels)), pairs);
}

/// Sums of the halves of `a` and of `b`, side by side.
AVX2 static inline __m256i folded(__m256i a, __m256i b) {
    return _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31));
}

AVX2 static void four_rows(int16_t *const *outs, const uint8_t *const *rows, const gannet_windows *windows) {
    const __m256i half = _mm256_set1_epi32(128);
    const size_t taps = windows->taps;
    const int16_t *weights = windows->weights;
    for (size_t x = 0; x < windows->count; x++, weights += taps) {
        const size_t start = (size_t)windows->starts[x] * 4;
        const uint8_t *p0 = rows[0] + start, *p1 = rows[1] + start, *p2 = rows[2] + start, *p3 = rows[3] + start;
        __m256i w = four_of(weights);
        __m256i s0 = _mm256_madd_epi16(pairs_u8(p0), w), s1 = _mm256_madd_epi16(pairs_u8(p1), w);
        __m256i s2 = _mm256_madd_epi16(pairs_u8(p2), w), s3 = _mm256_madd_epi16(pairs_u8(p3), w);
        for (size_t k = 4; k < taps; k += 4) {
            w = four_of(weights + k);
            s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(pairs_u8(p0 + k * 4), w));
            s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(pairs_u8(p1 + k * 4), w));
            s2 = _mm256_add_epi32(s2, _mm256_madd_epi16(pairs_u8(p2 + k * 4), w));
            s3 = _mm256_add_epi32(s3, _mm256_madd_epi16(pairs_u8(p3 + k * 4), w));
        }
        __m256i first = _mm256_srai_epi32(_mm256_add_epi32(folded(s0, s1), half), 8);
        __m256i second = _mm256_srai_epi32(_mm256_add_epi32(folded(s2, s3), half), 8);
        __m256i v = _mm256_packs_epi32(first, second);
        __m128i even = _mm256_castsi256_si128(v), odd = _mm256_extracti128_si256(v, 1);
        _mm_storel_epi64((__m128i *)(outs[0] + x * 4), even);
        _mm_storel_epi64((__m128i *)(outs[1] + x * 4), odd);
        _mm_storel_epi64((__m128i *)(outs[2] + x * 4), _mm_unpackhi_epi64(even, even));
        _mm_storel_epi64((__m128i *)(outs[3] + x * 4), _mm_unpackhi_epi64(odd, odd));
    }
}

AVX2 static void horizontal_u8(int16_t *const *outs, const uint8_t *const *rows, size_t count, const gannet_windows *windows) {
    if (count == 4) {
        four_rows(outs, rows, windows);
        return;
    }
    for (size_t row = 0; row < count; row++) {
        const int16_t *weights = windows->weights;
        int16_t *out = outs[row];
        for (size_t x = 0; x < windows->count; x++, out += 4, weights += windows->taps) {
            const uint8_t *pixels = rows[row] + (size_t)windows->starts[x] * 4;
            __m256i wide = _mm256_madd_epi16(pairs_u8(pixels), four_of(weights));
            for (size_t k = 4; k < windows->taps; k += 4)
                wide = _mm256_add_epi32(wide, _mm256_madd_epi16(pairs_u8(pixels + k * 4), four_of(weights + k)));
            __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
            sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(128)), 8);
            _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(sum, sum));
        }
    }
}

AVX2 static void horizontal_i16(int16_t *out, const int16_t *row, const gannet_windows *windows) {
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        __m256i wide = _mm256_setzero_si256();
        for (size_t k = 0; k < windows->taps; k += 4) {
            __m256i v = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(pixels + k * 4)), pairs);
            wide = _mm256_add_epi32(wide, _mm256_madd_epi16(v, four_of(weights + k)));
        }
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
        sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(8192)), 14);
        _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(sum, sum));
    }
}

/// 16 samples of two rows, weighted and added.
AVX2 static inline void add_pair(__m256i *low, __m256i *high, const int16_t *first, const int16_t *second, __m256i w) {
    __m256i a = _mm256_loadu_si256((const __m256i *)first), b = _mm256_loadu_si256((const __m256i *)second);
    *low = _mm256_add_epi32(*low, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w));
    *high = _mm256_add_epi32(*high, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w));
}

AVX2 static void vertical_i16(uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    const __m256i alphas = _mm256_setr_epi8(
        3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        __m256i s0 = _mm256_set1_epi32(1 << 19), s1 = s0, s2 = s0, s3 = s0;
        for (size_t k = 0; k < taps; k += 2) {
            __m256i w = pair_of(weights, k);
            add_pair(&s0, &s1, rows[k] + i, rows[k + 1] + i, w);
            add_pair(&s2, &s3, rows[k] + i + 16, rows[k + 1] + i + 16, w);
        }
        __m256i first = _mm256_packs_epi32(_mm256_srai_epi32(s0, 20), _mm256_srai_epi32(s1, 20));
        __m256i second = _mm256_packs_epi32(_mm256_srai_epi32(s2, 20), _mm256_srai_epi32(s3, 20));
        __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xD8);
        bytes = _mm256_min_epu8(bytes, _mm256_shuffle_epi8(bytes, alphas));
        _mm256_storeu_si256((__m256i *)(out + i), bytes);
    }
    vertical_i16_from(i, out, rows, weights, taps, samples);
}

AVX2 static void horizontal_u16(float *out, const uint16_t *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}
AVX2 static void vertical_u16(uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}

extern const gannet_resample_kernels gannet_resample_avx2;
const gannet_resample_kernels gannet_resample_avx2 = {
    box_sum_rows, box_add_row, box_finish, horizontal_u8, horizontal_i16, vertical_i16, horizontal_u16, vertical_u16,
};
#endif
