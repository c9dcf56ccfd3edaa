// Blur by three box filters with fractional widths, in time independent of the radius.
#ifndef GANNET_BLUR_H
#define GANNET_BLUR_H
#include <stddef.h>
#include <stdint.h>

/// Pixels side by side in one strip.
enum { gannet_blur_lanes = 32 };

/// One box: weight `inner` for `2 · radius + 1` pixels and `edge` for one more on each side.
typedef struct {
    size_t radius;
    float inner;
    float edge;
} gannet_box;

/// `scratch` holds 2 · 128 · length 16-bit numbers, where length is `height` or `width`.
/// Blurs `lanes` ≤ 32 columns of pixels from `pixels` on, in place, downwards.
void gannet_blur_columns(uint8_t *pixels, size_t stride, size_t lanes, size_t height, gannet_box box, uint16_t *scratch);
/// Blurs `lanes` ≤ 32 rows from `pixels` on, in place, to the right.
void gannet_blur_rows(uint8_t *pixels, size_t stride, size_t lanes, size_t width, gannet_box box, uint16_t *scratch);

#endif
