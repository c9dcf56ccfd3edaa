// Chosen at run time, where a processor has the extensions of Ice Lake and Zen 4. Those before them lower their clock for registers
// of 512 bits, and have no VNNI, which multiplies pairs and adds them to a sum in one instruction.
#include "vectors.h"

#if GANNET_X86
#include "resample_plain.h"
#include <string.h>

#define AVX512 __attribute__((target("avx2,fma,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni")))

AVX512 static void box_add_row(uint16_t *sums, const uint8_t *row, size_t samples) {
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        __m512i bytes = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(row + i)));
        _mm512_storeu_si512(sums + i, _mm512_add_epi16(_mm512_loadu_si512(sums + i), bytes));
    }
    box_add_row_from(i, sums, row, samples);
}

AVX512 static void box_sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples) {
    size_t i = 0;
    for (; i + 64 <= samples; i += 64) {
        __m512i low = _mm512_setzero_si512(), high = low;
        const uint8_t *p = rows + i;
        for (size_t k = 0; k < count; k++, p += stride) {
            low = _mm512_add_epi16(low, _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)p)));
            high = _mm512_add_epi16(high, _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(p + 32))));
        }
        _mm512_storeu_si512(sums + i, low);
        _mm512_storeu_si512(sums + i + 32, high);
    }
    box_sum_rows_from(i, sums, rows, stride, count, samples);
}

AVX512 static void box_finish(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows) {
    for (size_t x = 0; x < width; x += factor, out += 4) {
        size_t count = width - x < factor ? width - x : factor;
        const uint16_t *pixels = sums + x * 4;
        __m512i wide = _mm512_setzero_si512();
        size_t k = 0;
        for (; k + 4 <= count; k += 4)
            wide = _mm512_add_epi32(wide, _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(pixels + k * 4))));
        const __mmask16 rest = (__mmask16)((1u << 4 * (count - k)) - 1);
        wide = _mm512_add_epi32(wide, _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(rest, pixels + k * 4)));
        __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(wide), _mm512_extracti64x4_epi64(wide, 1));
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        // Multiplied and added apart, as the other levels do, so that every level gives the same number.
        __m128 scaled = _mm_mul_ps(_mm_cvtepi32_ps(sum), _mm_set1_ps(64.0f / (float)(count * rows)));
        __m128i mean = _mm_cvttps_epi32(_mm_add_ps(scaled, _mm_set1_ps(0.5f)));
        _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(mean, mean));
    }
}

AVX512 static inline __m512i pair_of(const int16_t *weights) {
    int32_t pair;
    memcpy(&pair, weights, sizeof pair);
    return _mm512_set1_epi32(pair);
}

AVX512 static inline __m512i four_lanes(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d) {
    __m256i low = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)a));
    __m256i high = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)c));
    low = _mm256_inserti128_si256(low, _mm_loadu_si128((const __m128i *)b), 1);
    high = _mm256_inserti128_si256(high, _mm_loadu_si128((const __m128i *)d), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// The sums of four rows, a lane each, as 8.6.
AVX512 static inline void store_lanes(int16_t *const *outs, size_t x, __m512i sums) {
    __m256i v = _mm512_cvtsepi32_epi16(_mm512_srai_epi32(sums, 8));
    __m128i first = _mm256_castsi256_si128(v), second = _mm256_extracti128_si256(v, 1);
    _mm_storel_epi64((__m128i *)(outs[0] + x * 4), first);
    _mm_storeh_pd((double *)(outs[1] + x * 4), _mm_castsi128_pd(first));
    _mm_storel_epi64((__m128i *)(outs[2] + x * 4), second);
    _mm_storeh_pd((double *)(outs[3] + x * 4), _mm_castsi128_pd(second));
}

/// Windows of four pixels, as enlargements have them: a lane for each row, so that nothing is left to add.
AVX512 static void four_rows_of_four(int16_t *const *outs, const uint8_t *const *rows, const gannet_windows *windows) {
    const __m512i first = _mm512_broadcast_i32x4(_mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
    const __m512i second = _mm512_broadcast_i32x4(_mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1));
    const int16_t *weights = windows->weights;
    for (size_t x = 0; x < windows->count; x++, weights += 4) {
        const size_t start = (size_t)windows->starts[x] * 4;
        __m512i pixels = four_lanes(rows[0] + start, rows[1] + start, rows[2] + start, rows[3] + start);
        __m512i sums = _mm512_dpwssd_epi32(_mm512_set1_epi32(128), _mm512_shuffle_epi8(pixels, first), pair_of(weights));
        store_lanes(outs, x, _mm512_dpwssd_epi32(sums, _mm512_shuffle_epi8(pixels, second), pair_of(weights + 2)));
    }
}

/// Weights of eight neighbouring pixels, as four pairs for four channels each; with `count` 4 those of the last four are 0.
AVX512 static inline __m512i eight_of(const int16_t *weights, size_t count) {
    const __m512i spread = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m128i pairs = count < 8 ? _mm_loadl_epi64((const __m128i *)weights) : _mm_loadu_si128((const __m128i *)weights);
    return _mm512_permutexvar_epi32(spread, _mm512_castsi128_si512(pairs));
}

/// Eight neighbouring pixels become eight pairs of bytes of equal channels each, widened.
AVX512 static inline __m512i widened(__m256i pixels) {
    const __m512i pairs = _mm512_set_epi32(
        0x001f001b, 0x001e001a, 0x001d0019, 0x001c0018, 0x00170013, 0x00160012, 0x00150011, 0x00140010, 0x000f000b, 0x000e000a,
        0x000d0009, 0x000c0008, 0x00070003, 0x00060002, 0x00050001, 0x00040000);
    return _mm512_maskz_permutexvar_epi8(0x5555555555555555, pairs, _mm512_castsi256_si512(pixels));
}

AVX512 static inline __m512i pairs_u8(const uint8_t *pixels) { return widened(_mm256_loadu_si256((const __m256i *)pixels)); }
AVX512 static inline __m512i last_pairs_u8(const uint8_t *pixels) {
    return widened(_mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)pixels)));
}

/// Sums of the two halves of `a` and of `b`, side by side.
AVX512 static inline __m512i halves(__m512i a, __m512i b) {
    return _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(a, b, 0xEE));
}

AVX512 static void four_rows(int16_t *const *outs, const uint8_t *const *rows, const gannet_windows *windows) {
    const size_t taps = windows->taps;
    const int16_t *weights = windows->weights;
    for (size_t x = 0; x < windows->count; x++, weights += taps) {
        const size_t start = (size_t)windows->starts[x] * 4;
        const uint8_t *p0 = rows[0] + start, *p1 = rows[1] + start, *p2 = rows[2] + start, *p3 = rows[3] + start;
        __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0;
        size_t k = 0;
        for (; k + 8 <= taps; k += 8) {
            __m512i w = eight_of(weights + k, 8);
            s0 = _mm512_dpwssd_epi32(s0, pairs_u8(p0 + k * 4), w);
            s1 = _mm512_dpwssd_epi32(s1, pairs_u8(p1 + k * 4), w);
            s2 = _mm512_dpwssd_epi32(s2, pairs_u8(p2 + k * 4), w);
            s3 = _mm512_dpwssd_epi32(s3, pairs_u8(p3 + k * 4), w);
        }
        if (k < taps) {
            __m512i w = eight_of(weights + k, 4);
            s0 = _mm512_dpwssd_epi32(s0, last_pairs_u8(p0 + k * 4), w);
            s1 = _mm512_dpwssd_epi32(s1, last_pairs_u8(p1 + k * 4), w);
            s2 = _mm512_dpwssd_epi32(s2, last_pairs_u8(p2 + k * 4), w);
            s3 = _mm512_dpwssd_epi32(s3, last_pairs_u8(p3 + k * 4), w);
        }
        __m512i a = halves(s0, s1), b = halves(s2, s3);
        __m512i sums = _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xDD));
        store_lanes(outs, x, _mm512_add_epi32(sums, _mm512_set1_epi32(128)));
    }
}

/// The sum of the four lanes, rounded and shifted, as 8.6.
#define STORE_LANES_ADDED(out, wide, rounding, shift)                                                                          \
    do {                                                                                                                       \
        __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(wide), _mm512_extracti64x4_epi64(wide, 1));                     \
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));                          \
        sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(rounding)), shift);                                             \
        _mm_storel_epi64((__m128i *)(out), _mm_packs_epi32(sum, sum));                                                         \
    } while (0)

AVX512 static void horizontal_u8(int16_t *const *outs, const uint8_t *const *rows, size_t count, const gannet_windows *windows) {
    if (count == 4) {
        if (windows->taps == 4) four_rows_of_four(outs, rows, windows);
        else four_rows(outs, rows, windows);
        return;
    }
    for (size_t row = 0; row < count; row++) {
        const int16_t *weights = windows->weights;
        int16_t *out = outs[row];
        for (size_t x = 0; x < windows->count; x++, out += 4, weights += windows->taps) {
            const uint8_t *pixels = rows[row] + (size_t)windows->starts[x] * 4;
            __m512i wide = _mm512_setzero_si512();
            size_t k = 0;
            for (; k + 8 <= windows->taps; k += 8)
                wide = _mm512_dpwssd_epi32(wide, pairs_u8(pixels + k * 4), eight_of(weights + k, 8));
            if (k < windows->taps) wide = _mm512_dpwssd_epi32(wide, last_pairs_u8(pixels + k * 4), eight_of(weights + k, 4));
            STORE_LANES_ADDED(out, wide, 128, 8);
        }
    }
}

AVX512 static void horizontal_i16(int16_t *out, const int16_t *row, const gannet_windows *windows) {
    const __m512i pairs = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        __m512i wide = _mm512_setzero_si512();
        size_t k = 0;
        for (; k + 8 <= windows->taps; k += 8) {
            __m512i v = _mm512_shuffle_epi8(_mm512_loadu_si512(pixels + k * 4), pairs);
            wide = _mm512_dpwssd_epi32(wide, v, eight_of(weights + k, 8));
        }
        if (k < windows->taps) {
            __m512i v = _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)(pixels + k * 4)));
            wide = _mm512_dpwssd_epi32(wide, _mm512_shuffle_epi8(v, pairs), eight_of(weights + k, 4));
        }
        STORE_LANES_ADDED(out, wide, 8192, 14);
    }
}

/// 32 samples of two rows, weighted and added.
AVX512 static inline void add_pair(__m512i *low, __m512i *high, const int16_t *first, const int16_t *second, __m512i w) {
    __m512i a = _mm512_loadu_si512(first), b = _mm512_loadu_si512(second);
    *low = _mm512_dpwssd_epi32(*low, _mm512_unpacklo_epi16(a, b), w);
    *high = _mm512_dpwssd_epi32(*high, _mm512_unpackhi_epi16(a, b), w);
}

AVX512 static void vertical_i16(uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    const __m512i alphas = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    if (samples < 64) {
        vertical_i16_from(0, out, rows, weights, taps, samples);
        return;
    }
    for (size_t i = 0; i < samples; i += 64) {
        // The last ones are made with some before them, a second time.
        if (i + 64 > samples) i = samples - 64;
        __m512i s0 = _mm512_set1_epi32(1 << 19), s1 = s0, s2 = s0, s3 = s0;
        for (size_t k = 0; k < taps; k += 2) {
            __m512i w = pair_of(weights + k);
            add_pair(&s0, &s1, rows[k] + i, rows[k + 1] + i, w);
            add_pair(&s2, &s3, rows[k] + i + 32, rows[k + 1] + i + 32, w);
        }
        __m512i first = _mm512_packs_epi32(_mm512_srai_epi32(s0, 20), _mm512_srai_epi32(s1, 20));
        __m512i second = _mm512_packs_epi32(_mm512_srai_epi32(s2, 20), _mm512_srai_epi32(s3, 20));
        __m512i bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(first, second));
        _mm512_storeu_si512(out + i, _mm512_min_epu8(bytes, _mm512_shuffle_epi8(bytes, alphas)));
    }
}

AVX512 static void horizontal_u16(float *out, const uint16_t *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}
AVX512 static void vertical_u16(uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}

extern const gannet_resample_kernels gannet_resample_avx512;
const gannet_resample_kernels gannet_resample_avx512 = {
    box_sum_rows, box_add_row, box_finish, horizontal_u8, horizontal_i16, vertical_i16, horizontal_u16, vertical_u16,
};
#endif
