// Plain functions over OpenJPEG: a codestream in memory goes in, samples come out. Boxes, palettes and the meaning of components are
// the caller's.
#ifndef GANNET_JP2_H
#define GANNET_JP2_H
#include <stddef.h>
#include <stdint.h>

/// The result of an entry function.
typedef enum {
    GANNET_JP2_OK = 0,
    GANNET_JP2_CORRUPT,
    GANNET_JP2_MEMORY,
    GANNET_JP2_STOPPED  // the caller's stop function returned non-zero
} gannet_jp2_result;

typedef struct gannet_jp2 gannet_jp2;

/// The way of one channel of the output.
typedef struct {
    /// Maps a sample, made unsigned and cut to 16 bits, to the output: 0 to 255, or to 65,535. NULL: the channel is opaque alpha.
    const uint16_t *table;
    uint32_t entries;
    uint32_t component;
} gannet_jp2_channel;

/// A part of the reference grid, in numbers up to INT32_MAX. All zeros: all of the image.
typedef struct {
    uint32_t left, top, right, bottom;
} gannet_jp2_area;

/// Decodes `area` of the image, `reduction` times halved: the tiles that it touches, and the blocks of them. `bytes` are only read during the call. Calls `stop` whenever the library reads on:
/// before each tile, and not within one. `is_tolerant`: missing parts are left out. The caller frees the result.
gannet_jp2 *gannet_jp2_decode(
    const uint8_t *bytes, size_t count, uint32_t reduction, gannet_jp2_area area, int threads, int is_tolerant,
    int (*stop)(void *), void *context, gannet_jp2_result *result);
void gannet_jp2_free(gannet_jp2 *image);
/// The library's first complaint; empty if there is none. Lives as long as the image.
const char *gannet_jp2_message(const gannet_jp2 *image);
/// What the ends of the tables' range stand for in L*a*b*.
typedef struct {
    double least[3], range[3];
} gannet_jp2_lab;

/// Writes red, green, blue and alpha over `width` × `height` pixels, each 2 to the power of `skipped` decoded ones apart. The first is the
/// one at `left` and `top` of the halved reference grid. `is_ycc`: the first three are luma and chroma (sYCC, IEC 61966-2-1). `lab`:
/// they are L*a*b*, and their tables go up to 65,535; NULL: they are not. Returns 0 if a component is missing.
int gannet_jp2_write(
    const gannet_jp2 *image, const gannet_jp2_channel channels[4], int is_ycc, const gannet_jp2_lab *lab, int is_deep,
    uint32_t left, uint32_t top, uint32_t skipped, uint8_t *base, size_t stride, uint32_t width, uint32_t height);

#endif
