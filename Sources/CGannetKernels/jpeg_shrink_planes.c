// Planes of samples, for each size.
#include "jpeg_shrink_draw.h"

size_t gannet_jpeg_samples_size(const gannet_jpeg_shrink *shrink) {
    size_t size = 0;
    for (size_t number = 0; number < shrink->scale_count; number++)
        size += shrink->scales[number].stride * (size_t)shrink->scales[number].band * (size_t)shrink->plane_count;
    return size;
}

void gannet_jpeg_set_samples(struct plane planes[3], const gannet_jpeg_shrink *shrink, uint8_t *memory) {
    for (size_t number = 0; number < shrink->scale_count; number++) {
        for (int index = 0; index < shrink->plane_count; index++) {
            planes[index].views[number].samples = memory;
            memory += shrink->scales[number].stride * (size_t)shrink->scales[number].band;
        }
    }
}

size_t gannet_jpeg_pixels_before(const gannet_jpeg_shrink *shrink, size_t scale) {
    size_t size = 0;
    for (size_t number = 0; number < scale; number++) size += (size_t)shrink->scales[number].band * shrink->scales[number].row * 4;
    return size;
}

void gannet_jpeg_make_band(const gannet_jpeg_shrink *shrink, const struct plane planes[3], uint8_t *pixels) {
    for (size_t number = 0; number < shrink->scale_count; number++) {
        const struct scale *scale = &shrink->scales[number];
        for (size_t y = 0; y < (size_t)scale->band; y++, pixels += scale->row * 4) gannet_jpeg_make_pixels(shrink, planes, number, y, pixels);
    }
}

void gannet_jpeg_draw_smaller(
    const gannet_jpeg_shrink *shrink, const struct plane *plane, size_t x, int y, const int16_t *block, uint64_t details) {
    for (size_t number = 1; number < shrink->scale_count; number++) {
        const struct view *view = &plane->views[number];
        const size_t stride = shrink->scales[number].stride;
        uint8_t *samples = view->samples + (size_t)(y * view->down) * stride + x * (size_t)view->across;
        gannet_jpeg_draw(samples, stride, plane, view, block, (details & (~(uint64_t)0 >> (63 - view->last))) != 0);
    }
}

void gannet_jpeg_make_pixels(
    const gannet_jpeg_shrink *shrink, const struct plane planes[3], size_t number, size_t y, uint8_t *pixels) {
    const struct scale *scale = &shrink->scales[number];
    const uint8_t *rows[3] = {NULL, NULL, NULL};
    for (int index = 0; index < shrink->plane_count; index++)
        rows[index] = planes[index].views[number].samples + y * scale->stride + scale->left;
    switch (shrink->colors) {
    case GANNET_JPEG_GRAY: gannet_jpeg_pixels_of_gray(rows[0], pixels, scale->width); break;
    case GANNET_JPEG_YCC: gannet_jpeg_pixels_of_ycc(rows[0], rows[1], rows[2], pixels, scale->width); break;
    case GANNET_JPEG_RGB: gannet_jpeg_pixels_of_rgb(rows[0], rows[1], rows[2], pixels, scale->width); break;
    }
}
