// Samples of a block. Private to the files of the decoder for small images, inlined into their loops.
#ifndef JPEG_SHRINK_DRAW_H
#define JPEG_SHRINK_DRAW_H
#include "jpeg_shrink.h"

/// A block without any detail, four or eight samples wide: what its inverse transform makes of it, which cuts products to 16 bits too.
static inline void gannet_jpeg_fill(uint8_t *samples, size_t stride, const struct plane *plane, const struct view *view, int16_t mean) {
    int32_t level = (((int16_t)(mean * (int32_t)plane->steps[0]) + 4) >> 3) + 128;
    uint8_t sample = level < 0 ? 0 : level > 255 ? 255 : (uint8_t)level;
    const uint64_t samples_of_row = sample * (uint64_t)0x0101010101010101;
    if (view->across == 8) {
        for (int y = 0; y < view->down; y++, samples += stride) memcpy(samples, &samples_of_row, 8);
    } else {
        for (int y = 0; y < view->down; y++, samples += stride) memcpy(samples, &samples_of_row, 4);
    }
}

/// `has_details` may be said of a block that has none: the samples are the same, and cost more.
static inline void gannet_jpeg_draw(
    uint8_t *samples, size_t stride, const struct plane *plane, const struct view *view, const int16_t *block, bool has_details) {
    if (!has_details && view->across > 2) {
        gannet_jpeg_fill(samples, stride, plane, view, block[0]);
    } else {
        view->inverse(block, plane->steps, samples, stride);
    }
}

#endif
