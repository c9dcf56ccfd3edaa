// Images of few colours as numbers of colours, a quarter as large.
#ifndef GANNET_PALETTE_H
#define GANNET_PALETTE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GANNET_PALETTE_BITS = 12 };

/// All zeros is an empty one. Up to 256 colours, and a table that finds them.
typedef struct {
    uint32_t colors[256];
    /// The number of a colour plus one << 32 | the colour; 0 is a free place.
    uint64_t places[1 << GANNET_PALETTE_BITS];
    uint32_t count;
    /// Pixels beside one of another colour, or at the beginning of a call: about how long the image is as runs.
    uint32_t runs;
} gannet_palette;

/// numbers[i] is that of pixels[i], added to the palette if it is new. False, and `numbers` is of no use, at the 257th colour.
bool gannet_palette_index(gannet_palette *palette, uint8_t *numbers, const uint32_t *pixels, size_t count);
/// pixels[i] = colors[numbers[i]]; all numbers have an entry in `colors`.
void gannet_palette_expand(uint32_t *pixels, const uint8_t *numbers, size_t count, const uint32_t *colors);

/// Numbers as pairs of a number and how often it comes after itself, 0 to 255. How many bytes were written; 0 if `room` is too small.
size_t gannet_palette_pack(uint8_t *runs, size_t room, const uint8_t *numbers, size_t count);
/// The pixels of such pairs, `count` bytes of them; never more than `height` rows, whatever the pairs say.
void gannet_palette_unpack(
    uint8_t *rows, size_t stride, size_t width, size_t height, const uint8_t *runs, size_t count, const uint32_t *colors);

#endif
