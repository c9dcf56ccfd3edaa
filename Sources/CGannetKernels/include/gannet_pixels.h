// Conversions of RGBA pixels in place, and turning.
#ifndef GANNET_PIXELS_H
#define GANNET_PIXELS_H
#include "gannet_level.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Colour times alpha, rounded; `count` pixels.
void gannet_premultiply8(uint32_t *pixels, size_t count);
void gannet_premultiply16(uint16_t *samples, size_t count);
/// Colour divided by alpha, rounded; 0 where alpha is 0. Premultiplying the result gives the same pixel again.
void gannet_unpremultiply8(uint32_t *pixels, size_t count);
void gannet_unpremultiply16(uint16_t *samples, size_t count);
/// True if every alpha is the maximum.
bool gannet_is_opaque8(const uint32_t *pixels, size_t count);
bool gannet_is_opaque16(const uint16_t *samples, size_t count);
/// 16-bit samples to bytes, rounded (`cut` false) or the high byte alone.
void gannet_narrow16(uint8_t *out, const uint16_t *samples, size_t count, bool cut);
/// 8-bit samples to 16 bits: 255 becomes 65,535.
void gannet_widen8(uint16_t *out, const uint8_t *samples, size_t count);

/// Pixels of `step` bytes, 3 or 4, to four: byte n of each is byte `order[n]` of the source's, or 255 where that is negative.
void gannet_reorder8(uint8_t *out, const uint8_t *source, size_t count, size_t step, const int8_t order[4]);
/// The same without vectors, for tests.
void gannet_reorder8_plain(uint8_t *out, const uint8_t *source, size_t count, size_t step, const int8_t order[4]);

/// out(x, y) = *(source + x · across + y · down) for a rectangle of pixels of 4 or 8 bytes; `across` and `down` are distances
/// in bytes and may be negative, one of them is the size of a pixel.
void gannet_turn(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down,
    size_t pixel_bytes);
/// The same without AVX2, for tests.
void gannet_turn_plain(
    uint8_t *out, ptrdiff_t out_stride, size_t width, size_t height, const uint8_t *source, ptrdiff_t across, ptrdiff_t down,
    size_t pixel_bytes);

#endif
