#include "gannet_jpeg_inverse.h"
#include "vectors.h"

#if GANNET_X86

// The same factors, rounding and saturation as in jpeg_inverse.c.

enum { FACTOR_BITS = 13, BETWEEN_BITS = 2, ONE = 1 << FACTOR_BITS };

/// √2 cos(kπ/16), in 13 bits.
enum { COS1 = 11363, COS2 = 10703, COS3 = 9633, COS5 = 6436, COS6 = 4433, COS7 = 2260 };

/// Two factors, for neighbours of 16 bits.
static inline __m128i factors(int first, int second) {
    return _mm_set1_epi32((int)((uint32_t)second << 16 | ((uint32_t)first & 0xFFFF)));
}

static inline __m128i coefficients(const int16_t *block, const uint16_t *steps) {
    return _mm_mullo_epi16(_mm_loadu_si128((const __m128i *)block), _mm_loadu_si128((const __m128i *)steps));
}

static inline __m128i rounded(__m128i wide, int bits) {
    return _mm_srai_epi32(_mm_add_epi32(wide, _mm_set1_epi32(1 << (bits - 1))), bits);
}

/// Four transforms of four coefficients: pairs of the first and third, and of the second and fourth.
static inline void inverse_4(__m128i even, __m128i odd, __m128i out[4]) {
    __m128i sum = _mm_madd_epi16(even, factors(ONE, ONE)), difference = _mm_madd_epi16(even, factors(ONE, -ONE));
    __m128i outer = _mm_madd_epi16(odd, factors(COS2, COS6)), inner = _mm_madd_epi16(odd, factors(COS6, -COS2));
    out[0] = _mm_add_epi32(sum, outer);
    out[1] = _mm_add_epi32(difference, inner);
    out[2] = _mm_sub_epi32(difference, inner);
    out[3] = _mm_sub_epi32(sum, outer);
}

void gannet_jpeg_inverse_4x4_sse2(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    __m128i rows[4], out[4];
    for (int y = 0; y < 4; y++) rows[y] = coefficients(block + 8 * y, steps + 8 * y);
    inverse_4(_mm_unpacklo_epi16(rows[0], rows[2]), _mm_unpacklo_epi16(rows[1], rows[3]), out);
    for (int y = 0; y < 4; y++) out[y] = rounded(out[y], FACTOR_BITS - BETWEEN_BITS);
    __m128i upper = _mm_packs_epi32(out[0], out[1]), lower = _mm_packs_epi32(out[2], out[3]);

    // In each row the first and third, then the second and fourth.
    enum { ORDER = _MM_SHUFFLE(3, 1, 2, 0) };
    __m128 above = _mm_castsi128_ps(_mm_shufflehi_epi16(_mm_shufflelo_epi16(upper, ORDER), ORDER));
    __m128 below = _mm_castsi128_ps(_mm_shufflehi_epi16(_mm_shufflelo_epi16(lower, ORDER), ORDER));
    __m128i even = _mm_castps_si128(_mm_shuffle_ps(above, below, _MM_SHUFFLE(2, 0, 2, 0)));
    __m128i odd = _mm_castps_si128(_mm_shuffle_ps(above, below, _MM_SHUFFLE(3, 1, 3, 1)));
    inverse_4(even, odd, out);
    for (int x = 0; x < 4; x++) out[x] = rounded(out[x], FACTOR_BITS + BETWEEN_BITS + 3);

    __m128i left = _mm_packs_epi32(out[0], out[1]), right = _mm_packs_epi32(out[2], out[3]);
    __m128i outer = _mm_unpacklo_epi16(left, right), inner = _mm_unpackhi_epi16(left, right);
    const __m128i middle = _mm_set1_epi16(128);
    __m128i bytes = _mm_packus_epi16(
        _mm_adds_epi16(_mm_unpacklo_epi16(outer, inner), middle), _mm_adds_epi16(_mm_unpackhi_epi16(outer, inner), middle));
    for (int y = 0; y < 4; y++) {
        int row = _mm_cvtsi128_si32(bytes);
        __builtin_memcpy(samples + (size_t)y * stride, &row, sizeof row);
        bytes = _mm_srli_si128(bytes, 4);
    }
}

/// Half of eight transforms of eight coefficients: the lower or upper four of each pair of rows, interleaved.
static inline void inverse_8(__m128i c04, __m128i c26, __m128i c13, __m128i c57, int bits, __m128i out[8]) {
    __m128i sum = _mm_madd_epi16(c04, factors(ONE, ONE)), difference = _mm_madd_epi16(c04, factors(ONE, -ONE));
    __m128i outer = _mm_madd_epi16(c26, factors(COS2, COS6)), inner = _mm_madd_epi16(c26, factors(COS6, -COS2));
    const __m128i even[4] = {
        _mm_add_epi32(sum, outer), _mm_add_epi32(difference, inner), _mm_sub_epi32(difference, inner), _mm_sub_epi32(sum, outer)};
    const __m128i odd[4] = {
        _mm_add_epi32(_mm_madd_epi16(c13, factors(COS1, COS3)), _mm_madd_epi16(c57, factors(COS5, COS7))),
        _mm_add_epi32(_mm_madd_epi16(c13, factors(COS3, -COS7)), _mm_madd_epi16(c57, factors(-COS1, -COS5))),
        _mm_add_epi32(_mm_madd_epi16(c13, factors(COS5, -COS1)), _mm_madd_epi16(c57, factors(COS7, COS3))),
        _mm_add_epi32(_mm_madd_epi16(c13, factors(COS7, -COS5)), _mm_madd_epi16(c57, factors(COS3, -COS1))),
    };
    for (int index = 0; index < 4; index++) {
        out[index] = rounded(_mm_add_epi32(even[index], odd[index]), bits);
        out[7 - index] = rounded(_mm_sub_epi32(even[index], odd[index]), bits);
    }
}

/// Transforms eight columns of `count` rows, 4 or 8.
static inline __attribute__((always_inline)) void columns(int count, __m128i rows[8], int bits) {
    __m128i low[8], high[8];
    if (count == 4) {
        inverse_4(_mm_unpacklo_epi16(rows[0], rows[2]), _mm_unpacklo_epi16(rows[1], rows[3]), low);
        inverse_4(_mm_unpackhi_epi16(rows[0], rows[2]), _mm_unpackhi_epi16(rows[1], rows[3]), high);
        for (int y = 0; y < 4; y++) rows[y] = _mm_packs_epi32(rounded(low[y], bits), rounded(high[y], bits));
        return;
    }
    inverse_8(
        _mm_unpacklo_epi16(rows[0], rows[4]), _mm_unpacklo_epi16(rows[2], rows[6]), _mm_unpacklo_epi16(rows[1], rows[3]),
        _mm_unpacklo_epi16(rows[5], rows[7]), bits, low);
    inverse_8(
        _mm_unpackhi_epi16(rows[0], rows[4]), _mm_unpackhi_epi16(rows[2], rows[6]), _mm_unpackhi_epi16(rows[1], rows[3]),
        _mm_unpackhi_epi16(rows[5], rows[7]), bits, high);
    for (int y = 0; y < 8; y++) rows[y] = _mm_packs_epi32(low[y], high[y]);
}

static inline void transpose(__m128i rows[8]) {
    __m128i pairs[8], fours[8];
    for (int y = 0; y < 4; y++) {
        pairs[y] = _mm_unpacklo_epi16(rows[2 * y], rows[2 * y + 1]);
        pairs[4 + y] = _mm_unpackhi_epi16(rows[2 * y], rows[2 * y + 1]);
    }
    for (int half = 0; half < 8; half += 4) {
        fours[half] = _mm_unpacklo_epi32(pairs[half], pairs[half + 1]);
        fours[half + 1] = _mm_unpackhi_epi32(pairs[half], pairs[half + 1]);
        fours[half + 2] = _mm_unpacklo_epi32(pairs[half + 2], pairs[half + 3]);
        fours[half + 3] = _mm_unpackhi_epi32(pairs[half + 2], pairs[half + 3]);
        rows[half] = _mm_unpacklo_epi64(fours[half], fours[half + 2]);
        rows[half + 1] = _mm_unpackhi_epi64(fours[half], fours[half + 2]);
        rows[half + 2] = _mm_unpacklo_epi64(fours[half + 1], fours[half + 3]);
        rows[half + 3] = _mm_unpackhi_epi64(fours[half + 1], fours[half + 3]);
    }
}

static inline __attribute__((always_inline)) void inverse(
    int across, int down, const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    __m128i rows[8];
    for (int y = 0; y < 8; y++) rows[y] = y < down ? coefficients(block + 8 * y, steps + 8 * y) : _mm_setzero_si128();
    columns(down, rows, FACTOR_BITS - BETWEEN_BITS);
    transpose(rows);
    columns(across, rows, FACTOR_BITS + BETWEEN_BITS + 3);
    transpose(rows);
    const __m128i middle = _mm_set1_epi16(128);
    for (int y = 0; y < down; y++) {
        __m128i bytes = _mm_packus_epi16(_mm_adds_epi16(rows[y], middle), middle);
        __builtin_memcpy(samples + (size_t)y * stride, &bytes, (size_t)across);
    }
}

void gannet_jpeg_inverse_8x8_sse2(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    inverse(8, 8, block, steps, samples, stride);
}

void gannet_jpeg_inverse_8x4_sse2(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    inverse(8, 4, block, steps, samples, stride);
}

void gannet_jpeg_inverse_4x8_sse2(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride) {
    inverse(4, 8, block, steps, samples, stride);
}
#endif
