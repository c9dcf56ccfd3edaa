#include "png_unfilter.h"
#include "vectors.h"
#include <string.h>
#if GANNET_X86
#define AVX __attribute__((target("avx2")))
#endif

// Rows are processed forwards and may be written before input that is still to be read, so no pointer here is `restrict`.

static void rgb8_plain(uint8_t *to, const uint8_t *from, size_t pixels) {
    for (size_t i = 0; i < pixels; i++) {
        uint8_t r = from[i * 3], g = from[i * 3 + 1], b = from[i * 3 + 2];
        to[i * 4] = r;
        to[i * 4 + 1] = g;
        to[i * 4 + 2] = b;
        to[i * 4 + 3] = 255;
    }
}

static inline uint8_t by255(unsigned product) {
    unsigned t = product + 128;
    return (uint8_t)((t + (t >> 8)) >> 8);
}

static void premultiply8_plain(uint8_t *to, const uint8_t *from, size_t pixels) {
    for (size_t i = 0; i < pixels; i++) {
        unsigned r = from[i * 4], g = from[i * 4 + 1], b = from[i * 4 + 2], a = from[i * 4 + 3];
        to[i * 4] = by255(r * a);
        to[i * 4 + 1] = by255(g * a);
        to[i * 4 + 2] = by255(b * a);
        to[i * 4 + 3] = (uint8_t)a;
    }
}

#if GANNET_X86
AVX static void rgb8_avx(uint8_t *to, const uint8_t *from, size_t pixels) {
    const __m256i spread = _mm256_setr_epi8(
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m256i alpha = _mm256_set1_epi32((int)0xFF000000);
    size_t i = 0;
    // Eight pixels: 24 bytes are used, 28 are read, so two pixels more must lie behind them.
    for (; i + 10 <= pixels; i += 8) {
        __m128i low = _mm_loadu_si128((const __m128i *)(from + i * 3));
        __m128i high = _mm_loadu_si128((const __m128i *)(from + i * 3 + 12));
        __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        _mm256_storeu_si256((__m256i *)(to + i * 4), _mm256_or_si256(_mm256_shuffle_epi8(both, spread), alpha));
    }
    rgb8_plain(to + i * 4, from + i * 3, pixels - i);
}

AVX static inline __m256i premultiply_half(__m256i px) {
    const __m256i alphas = _mm256_setr_epi8(
        6, -1, 6, -1, 6, -1, -1, -1, 14, -1, 14, -1, 14, -1, -1, -1, 6, -1, 6, -1, 6, -1, -1, -1, 14, -1, 14, -1, 14, -1, -1, -1);
    // Alpha times 255 divided by 255 is alpha itself.
    const __m256i full = _mm256_set1_epi64x(0x00FF000000000000LL);
    __m256i a = _mm256_or_si256(_mm256_shuffle_epi8(px, alphas), full);
    __m256i t = _mm256_add_epi16(_mm256_mullo_epi16(px, a), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(t, _mm256_srli_epi16(t, 8)), 8);
}

AVX static void premultiply8_avx(uint8_t *to, const uint8_t *from, size_t pixels) {
    const __m256i zero = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= pixels; i += 8) {
        __m256i px = _mm256_loadu_si256((const __m256i *)(from + i * 4));
        __m256i low = premultiply_half(_mm256_unpacklo_epi8(px, zero));
        __m256i high = premultiply_half(_mm256_unpackhi_epi8(px, zero));
        _mm256_storeu_si256((__m256i *)(to + i * 4), _mm256_packus_epi16(low, high));
    }
    premultiply8_plain(to + i * 4, from + i * 4, pixels - i);
}
#elif GANNET_NEON
static void rgb8_neon(uint8_t *to, const uint8_t *from, size_t pixels) {
    size_t i = 0;
    for (; i + 16 <= pixels; i += 16) {
        uint8x16x3_t rgb = vld3q_u8(from + i * 3);
        uint8x16x4_t rgba = {{rgb.val[0], rgb.val[1], rgb.val[2], vdupq_n_u8(255)}};
        vst4q_u8(to + i * 4, rgba);
    }
    rgb8_plain(to + i * 4, from + i * 3, pixels - i);
}

static inline uint8x8_t times(uint8x8_t color, uint8x8_t alpha) {
    uint16x8_t t = vaddq_u16(vmull_u8(color, alpha), vdupq_n_u16(128));
    return vaddhn_u16(t, vshrq_n_u16(t, 8));
}

static void premultiply8_neon(uint8_t *to, const uint8_t *from, size_t pixels) {
    size_t i = 0;
    for (; i + 8 <= pixels; i += 8) {
        uint8x8x4_t px = vld4_u8(from + i * 4);
        for (int c = 0; c < 3; c++) px.val[c] = times(px.val[c], px.val[3]);
        vst4_u8(to + i * 4, px);
    }
    premultiply8_plain(to + i * 4, from + i * 4, pixels - i);
}
#endif

void gannet_png_expand_rgb8(uint8_t *to, const uint8_t *from, size_t pixels) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        rgb8_avx(to, from, pixels);
        return;
    }
    rgb8_plain(to, from, pixels);
#elif GANNET_NEON
    rgb8_neon(to, from, pixels);
#else
    rgb8_plain(to, from, pixels);
#endif
}

void gannet_png_expand_rgb8_key(uint8_t *to, const uint8_t *from, size_t pixels, uint8_t red, uint8_t green, uint8_t blue) {
    for (size_t i = 0; i < pixels; i++) {
        uint8_t r = from[i * 3], g = from[i * 3 + 1], b = from[i * 3 + 2];
        to[i * 4] = r;
        to[i * 4 + 1] = g;
        to[i * 4 + 2] = b;
        to[i * 4 + 3] = r == red && g == green && b == blue ? 0 : 255;
    }
}

void gannet_png_expand_gray_alpha8(uint8_t *to, const uint8_t *from, size_t pixels) {
    for (size_t i = 0; i < pixels; i++) {
        uint32_t gray = from[i * 2];
        uint8_t alpha = from[i * 2 + 1];
        to[i * 4] = (uint8_t)gray;
        to[i * 4 + 1] = (uint8_t)gray;
        to[i * 4 + 2] = (uint8_t)gray;
        to[i * 4 + 3] = alpha;
    }
}

static inline void put(uint8_t *to, uint32_t pixel) { memcpy(to, &pixel, 4); }

void gannet_png_expand_table(uint8_t *to, const uint8_t *from, size_t pixels, unsigned depth, const uint32_t *table) {
    if (depth == 8) {
        size_t i = 0;
        for (; i + 4 <= pixels; i += 4) {
            uint32_t quad[4] = {table[from[i]], table[from[i + 1]], table[from[i + 2]], table[from[i + 3]]};
            memcpy(to + i * 4, quad, 16);
        }
        for (; i < pixels; i++) put(to + i * 4, table[from[i]]);
        return;
    }
    const unsigned per_byte = 8 / depth;
    const unsigned mask = (1u << depth) - 1;
    size_t i = 0;
    while (i < pixels) {
        unsigned bits = *from++;
        size_t here = pixels - i < per_byte ? pixels - i : per_byte;
        for (size_t k = 0; k < here; k++) put(to + (i + k) * 4, table[(bits >> (8 - depth * (k + 1))) & mask]);
        i += here;
    }
}

static inline uint16_t big(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }

void gannet_png_expand_16(
    uint16_t *to, const uint8_t *from, size_t pixels, unsigned channels, _Bool has_key, const uint16_t *key) {
    for (size_t i = 0; i < pixels; i++, to += 4) {
        const uint8_t *p = from + i * channels * 2;
        if (channels <= 2) {
            uint16_t gray = big(p);
            to[0] = to[1] = to[2] = gray;
            to[3] = channels == 2 ? big(p + 2) : has_key && gray == key[0] ? 0 : 65535;
        } else {
            uint16_t r = big(p), g = big(p + 2), b = big(p + 4);
            to[0] = r;
            to[1] = g;
            to[2] = b;
            to[3] = channels == 4 ? big(p + 6) : has_key && r == key[0] && g == key[1] && b == key[2] ? 0 : 65535;
        }
    }
}

void gannet_png_narrow(uint8_t *to, const uint16_t *from, size_t samples, _Bool rounds) {
    if (rounds)
        for (size_t i = 0; i < samples; i++) to[i] = (uint8_t)((from[i] * 255u + 32895u) >> 16);
    else
        for (size_t i = 0; i < samples; i++) to[i] = (uint8_t)(from[i] >> 8);
}

void gannet_png_premultiply8(uint8_t *to, const uint8_t *from, size_t pixels) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        premultiply8_avx(to, from, pixels);
        return;
    }
    premultiply8_plain(to, from, pixels);
#elif GANNET_NEON
    premultiply8_neon(to, from, pixels);
#else
    premultiply8_plain(to, from, pixels);
#endif
}

void gannet_png_premultiply16(uint16_t *row, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, row += 4) {
        uint32_t a = row[3];
        if (a == 65535) continue;
        for (unsigned k = 0; k < 3; k++) row[k] = (uint16_t)((row[k] * a + 32767u) / 65535u);
    }
}

void gannet_png_blend8(uint8_t *to, const uint8_t *from, size_t pixels, size_t step, _Bool blends) {
    if (!blends && step == 1) {
        memcpy(to, from, pixels * 4);
        return;
    }
    for (size_t i = 0; i < pixels; i++, to += step * 4, from += 4) {
        uint32_t alpha = from[3];
        if (!blends || alpha == 255 || (alpha != 0 && to[3] == 0)) {
            memcpy(to, from, 4);
        } else if (alpha != 0) {
            uint32_t over = alpha * 255;
            uint32_t under = (255 - alpha) * to[3];
            uint32_t sum = over + under;
            for (unsigned k = 0; k < 3; k++) to[k] = (uint8_t)((from[k] * over + to[k] * under) / sum);
            to[3] = (uint8_t)(sum / 255);
        }
    }
}

void gannet_png_blend16(void *target, const void *source, size_t pixels, size_t step, _Bool blends) {
    uint16_t *to = target;
    const uint16_t *from = source;
    for (size_t i = 0; i < pixels; i++, to += step * 4, from += 4) {
        uint64_t alpha = from[3];
        if (!blends || alpha == 65535 || (alpha != 0 && to[3] == 0)) {
            memcpy(to, from, 8);
        } else if (alpha != 0) {
            uint64_t over = alpha * 65535;
            uint64_t under = (65535 - alpha) * to[3];
            uint64_t sum = over + under;
            for (unsigned k = 0; k < 3; k++) to[k] = (uint16_t)((from[k] * over + to[k] * under) / sum);
            to[3] = (uint16_t)(sum / 65535);
        }
    }
}
