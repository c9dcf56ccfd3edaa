// Rows of premultiplied 8-bit RGBA pixels: masks, blending, colour matrices, tables.
#ifndef GANNET_PAINT_H
#define GANNET_PAINT_H
#include <stddef.h>
#include <stdint.h>

/// Porter and Duff's operators, then the blend modes of W3C Compositing and Blending Level 1.
typedef enum {
    gannet_blend_clear, gannet_blend_source, gannet_blend_destination, gannet_blend_source_over,
    gannet_blend_destination_over, gannet_blend_source_in, gannet_blend_destination_in, gannet_blend_source_out,
    gannet_blend_destination_out, gannet_blend_source_atop, gannet_blend_destination_atop, gannet_blend_xor,
    gannet_blend_plus, gannet_blend_multiply, gannet_blend_screen, gannet_blend_overlay, gannet_blend_darken,
    gannet_blend_lighten, gannet_blend_color_dodge, gannet_blend_color_burn, gannet_blend_soft_light,
    gannet_blend_hard_light, gannet_blend_difference, gannet_blend_exclusion, gannet_blend_hue, gannet_blend_saturation,
    gannet_blend_color, gannet_blend_luminosity,
} gannet_blend_mode;

/// Each pixel times mask / 255.
void gannet_mask(uint32_t *pixels, const uint8_t *mask, size_t count);
/// backdrop = source `mode` backdrop. `step` 0: one source pixel for all. `mask` may be NULL. `opacity` is 0 … 1 and, like the
/// mask, scales the source before it is blended.
void gannet_blend(
    uint32_t *backdrop, const uint32_t *source, size_t step, const uint8_t *mask, size_t count, int mode, float opacity);
/// backdrop = backdrop + (color − backdrop) · mask / 255, for all four channels.
void gannet_mix(uint32_t *backdrop, uint32_t color, const uint8_t *mask, size_t count);
/// Colours times a matrix: 3 rows of weights for red, green, blue, alpha. Alpha stays; colours are kept inside 0 … alpha.
void gannet_matrix(uint32_t *pixels, size_t count, const float *matrix);
/// Colours become their brightness by ITU-R BT.709, rounded; alpha stays.
void gannet_gray(uint32_t *pixels, size_t count);
/// Colour channels through one table of 256 bytes, of straight colours: dividing by and multiplying with alpha included.
void gannet_lookup(uint32_t *pixels, size_t count, const uint8_t *table);
/// pixels += amount · (pixels − blurred), colours only, kept inside 0 … alpha.
void gannet_unsharp(uint32_t *pixels, const uint32_t *blurred, size_t count, float amount);
/// sRGB bytes, premultiplied, to 16-bit linear light, premultiplied, by a table of 256; and back by one of 65,536.
void gannet_to_linear(uint16_t *out, const uint32_t *pixels, size_t count, const uint16_t *table);
void gannet_from_linear(uint32_t *out, const uint16_t *samples, size_t count, const uint8_t *table);

#endif
