// Chosen at run time; the attribute lets the compiler use AVX2 and FMA in these functions alone.
#if defined(__x86_64__)
#include "resample_plain.h"
#include <immintrin.h>
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

AVX2 static void vertical_u8(int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    const __m256i zero = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        __m256i s0 = _mm256_set1_epi32(128), s1 = s0, s2 = s0, s3 = s0;
        for (size_t k = 0; k < taps; k += 2) {
            __m256i a = _mm256_loadu_si256((const __m256i *)(rows[k] + i));
            __m256i b = _mm256_loadu_si256((const __m256i *)(rows[k + 1] + i));
            __m256i w = pair_of(weights, k);
            __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
            s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), w));
            s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), w));
            s2 = _mm256_add_epi32(s2, _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), w));
            s3 = _mm256_add_epi32(s3, _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), w));
        }
        __m256i first = _mm256_packs_epi32(_mm256_srai_epi32(s0, 8), _mm256_srai_epi32(s1, 8));
        __m256i second = _mm256_packs_epi32(_mm256_srai_epi32(s2, 8), _mm256_srai_epi32(s3, 8));
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_permute2x128_si256(first, second, 0x20));
        _mm256_storeu_si256((__m256i *)(out + i + 16), _mm256_permute2x128_si256(first, second, 0x31));
    }
    vertical_u8_from(i, out, rows, weights, taps, samples);
}

AVX2 static void vertical_i16(int16_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        __m256i s0 = _mm256_set1_epi32(8192), s1 = s0;
        for (size_t k = 0; k < taps; k += 2) {
            __m256i a = _mm256_loadu_si256((const __m256i *)(rows[k] + i));
            __m256i b = _mm256_loadu_si256((const __m256i *)(rows[k + 1] + i));
            __m256i w = pair_of(weights, k);
            s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w));
            s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w));
        }
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_packs_epi32(_mm256_srai_epi32(s0, 14), _mm256_srai_epi32(s1, 14)));
    }
    vertical_i16_from(i, out, rows, weights, taps, samples);
}

AVX2 static void horizontal_u8(uint8_t *out, const int16_t *row, const gannet_windows *windows) {
    // Two neighbouring pixels become four pairs of equal channels, which is what a multiply-and-add of pairs wants.
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        __m256i wide = _mm256_setzero_si256();
        for (size_t k = 0; k < windows->taps; k += 4) {
            __m256i v = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(pixels + k * 4)), pairs);
            __m256i w = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)(weights + k)));
            wide = _mm256_add_epi32(wide, _mm256_madd_epi16(v, _mm256_permutevar8x32_epi32(w, spread)));
        }
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
        sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << 19)), 20);
        __m128i bytes = _mm_packs_epi32(sum, sum);
        bytes = _mm_packus_epi16(bytes, bytes);
        bytes = _mm_min_epu8(bytes, _mm_shuffle_epi8(bytes, _mm_set1_epi8(3)));
        uint32_t pixel = (uint32_t)_mm_cvtsi128_si32(bytes);
        memcpy(out, &pixel, 4);
    }
}

AVX2 static void vertical_u16(float *out, const uint16_t *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}
AVX2 static void horizontal_u16(uint16_t *out, const float *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}

extern const gannet_resample_kernels gannet_resample_avx2;
const gannet_resample_kernels gannet_resample_avx2 = {
    box_sum_rows, box_add_row, box_finish, vertical_u8, vertical_i16, horizontal_u8, vertical_u16, horizontal_u16,
};
#endif
