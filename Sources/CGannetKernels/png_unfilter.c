#include "png_unfilter.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#define GANNET_X86 1
#endif

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

#ifdef GANNET_X86
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

// MARK: Four rows at once, AVX2: each row one pixel behind the row above.
//
// Average and Paeth wait for the pixel to the left, so one row alone leaves the machine idle. Row y can work on pixel x
// while row y + 1 works on pixel x - 1: everything it needs from row y is there. The four pixels of a step are the four
// 64-bit parts of one register, 16 bits a channel. Rows with other filters take part through masks.

typedef struct {
    __m256i is_sub, is_up, is_average, is_paeth;
} row_filters;

AVX static inline __m256i lane_mask(const uint8_t *rows[4], uint8_t filter) {
    return _mm256_setr_epi64x(
        rows[0][-1] == filter ? -1 : 0, rows[1][-1] == filter ? -1 : 0, rows[2][-1] == filter ? -1 : 0,
        rows[3][-1] == filter ? -1 : 0);
}

AVX static inline __m256i predict(__m256i a, __m256i b, __m256i c, const row_filters *f, const _Bool only_paeth) {
    __m256i threshold = _mm256_sub_epi16(_mm256_sub_epi16(_mm256_add_epi16(_mm256_add_epi16(c, c), c), b), a);
    __m256i low = _mm256_min_epi16(a, b);
    __m256i high = _mm256_max_epi16(a, b);
    __m256i first = _mm256_blendv_epi8(low, c, _mm256_cmpgt_epi16(high, threshold));
    __m256i paeth = _mm256_blendv_epi8(high, first, _mm256_cmpgt_epi16(threshold, low));
    if (only_paeth) return paeth;
    __m256i mean = _mm256_srli_epi16(_mm256_add_epi16(a, b), 1);
    __m256i others = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(a, f->is_sub), _mm256_and_si256(b, f->is_up)), _mm256_and_si256(mean, f->is_average));
    return _mm256_or_si256(others, _mm256_and_si256(paeth, f->is_paeth));
}

AVX static inline uint32_t load32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

AVX static inline uint32_t load24(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16; }

AVX static inline void store24(uint8_t *p, uint32_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
}

/// `pixels` of one step: bit r set means that row r takes part.
AVX static inline void wave_step(
    uint8_t *row[4], const uint8_t *prior, ptrdiff_t x, __m256i *a, __m256i *c, const row_filters *f, unsigned takes,
    _Bool has_prior, const unsigned bpp) {
    // The pixel above: for the first row from memory, for the others what the row above made one step ago.
    __m256i above = _mm256_permute4x64_epi64(*a, 0x90);
    __m256i top = _mm256_castsi128_si256(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(
        has_prior ? (int)(bpp == 4 ? load32(prior + x * 4) : load24(prior + x * 3)) : 0)));
    __m256i b = _mm256_blend_epi32(above, top, 0x03);
    uint32_t raw[4] = {0, 0, 0, 0};
    for (unsigned r = 0; r < 4; r++)
        if (takes & (1u << r)) {
            const uint8_t *p = row[r] + (x - (ptrdiff_t)r) * (ptrdiff_t)bpp;
            raw[r] = bpp == 4 ? load32(p) : load24(p);
        }
    __m256i d = _mm256_cvtepu8_epi16(_mm_setr_epi32((int)raw[0], (int)raw[1], (int)raw[2], (int)raw[3]));
    __m256i made = _mm256_add_epi8(d, predict(*a, b, *c, f, 0));
    // Rows that have not begun must still see zeros to their left and upper left.
    __m256i live = _mm256_setr_epi64x(
        takes & 1 ? -1 : 0, takes & 2 ? -1 : 0, takes & 4 ? -1 : 0, takes & 8 ? -1 : 0);
    made = _mm256_and_si256(made, live);
    *c = _mm256_and_si256(b, live);
    *a = made;
    __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(made), _mm256_extracti128_si256(made, 1));
    uint32_t out[4];
    _mm_storeu_si128((__m128i *)out, bytes);
    for (unsigned r = 0; r < 4; r++)
        if (takes & (1u << r)) {
            uint8_t *p = row[r] + (x - (ptrdiff_t)r) * (ptrdiff_t)bpp;
            if (bpp == 4) memcpy(p, &out[r], 4);
            else store24(p, out[r]);
        }
}

/// The middle of a wave: all four rows take part. For three bytes a pixel the loads take four bytes, and each store
/// writes a fourth byte that the next step of that row overwrites; it has been loaded before. So the last pixels of a
/// row are left to `wave_step`.
AVX static inline void wave_middle(
    uint8_t *row[4], const uint8_t *prior, ptrdiff_t from, ptrdiff_t to, __m256i *a_io, __m256i *c_io, const row_filters *f,
    const unsigned bpp, const _Bool only_paeth) {
    __m256i a = *a_io;
    __m256i c = *c_io;
    const __m256i keep = bpp == 4 ? _mm256_set1_epi16(-1) : _mm256_set1_epi64x(0x0000FFFFFFFFFFFFLL);
    const uint8_t *up = prior + from * bpp;
    uint8_t *r0 = row[0] + from * bpp;
    uint8_t *r1 = row[1] + (from - 1) * bpp;
    uint8_t *r2 = row[2] + (from - 2) * bpp;
    uint8_t *r3 = row[3] + (from - 3) * bpp;
    __m128i raw = _mm_setr_epi32((int)load32(r0), (int)load32(r1), (int)load32(r2), (int)load32(r3));
    for (ptrdiff_t x = from; x < to; x++) {
        __m256i d = _mm256_cvtepu8_epi16(raw);
        raw = _mm_setr_epi32(
            (int)load32(r0 + bpp), (int)load32(r1 + bpp), (int)load32(r2 + bpp), (int)load32(r3 + bpp));
        __m256i top = _mm256_castsi128_si256(_mm_cvtepu8_epi16(_mm_cvtsi32_si128((int)load32(up))));
        __m256i b = _mm256_blend_epi32(_mm256_permute4x64_epi64(a, 0x90), top, 0x03);
        if (bpp == 3) b = _mm256_and_si256(b, keep);
        a = _mm256_add_epi8(d, predict(a, b, c, f, only_paeth));
        if (bpp == 3) a = _mm256_and_si256(a, keep);
        c = b;
        __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
        uint32_t out;
        out = (uint32_t)_mm_cvtsi128_si32(bytes);
        memcpy(r0, &out, 4);
        out = (uint32_t)_mm_extract_epi32(bytes, 1);
        memcpy(r1, &out, 4);
        out = (uint32_t)_mm_extract_epi32(bytes, 2);
        memcpy(r2, &out, 4);
        out = (uint32_t)_mm_extract_epi32(bytes, 3);
        memcpy(r3, &out, 4);
        up += bpp;
        r0 += bpp;
        r1 += bpp;
        r2 += bpp;
        r3 += bpp;
    }
    if (bpp == 3 && to > from) {
        // The byte after each row's last store belongs to a pixel that has not been worked on: put it back.
        uint32_t bytes[4];
        _mm_storeu_si128((__m128i *)bytes, raw);
        r0[0] = (uint8_t)bytes[0];
        r1[0] = (uint8_t)bytes[1];
        r2[0] = (uint8_t)bytes[2];
        r3[0] = (uint8_t)bytes[3];
    }
    *a_io = a;
    *c_io = c;
}

AVX static void wave(uint8_t *first, const uint8_t *prior, size_t count, const unsigned bpp) {
    uint8_t *row[4] = {first + 1, first + 1 + (count + 1), first + 1 + 2 * (count + 1), first + 1 + 3 * (count + 1)};
    const uint8_t *seen[4] = {row[0], row[1], row[2], row[3]};
    row_filters f = {lane_mask(seen, 1), lane_mask(seen, 2), lane_mask(seen, 3), lane_mask(seen, 4)};
    _Bool only_paeth = row[0][-1] == 4 && row[1][-1] == 4 && row[2][-1] == 4 && row[3][-1] == 4;
    ptrdiff_t pixels = (ptrdiff_t)(count / bpp);
    __m256i a = _mm256_setzero_si256();
    __m256i c = _mm256_setzero_si256();
    ptrdiff_t x = 0;
    for (; x < 3; x++) wave_step(row, prior, x, &a, &c, &f, (2u << x) - 1, 1, bpp);
    // Two pixels before the end the wide loads of the middle could leave the row.
    ptrdiff_t stop = pixels - 2;
    if (only_paeth) wave_middle(row, prior, x, stop, &a, &c, &f, bpp, 1);
    else wave_middle(row, prior, x, stop, &a, &c, &f, bpp, 0);
    x = stop;
    for (; x < pixels + 3; x++) {
        unsigned takes = 0;
        for (ptrdiff_t r = 0; r < 4; r++)
            if (x - r < pixels) takes |= 1u << r;
        wave_step(row, prior, x, &a, &c, &f, takes, x < pixels, bpp);
    }
}

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
            if (bytes_per_pixel == 4) wave(here, prior, count, 4);
            else wave(here, prior, count, 3);
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
#ifdef GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        if (filter == 2) {
            up_row_avx(row, prior, count);
            return 1;
        }
        return row_sse(row, prior, count, bytes_per_pixel, filter);
    }
    if (__builtin_cpu_supports("sse4.1")) return row_sse(row, prior, count, bytes_per_pixel, filter);
#endif
    return row_plain(row, prior, count, bytes_per_pixel, filter);
}

size_t gannet_png_unfilter_rows(uint8_t *first, const uint8_t *prior, size_t count, size_t rows, unsigned bytes_per_pixel) {
#ifdef GANNET_X86
    if (__builtin_cpu_supports("avx2")) return rows_avx(first, prior, count, rows, bytes_per_pixel);
#endif
    for (size_t y = 0; y < rows; y++) {
        uint8_t *row = first + y * (count + 1) + 1;
        if (!gannet_png_unfilter_row(row, prior, count, bytes_per_pixel, row[-1])) return y;
        prior = row;
    }
    return rows;
}
