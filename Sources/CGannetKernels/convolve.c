// Pixels at the same distance have the same weight: they are added before they are multiplied, which halves the work.
#include "gannet_convolve.h"
#include "vectors.h"
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE int32_t limited(int32_t v, int32_t top) { return v < 0 ? 0 : v > top ? top : v; }

INLINE void vertical_from(
    size_t i, int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t reach, size_t samples) {
    for (; i < samples; i++) {
        int32_t sum = 128 + rows[reach][i] * weights[0];
        for (size_t k = 1; k <= reach; k++) sum += (rows[reach - k][i] + rows[reach + k][i]) * weights[k];
        out[i] = (int16_t)(sum >> 8);
    }
}

INLINE void horizontal_from(size_t i, uint8_t *out, const int16_t *row, const int16_t *weights, size_t reach, size_t samples) {
    for (; i < samples; i += 4) {
        int32_t sum[4];
        for (size_t c = 0; c < 4; c++) {
            const int16_t *here = row + i + c;
            sum[c] = (1 << 19) + here[0] * weights[0];
            for (size_t k = 1; k <= reach; k++) sum[c] += (*(here - k * 4) + here[k * 4]) * weights[k];
        }
        int32_t alpha = limited(sum[3] >> 20, 255);
        for (size_t c = 0; c < 3; c++) out[i + c] = (uint8_t)limited(sum[c] >> 20, alpha);
        out[i + 3] = (uint8_t)alpha;
    }
}

static void vertical_plain(int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t reach, size_t samples) {
    vertical_from(0, out, rows, weights, reach, samples);
}
static void horizontal_plain(uint8_t *out, const int16_t *row, const int16_t *weights, size_t reach, size_t samples) {
    horizontal_from(0, out, row, weights, reach, samples);
}
static const gannet_convolve_kernels plain = {vertical_plain, horizontal_plain};

#if GANNET_X86
#define AVX2 __attribute__((target("avx2")))

/// The weights at distances `k` and `k + 1` in turns.
AVX2 static inline __m256i pair_of(int16_t first, int16_t second) {
    return _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
}

/// 32 bytes of two rows, added; numbers of the lower halves of both lanes, then of the upper ones.
AVX2 static inline void byte_sums(__m256i *low, __m256i *high, const uint8_t *a, const uint8_t *b) {
    const __m256i ones = _mm256_set1_epi8(1);
    __m256i first = _mm256_loadu_si256((const __m256i *)a), second = _mm256_loadu_si256((const __m256i *)b);
    *low = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(first, second), ones);
    *high = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(first, second), ones);
}

AVX2 static inline void weigh(__m256i sums[2], __m256i a, __m256i b, __m256i w) {
    sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w));
    sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w));
}

AVX2 static void vertical_avx2(int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t reach, size_t samples) {
    const __m256i zero = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        const __m256i half = _mm256_set1_epi32(128);
        __m256i low[2] = {half, half}, high[2] = {half, half};
        __m256i own = _mm256_loadu_si256((const __m256i *)(rows[reach] + i));
        __m256i a = _mm256_unpacklo_epi8(own, zero), b = _mm256_unpackhi_epi8(own, zero);
        for (size_t k = 0; k <= reach; k += 2) {
            // Distances k and k + 1; pixels beyond the reach have weight 0.
            __m256i c = zero, d = zero;
            if (k > 0) byte_sums(&a, &b, rows[reach - k] + i, rows[reach + k] + i);
            if (k < reach) byte_sums(&c, &d, rows[reach - k - 1] + i, rows[reach + k + 1] + i);
            __m256i w = pair_of(weights[k], k < reach ? weights[k + 1] : 0);
            weigh(low, a, c, w);
            weigh(high, b, d, w);
        }
        __m256i first = _mm256_packs_epi32(_mm256_srai_epi32(low[0], 8), _mm256_srai_epi32(low[1], 8));
        __m256i second = _mm256_packs_epi32(_mm256_srai_epi32(high[0], 8), _mm256_srai_epi32(high[1], 8));
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_permute2x128_si256(first, second, 0x20));
        _mm256_storeu_si256((__m256i *)(out + i + 16), _mm256_permute2x128_si256(first, second, 0x31));
    }
    vertical_from(i, out, rows, weights, reach, samples);
}

/// 16 numbers on both sides of a place, added: at most 2 · 16320, which fits.
AVX2 static inline __m256i number_sums(const int16_t *here, size_t distance) {
    return _mm256_add_epi16(
        _mm256_loadu_si256((const __m256i *)(here - distance * 4)), _mm256_loadu_si256((const __m256i *)(here + distance * 4)));
}

AVX2 static inline __m256i along(const int16_t *here, const int16_t *weights, size_t reach) {
    const __m256i half = _mm256_set1_epi32(1 << 19);
    __m256i sums[2] = {half, half};
    __m256i a = _mm256_loadu_si256((const __m256i *)here);
    for (size_t k = 0; k <= reach; k += 2) {
        if (k > 0) a = number_sums(here, k);
        __m256i b = k < reach ? number_sums(here, k + 1) : _mm256_setzero_si256();
        weigh(sums, a, b, pair_of(weights[k], k < reach ? weights[k + 1] : 0));
    }
    return _mm256_packs_epi32(_mm256_srai_epi32(sums[0], 20), _mm256_srai_epi32(sums[1], 20));
}

AVX2 static void horizontal_avx2(uint8_t *out, const int16_t *row, const int16_t *weights, size_t reach, size_t samples) {
    const __m256i alphas = _mm256_setr_epi8(
        3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        __m256i bytes = _mm256_packus_epi16(along(row + i, weights, reach), along(row + i + 16, weights, reach));
        bytes = _mm256_permute4x64_epi64(bytes, 0xD8);
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_min_epu8(bytes, _mm256_shuffle_epi8(bytes, alphas)));
    }
    horizontal_from(i, out, row, weights, reach, samples);
}

static const gannet_convolve_kernels avx2 = {vertical_avx2, horizontal_avx2};
#elif GANNET_NEON

/// Adds four products to each of four sums. Weights are not negative, and neither are sums of two bytes.
static inline void weigh(uint32x4_t sums[4], uint16x8_t low, uint16x8_t high, uint16_t weight) {
    sums[0] = vmlal_n_u16(sums[0], vget_low_u16(low), weight);
    sums[1] = vmlal_high_n_u16(sums[1], low, weight);
    sums[2] = vmlal_n_u16(sums[2], vget_low_u16(high), weight);
    sums[3] = vmlal_high_n_u16(sums[3], high, weight);
}

static void vertical_neon(int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t reach, size_t samples) {
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        const uint32x4_t half = vdupq_n_u32(128);
        uint32x4_t sums[4] = {half, half, half, half};
        uint8x16_t own = vld1q_u8(rows[reach] + i);
        weigh(sums, vmovl_u8(vget_low_u8(own)), vmovl_high_u8(own), (uint16_t)weights[0]);
        for (size_t k = 1; k <= reach; k++) {
            uint8x16_t above = vld1q_u8(rows[reach - k] + i), below = vld1q_u8(rows[reach + k] + i);
            uint16x8_t low = vaddl_u8(vget_low_u8(above), vget_low_u8(below)), high = vaddl_high_u8(above, below);
            weigh(sums, low, high, (uint16_t)weights[k]);
        }
        uint16x8_t first = vcombine_u16(vshrn_n_u32(sums[0], 8), vshrn_n_u32(sums[1], 8));
        uint16x8_t second = vcombine_u16(vshrn_n_u32(sums[2], 8), vshrn_n_u32(sums[3], 8));
        vst1q_s16(out + i, vreinterpretq_s16_u16(first));
        vst1q_s16(out + i + 8, vreinterpretq_s16_u16(second));
    }
    vertical_from(i, out, rows, weights, reach, samples);
}

static inline int16x8_t along(const int16_t *here, const int16_t *weights, size_t reach) {
    int16x8_t v = vld1q_s16(here);
    int32x4_t low = vmlal_n_s16(vdupq_n_s32(1 << 19), vget_low_s16(v), weights[0]);
    int32x4_t high = vmlal_high_n_s16(vdupq_n_s32(1 << 19), v, weights[0]);
    for (size_t k = 1; k <= reach; k++) {
        // At most 2 · 16320, which fits.
        v = vaddq_s16(vld1q_s16(here - k * 4), vld1q_s16(here + k * 4));
        low = vmlal_n_s16(low, vget_low_s16(v), weights[k]);
        high = vmlal_high_n_s16(high, v, weights[k]);
    }
    return vcombine_s16(vqmovn_s32(vshrq_n_s32(low, 20)), vqmovn_s32(vshrq_n_s32(high, 20)));
}

static void horizontal_neon(uint8_t *out, const int16_t *row, const int16_t *weights, size_t reach, size_t samples) {
    const uint8x8_t alphas = vcreate_u8(0x0707070703030303u);
    size_t i = 0;
    for (; i + 8 <= samples; i += 8) {
        uint8x8_t bytes = vqmovun_s16(along(row + i, weights, reach));
        vst1_u8(out + i, vmin_u8(bytes, vtbl1_u8(bytes, alphas)));
    }
    horizontal_from(i, out, row, weights, reach, samples);
}

static const gannet_convolve_kernels neon = {vertical_neon, horizontal_neon};
#endif

const gannet_convolve_kernels *gannet_convolve_at(int level) {
#if GANNET_X86
    if (level == gannet_level_avx2) return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
    return &plain;  // Compilers make SSE2 of it.
#elif GANNET_NEON
    return level == gannet_level_neon ? &neon : &plain;
#else
    (void)level;
    return &plain;
#endif
}
