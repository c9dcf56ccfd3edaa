#pragma once
#include <stddef.h>
#include <stdint.h>

/// How YCbCr becomes RGB (ITU-R BT.601, BT.709, BT.2020, not the constant-luminance ways): 13 bits behind the point, to the nearest.
typedef struct {
    int16_t luma;
    int16_t red_cr;
    int16_t green_cb;
    int16_t green_cr;
    int16_t blue_cb;
    /// The sample value of black: 0, or 16 for limited range.
    int16_t black;
} gannet_ycc;

/// `kr`, `kb`: the parts of red and blue in the luma, more than 0 and less than 1 together. `full`: samples of 0 … 255, else 16 … 235 and
/// 16 … 240.
gannet_ycc gannet_ycc_make(double kr, double kb, int full);

/// One row of `count` pixels to RGBA. `cb` and `cr` are NULL for grey; `halved`: each of their samples is two pixels wide, and there are
/// (count + 1) / 2. `alpha` NULL: opaque. Rows do not overlap.
void gannet_ycc_row(
    uint8_t *restrict rgba, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, const uint8_t *alpha, size_t count, int halved,
    const gannet_ycc *matrix);

/// The same for samples that are red, green and blue already.
void gannet_rgb_row(
    uint8_t *restrict rgba, const uint8_t *red, const uint8_t *green, const uint8_t *blue, const uint8_t *alpha, size_t count);
