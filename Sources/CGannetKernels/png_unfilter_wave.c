#include "png_unfilter_wave.h"
#include "vectors.h"

#if GANNET_X86
#include <string.h>

#define AVX __attribute__((target("avx2")))

// Four rows at once, AVX2: each row one pixel behind the row above.
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
    // The pixel above: for the first row from memory, for the others the result of the row above from the previous step.
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

AVX void gannet_png_unfilter_wave(uint8_t *first, const uint8_t *prior, size_t count, unsigned bytes_per_pixel) {
    if (bytes_per_pixel == 4) wave(first, prior, count, 4);
    else wave(first, prior, count, 3);
}
#endif
