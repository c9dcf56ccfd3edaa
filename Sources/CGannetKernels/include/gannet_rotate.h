// Sampling of premultiplied 8-bit RGBA images along a slanted line.
#ifndef GANNET_ROTATE_H
#define GANNET_ROTATE_H
#include "gannet_level.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *pixels;
    size_t stride;
    size_t width;
    size_t height;
} gannet_bitmap;

/// out[i] = image at (x + i · dx, y + i · dy), coordinates with 16 fractional bits, pixel centres at whole numbers.
/// Outside is transparent. `cubic`: 4 × 4 pixels through Catmull-Rom, else 2 × 2.
void gannet_sample_line(
    uint32_t *out, size_t count, const gannet_bitmap *bitmap, int64_t x, int64_t y, int64_t dx, int64_t dy, int cubic);
/// For tests: the cubic one with the instructions of `level`; false, and nothing written, where the processor lacks them.
bool gannet_sample_line_at(
    gannet_level level, uint32_t *out, size_t count, const gannet_bitmap *bitmap, int64_t x, int64_t y, int64_t dx, int64_t dy);

#endif
