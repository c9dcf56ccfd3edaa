#include "gannet_pixels.h"
#include "vectors.h"
#include <string.h>

#if GANNET_X86
#define AVX2 __attribute__((target("avx2")))
#endif

// Compilers make SSE2 or NEON of these; intrinsics would gain nothing over them.
typedef uint32_t four __attribute__((vector_size(16)));
typedef uint64_t two __attribute__((vector_size(16)));

static inline four load_four(const uint8_t *pixels) {
    four v;
    memcpy(&v, pixels, sizeof v);
    return v;
}

static inline void store_four(uint8_t *pixels, four v) { memcpy(pixels, &v, sizeof v); }

static void copy_pixel(uint8_t *out, const uint8_t *source, size_t pixel_bytes) {
    if (pixel_bytes == 4) {
        memcpy(out, source, 4);
    } else {
        memcpy(out, source, 8);
    }
}

// Four columns of the source become four rows: loads run down the output, so the pixels of a load go to different rows.
static void transpose4(uint8_t *out, ptrdiff_t out_stride, const uint8_t *source, ptrdiff_t across, ptrdiff_t down) {
    // With `down` negative the load starts at the lowest of the four rows, and the rows are stored in reverse.
    const uint8_t *first = down < 0 ? source + 3 * down : source;
    four a = load_four(first), b = load_four(first + across);
    four c = load_four(first + 2 * across), d = load_four(first + 3 * across);
    four ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    four cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    four rows[4] = {
        __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7),
        __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7),
    };
    for (size_t y = 0; y < 4; y++) store_four(out + (ptrdiff_t)y * out_stride, rows[down < 0 ? 3 - y : y]);
}

static void reverse_rest(uint8_t *out, const uint8_t *last, size_t x, size_t width, size_t pixel_bytes) {
    if (pixel_bytes == 4) {
        for (; x + 4 <= width; x += 4) {
            four v = load_four(last - (ptrdiff_t)(x + 3) * 4);
            store_four(out + x * 4, __builtin_shufflevector(v, v, 3, 2, 1, 0));
        }
    } else {
        for (; x + 2 <= width; x += 2) {
            two v;
            memcpy(&v, last - (ptrdiff_t)(x + 1) * 8, sizeof v);
            v = __builtin_shufflevector(v, v, 1, 0);
            memcpy(out + x * 8, &v, sizeof v);
        }
    }
    for (; x < width; x++) copy_pixel(out + x * pixel_bytes, last - (ptrdiff_t)(x * pixel_bytes), pixel_bytes);
}

#if GANNET_X86
AVX2 static inline __m256i both(const uint8_t *low, const uint8_t *high) {
    __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)high), 1);
}

/// Four columns of eight pixels each of the source become four rows of eight.
AVX2 static inline void transpose4by8(uint8_t *out, ptrdiff_t out_stride, const uint8_t *source, ptrdiff_t across, ptrdiff_t down) {
    const uint8_t *first = down < 0 ? source + 3 * down : source;
    __m256i a = both(first, first + 4 * across), b = both(first + across, first + 5 * across);
    __m256i c = both(first + 2 * across, first + 6 * across), d = both(first + 3 * across, first + 7 * across);
    __m256i ab0 = _mm256_unpacklo_epi32(a, b), ab1 = _mm256_unpackhi_epi32(a, b);
    __m256i cd0 = _mm256_unpacklo_epi32(c, d), cd1 = _mm256_unpackhi_epi32(c, d);
    if (down < 0) {
        out += 3 * out_stride;
        out_stride = -out_stride;
    }
    _mm256_storeu_si256((__m256i *)out, _mm256_unpacklo_epi64(ab0, cd0));
    _mm256_storeu_si256((__m256i *)(out + out_stride), _mm256_unpackhi_epi64(ab0, cd0));
    _mm256_storeu_si256((__m256i *)(out + 2 * out_stride), _mm256_unpacklo_epi64(ab1, cd1));
    _mm256_storeu_si256((__m256i *)(out + 3 * out_stride), _mm256_unpackhi_epi64(ab1, cd1));
}

// Rows of the output that are made together: as many as there are pixels in a line of the processor's cache, so that each line
// of the source is read once, and while it is the turn of one, the one beside it is fetched.
enum { band = 16 };

/// The bands of an image of 4-byte pixels; answers how many rows they are.
AVX2 static size_t turn_bands_avx2(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down) {
    size_t whole = width / 8 * 8, y = 0;
    for (; y + band <= height; y += band, out += band * out_stride, source += band * down) {
        ptrdiff_t next = y + 2 * band <= height ? band * down : 0;
        for (size_t x = 0; x < whole; x += 8) {
            const uint8_t *columns = source + (ptrdiff_t)x * across;
            for (ptrdiff_t i = 0; i < 8; i++) __builtin_prefetch(columns + i * across + next);
            for (ptrdiff_t row = 0; row < band; row += 4)
                transpose4by8(out + row * out_stride + x * 4, out_stride, columns + row * down, across, down);
        }
        for (ptrdiff_t row = 0; row < band; row++)
            for (size_t x = whole; x < width; x++)
                copy_pixel(out + row * out_stride + x * 4, source + (ptrdiff_t)x * across + row * down, 4);
    }
    return y;
}

AVX2 static size_t reverse_avx2(uint8_t *out, const uint8_t *last, size_t width) {
    const __m256i backwards = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    size_t x = 0;
    for (; x + 16 <= width; x += 16) {
        const uint8_t *from = last - (ptrdiff_t)(x + 15) * 4;
        __m256i high = _mm256_loadu_si256((const __m256i *)from), low = _mm256_loadu_si256((const __m256i *)(from + 32));
        _mm256_storeu_si256((__m256i *)(out + x * 4), _mm256_permutevar8x32_epi32(low, backwards));
        _mm256_storeu_si256((__m256i *)(out + x * 4 + 32), _mm256_permutevar8x32_epi32(high, backwards));
    }
    return x;
}
#endif

static void reverse_row(uint8_t *out, const uint8_t *last, size_t width, size_t pixel_bytes, int level) {
    size_t x = 0;
#if GANNET_X86
    if (level == gannet_level_avx2 && pixel_bytes == 4) x = reverse_avx2(out, last, width);
#else
    (void)level;
#endif
    reverse_rest(out, last, x, width, pixel_bytes);
}

// A tile of the source and one of the output fit into the first-level cache together.
enum { tile = 32 };

static void turn_tile(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down,
    size_t pixel_bytes) {
    size_t y = 0;
    if (pixel_bytes == 4) {
        for (; y + 4 <= height; y += 4) {
            size_t x = 0;
            uint8_t *row = out + (ptrdiff_t)y * out_stride;
            const uint8_t *from = source + (ptrdiff_t)y * down;
            for (; x + 4 <= width; x += 4) transpose4(row + x * 4, out_stride, from + (ptrdiff_t)x * across, across, down);
            for (size_t rest = y; rest < y + 4; rest++)
                for (size_t i = x; i < width; i++)
                    copy_pixel(
                        out + (ptrdiff_t)rest * out_stride + i * 4, source + (ptrdiff_t)i * across + (ptrdiff_t)rest * down, 4);
        }
    }
    for (; y < height; y++)
        for (size_t x = 0; x < width; x++)
            copy_pixel(
                out + (ptrdiff_t)y * out_stride + x * pixel_bytes, source + (ptrdiff_t)x * across + (ptrdiff_t)y * down,
                pixel_bytes);
}

static void turn(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down,
    size_t pixel_bytes, int level) {
    if (across == (ptrdiff_t)pixel_bytes) {
        for (size_t y = 0; y < height; y++)
            memcpy(out + (ptrdiff_t)y * out_stride, source + (ptrdiff_t)y * down, width * pixel_bytes);
    } else if (across == -(ptrdiff_t)pixel_bytes) {
        for (size_t y = 0; y < height; y++)
            reverse_row(out + (ptrdiff_t)y * out_stride, source + (ptrdiff_t)y * down, width, pixel_bytes, level);
    } else {
        size_t y = 0;
#if GANNET_X86
        if (level == gannet_level_avx2 && pixel_bytes == 4)
            y = turn_bands_avx2(out, out_stride, width, height, source, across, down);
#endif
        for (; y < height; y += tile) {
            size_t rows = height - y < tile ? height - y : tile;
            for (size_t x = 0; x < width; x += tile) {
                size_t columns = width - x < tile ? width - x : tile;
                turn_tile(
                    out + (ptrdiff_t)y * out_stride + x * pixel_bytes, out_stride, columns, rows,
                    source + (ptrdiff_t)x * across + (ptrdiff_t)y * down, across, down, pixel_bytes);
            }
        }
    }
}

void gannet_turn(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down,
    size_t pixel_bytes) {
    turn(out, out_stride, width, height, source, across, down, pixel_bytes, gannet_level_best());
}

void gannet_turn_plain(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down,
    size_t pixel_bytes) {
    turn(out, out_stride, width, height, source, across, down, pixel_bytes, gannet_level_plain);
}
