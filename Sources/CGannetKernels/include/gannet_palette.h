// Pictures of few colours as numbers of colours, a quarter as large.
#ifndef GANNET_PALETTE_H
#define GANNET_PALETTE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// All zeros is an empty one. Up to 256 colours, and a table that finds them.
typedef struct {
    uint32_t colors[256];
    uint32_t keys[1024];
    /// Number of the colour plus one; 0 is a free place.
    uint16_t numbers[1024];
    uint32_t count;
} gannet_palette;

/// numbers[i] is that of pixels[i], added to the palette if it is new. False, and `numbers` is of no use, at the 257th colour.
bool gannet_palette_index(gannet_palette *palette, uint8_t *numbers, const uint32_t *pixels, size_t count);
/// pixels[i] = colors[numbers[i]]; `colors` has 256 entries.
void gannet_palette_expand(uint32_t *pixels, const uint8_t *numbers, size_t count, const uint32_t *colors);

#endif
