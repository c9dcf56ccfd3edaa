#include "png_unfilter.h"
#include "png_unfilter_neon.h"
#include "png_unfilter_wave.h"
#include "vectors.h"
#include <string.h>

// MARK: One row, plain C. Constant `bpp` after inlining: the compiler keeps the neighbours in registers.

static inline uint8_t paeth(int a, int b, int c) {
    // The neighbour nearest to a + b - c, in a form without absolute values: between the smaller and the larger of a
    // and b lies c's answer, outside the bounds one of the two.
    int threshold = 3 * c - (a + b);
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    int first = high <= threshold ? low : c;
    return (uint8_t)(threshold <= low ? high : first);
}

static inline void sub_row(uint8_t *row, size_t count, const unsigned bpp) {
    for (size_t i = bpp; i < count; i++) row[i] = (uint8_t)(row[i] + row[i - bpp]);
}

static inline void average_row(uint8_t *row, const uint8_t *prior, size_t count, const unsigned bpp) {
    size_t head = count < bpp ? count : bpp;
    for (size_t i = 0; i < head; i++) row[i] = (uint8_t)(row[i] + (prior[i] >> 1));
    for (size_t i = bpp; i < count; i++) row[i] = (uint8_t)(row[i] + ((row[i - bpp] + prior[i]) >> 1));
}

static inline void paeth_row(uint8_t *row, const uint8_t *prior, size_t count, const unsigned bpp) {
    size_t head = count < bpp ? count : bpp;
    for (size_t i = 0; i < head; i++) row[i] = (uint8_t)(row[i] + prior[i]);
    for (size_t i = bpp; i < count; i++) row[i] = (uint8_t)(row[i] + paeth(row[i - bpp], prior[i], prior[i - bpp]));
}

static inline void up_row(uint8_t *row, const uint8_t *prior, size_t count) {
    for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i] + prior[i]);
}

#define BY_PIXEL_SIZE(call)                                                                                                \
    switch (bytes_per_pixel) {                                                                                             \
    case 1: call(1); break;                                                                                                \
    case 2: call(2); break;                                                                                                \
    case 3: call(3); break;                                                                                                \
    case 4: call(4); break;                                                                                                \
    case 6: call(6); break;                                                                                                \
    default: call(8); break;                                                                                               \
    }

static _Bool row_plain(uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned filter) {
#define SUB(n) sub_row(row, count, n)
#define AVERAGE(n) average_row(row, prior, count, n)
#define PAETH(n) paeth_row(row, prior, count, n)
    switch (filter) {
    case 0: return 1;
    case 1: BY_PIXEL_SIZE(SUB) return 1;
    case 2: up_row(row, prior, count); return 1;
    case 3: BY_PIXEL_SIZE(AVERAGE) return 1;
    case 4: BY_PIXEL_SIZE(PAETH) return 1;
    default: return 0;
    }
#undef SUB
#undef AVERAGE
#undef PAETH
}

size_t gannet_png_unfilter_rows_plain(uint8_t *first, const uint8_t *prior, size_t count, size_t rows, unsigned bytes_per_pixel) {
    for (size_t y = 0; y < rows; y++) {
        uint8_t *row = first + y * (count + 1) + 1;
        if (!row_plain(row, prior, count, bytes_per_pixel, row[-1])) return y;
        prior = row;
    }
    return rows;
}

#if GANNET_X86
// MARK: One row, SSE4.1: a pixel a step. Loads and stores have the pixel's exact size.

#define SSE __attribute__((target("sse4.1")))
#define AVX __attribute__((target("avx2")))

SSE static inline __m128i load_pixel(const uint8_t *p, const unsigned bpp) {
    uint64_t v = 0;
    memcpy(&v, p, bpp);
    return _mm_cvtsi64_si128((long long)v);
}

SSE static inline void store_pixel(uint8_t *p, __m128i v, const unsigned bpp) {
    uint64_t w = (uint64_t)_mm_cvtsi128_si64(v);
    memcpy(p, &w, bpp);
}

SSE static inline void sub_row_sse(uint8_t *row, size_t count, const unsigned bpp) {
    __m128i a = _mm_setzero_si128();
    for (size_t i = 0; i + bpp <= count; i += bpp) {
        a = _mm_add_epi8(a, load_pixel(row + i, bpp));
        store_pixel(row + i, a, bpp);
    }
}

SSE static inline void average_row_sse(uint8_t *row, const uint8_t *prior, size_t count, const unsigned bpp) {
    __m128i a = _mm_setzero_si128();
    const __m128i one = _mm_set1_epi8(1);
    for (size_t i = 0; i + bpp <= count; i += bpp) {
        __m128i b = load_pixel(prior + i, bpp);
        // _mm_avg_epu8 rounds up; the filter rounds down.
        __m128i mean = _mm_sub_epi8(_mm_avg_epu8(a, b), _mm_and_si128(_mm_xor_si128(a, b), one));
        a = _mm_add_epi8(mean, load_pixel(row + i, bpp));
        store_pixel(row + i, a, bpp);
    }
}

/// In 16-bit lanes.
SSE static inline __m128i paeth_lanes(__m128i a, __m128i b, __m128i c) {
    __m128i threshold = _mm_sub_epi16(_mm_sub_epi16(_mm_add_epi16(_mm_add_epi16(c, c), c), b), a);
    __m128i low = _mm_min_epi16(a, b);
    __m128i high = _mm_max_epi16(a, b);
    __m128i first = _mm_blendv_epi8(low, c, _mm_cmpgt_epi16(high, threshold));
    return _mm_blendv_epi8(high, first, _mm_cmpgt_epi16(threshold, low));
}

SSE static inline void paeth_row_sse(uint8_t *row, const uint8_t *prior, size_t count, const unsigned bpp) {
    __m128i a = _mm_setzero_si128();
    __m128i c = _mm_setzero_si128();
    for (size_t i = 0; i + bpp <= count; i += bpp) {
        __m128i b = _mm_cvtepu8_epi16(load_pixel(prior + i, bpp));
        __m128i d = _mm_cvtepu8_epi16(load_pixel(row + i, bpp));
        // The upper bytes of all lanes are zero and stay so.
        a = _mm_add_epi8(d, paeth_lanes(a, b, c));
        c = b;
        store_pixel(row + i, _mm_packus_epi16(a, a), bpp);
    }
}

/// Four bytes a pixel: running sums inside a vector, so that the chain is one step for four pixels.
SSE static void sub_row4_sse(uint8_t *row, size_t count) {
    __m128i last = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(row + i));
        x = _mm_add_epi8(x, _mm_slli_si128(x, 4));
        x = _mm_add_epi8(x, _mm_slli_si128(x, 8));
        x = _mm_add_epi8(x, _mm_shuffle_epi32(last, 0xFF));
        _mm_storeu_si128((__m128i *)(row + i), x);
        last = x;
    }
    for (; i < count; i++) row[i] = (uint8_t)(row[i] + (i < 4 ? 0 : row[i - 4]));
}

/// Three bytes a pixel: five pixels in 16 bytes, of which the last byte belongs to the sixth and is left as it is.
SSE static void sub_row3_sse(uint8_t *row, size_t count) {
    const __m128i spread = _mm_setr_epi8(12, 13, 14, 12, 13, 14, 12, 13, 14, 12, 13, 14, 12, 13, 14, -1);
    const __m128i mask = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0);
    __m128i last = _mm_setzero_si128();
    size_t i = 0;
    if (count >= 31) {
        // The next 15 bytes are loaded before these are stored: a load that straddles a fresh store would wait for it.
        __m128i raw = _mm_loadu_si128((const __m128i *)row);
        for (; i + 31 <= count; i += 15) {
            __m128i next = _mm_loadu_si128((const __m128i *)(row + i + 15));
            __m128i x = _mm_and_si128(raw, mask);
            x = _mm_add_epi8(x, _mm_slli_si128(x, 3));
            x = _mm_add_epi8(x, _mm_slli_si128(x, 6));
            x = _mm_add_epi8(x, _mm_slli_si128(x, 12));
            x = _mm_add_epi8(x, _mm_shuffle_epi8(last, spread));
            _mm_storeu_si128((__m128i *)(row + i), _mm_blendv_epi8(raw, x, mask));
            last = x;
            raw = next;
        }
    }
    for (; i < count; i++) row[i] = (uint8_t)(row[i] + (i < 3 ? 0 : row[i - 3]));
}

AVX static void up_row_avx(uint8_t *row, const uint8_t *prior, size_t count) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(row + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(prior + i));
        _mm256_storeu_si256((__m256i *)(row + i), _mm256_add_epi8(x, b));
    }
    for (; i < count; i++) row[i] = (uint8_t)(row[i] + prior[i]);
}

SSE static _Bool row_sse(uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned filter) {
#define SUB(n) sub_row_sse(row, count, n)
#define AVERAGE(n) average_row_sse(row, prior, count, n)
#define PAETH(n) paeth_row_sse(row, prior, count, n)
    if (bytes_per_pixel < 3 || count % bytes_per_pixel != 0) return row_plain(row, prior, count, bytes_per_pixel, filter);
    switch (filter) {
    case 1:
        if (bytes_per_pixel == 4) sub_row4_sse(row, count);
        else if (bytes_per_pixel == 3) sub_row3_sse(row, count);
        else BY_PIXEL_SIZE(SUB)
        return 1;
    case 3: BY_PIXEL_SIZE(AVERAGE) return 1;
    case 4: BY_PIXEL_SIZE(PAETH) return 1;
    default: return row_plain(row, prior, count, bytes_per_pixel, filter);
    }
}

/// Whether four rows at once are quicker.
static inline _Bool fits_wave(const uint8_t *first, size_t count) {
    // Worth it where at least two of four rows wait for their left neighbour.
    unsigned slow = 0;
    for (size_t r = 0; r < 4; r++) {
        uint8_t filter = first[r * (count + 1)];
        if (filter > 4) return 0;
        slow += filter >= 3;
    }
    return slow >= 2;
}

AVX static size_t rows_avx(uint8_t *first, const uint8_t *prior, size_t count, size_t rows, unsigned bytes_per_pixel) {
    const _Bool can_wave = (bytes_per_pixel == 3 || bytes_per_pixel == 4) && count % bytes_per_pixel == 0
                           && count / bytes_per_pixel >= 8;
    size_t y = 0;
    while (y < rows) {
        uint8_t *here = first + y * (count + 1);
        if (can_wave && rows - y >= 4 && fits_wave(here, count)) {
            gannet_png_unfilter_wave(here, prior, count, bytes_per_pixel);
            prior = here + 3 * (count + 1) + 1;
            y += 4;
            continue;
        }
        if (here[0] == 2) up_row_avx(here + 1, prior, count);
        else if (!row_sse(here + 1, prior, count, bytes_per_pixel, here[0])) return y;
        prior = here + 1;
        y += 1;
    }
    return rows;
}
#endif

// MARK: Entries

_Bool gannet_png_unfilter_row(uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned filter) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        if (filter == 2) {
            up_row_avx(row, prior, count);
            return 1;
        }
        return row_sse(row, prior, count, bytes_per_pixel, filter);
    }
    if (__builtin_cpu_supports("sse4.1")) return row_sse(row, prior, count, bytes_per_pixel, filter);
#elif GANNET_NEON
    if (gannet_png_unfilter_row_neon(row, prior, count, bytes_per_pixel, filter)) return 1;
#endif
    return row_plain(row, prior, count, bytes_per_pixel, filter);
}

size_t gannet_png_unfilter_rows(uint8_t *first, const uint8_t *prior, size_t count, size_t rows, unsigned bytes_per_pixel) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) return rows_avx(first, prior, count, rows, bytes_per_pixel);
#endif
    for (size_t y = 0; y < rows; y++) {
        uint8_t *row = first + y * (count + 1) + 1;
        if (!gannet_png_unfilter_row(row, prior, count, bytes_per_pixel, row[-1])) return y;
        prior = row;
    }
    return rows;
}
