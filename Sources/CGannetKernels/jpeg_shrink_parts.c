// The decoder for small images with several threads: parts of a baseline scan, or a relay of a progressive file's scans.
#include <stdlib.h>

#include "jpeg_shrink_draw.h"

/// An MCU that a part has read. The smaller sizes need no coefficients but those that are kept for the largest.
static void draw_kept(
    const gannet_jpeg_shrink *shrink, const struct plane planes[3], size_t mcu, const int16_t *kept, const uint32_t *offsets) {
    const size_t stride = shrink->scales[0].stride;
    for (int index = 0; index < shrink->plane_count; index++) {
        const struct plane *plane = &planes[index];
        const struct view *view = &plane->views[0];
        const size_t across = (size_t)view->across, down = (size_t)view->down;
        for (int y = 0; y < plane->blocks_down; y++) {
            const size_t left = mcu * (size_t)plane->blocks_across;
            uint8_t *samples = view->samples + (size_t)y * down * stride + left * across;
            for (size_t x = left; x < left + (size_t)plane->blocks_across; x++, samples += across) {
                int16_t block[64];
                for (size_t row = 0; row < down; row++, kept += across) memcpy(block + 8 * row, kept, across * sizeof *block);
                block[0] = (int16_t)((uint32_t)block[0] + offsets[index]);
                const bool has_details = *kept++ != 0;
                gannet_jpeg_draw(samples, stride, plane, view, block, has_details);
                if (shrink->scale_count > 1) gannet_jpeg_draw_smaller(shrink, plane, x, y, block, has_details ? ~(uint64_t)0 : 0);
            }
        }
    }
}

/// Makes the pixels of a row of MCUs, one size after the other.
static uint8_t *make_band(void *context, gannet_jpeg_parts *parts, size_t band) {
    const gannet_jpeg_shrink *shrink = context;
    uint8_t *samples = malloc(gannet_jpeg_samples_size(shrink)), *pixels = malloc(gannet_jpeg_pixels_before(shrink, shrink->scale_count));
    bool is_whole = samples != NULL && pixels != NULL;
    if (is_whole) {
        struct plane planes[3] = {shrink->planes[0], shrink->planes[1], shrink->planes[2]};
        gannet_jpeg_set_samples(planes, shrink, samples);
        gannet_jpeg_cursor cursor = {0, 0};
        for (size_t mcu = 0; mcu < shrink->mcus && is_whole; mcu++) {
            const uint32_t *offsets;
            const int16_t *kept = gannet_jpeg_parts_take(parts, &cursor, band * shrink->mcus + mcu, &offsets);
            is_whole = kept != NULL;
            if (is_whole) draw_kept(shrink, planes, mcu, kept, offsets);
        }
        if (is_whole) gannet_jpeg_make_band(shrink, planes, pixels);
    }
    free(samples);
    if (is_whole) return pixels;
    free(pixels);
    return NULL;
}

static gannet_jpeg_stand stand_of(const gannet_jpeg_shrink *shrink) {
    gannet_jpeg_stand stand = {.bits = shrink->bits};
    for (int index = 0; index < shrink->plane_count; index++) stand.predictors[index] = shrink->planes[index].predictor;
    return stand;
}

/// Goes on alone, from where the parts end: before MCU `number`.
static void leave(gannet_jpeg_shrink *shrink, size_t number) {
    gannet_jpeg_stand stand = gannet_jpeg_parts_leave(shrink->parts);
    shrink->follows = false;
    shrink->bits = stand.bits;
    for (int index = 0; index < shrink->plane_count; index++) shrink->planes[index].predictor = stand.predictors[index];
    if (shrink->restart_interval == 0) return;
    // Before the first MCU of an interval its marker is still ahead.
    size_t markers = (number - 1) / shrink->restart_interval;
    shrink->restart = (int)(markers & 7);
    shrink->until_restart = (unsigned)((markers + 1) * shrink->restart_interval - number);
}

bool gannet_jpeg_shrink_take(gannet_jpeg_shrink *shrink, size_t mcu) {
    size_t number = shrink->mcu_row * shrink->mcus + mcu;
    if (!shrink->follows) {
        gannet_jpeg_stand stand = stand_of(shrink);
        shrink->follows = gannet_jpeg_parts_meet(shrink->parts, &stand, number);
        if (!shrink->follows) return false;
    }
    const uint32_t *offsets;
    const int16_t *kept = gannet_jpeg_parts_take(shrink->parts, &shrink->cursor, number, &offsets);
    if (kept == NULL) {
        leave(shrink, number);
        return false;
    }
    draw_kept(shrink, shrink->planes, mcu, kept, offsets);
    return true;
}

// Beginning

size_t gannet_jpeg_shrink_dividing(gannet_jpeg_shrink *shrink, int threads) {
    if (shrink->mcu_row > 0 || shrink->scales[0].left > 0 || shrink->scales[0].width < shrink->scales[0].row) return 0;
    if (shrink->parts != NULL || shrink->relay != NULL || shrink->is_beside) return 0;
    if (shrink->progression != NULL) {
        size_t bytes = 0;
        shrink->threads = gannet_jpeg_relay_worth(shrink->progression, threads, &bytes);
        return bytes;
    }
    gannet_jpeg_plan *plan = &shrink->plan;
    *plan = (gannet_jpeg_plan){
        .bytes = shrink->bits.at, .plane_count = shrink->plane_count, .mcus = shrink->mcus * shrink->mcu_rows, .mcus_across = shrink->mcus,
        .restart_interval = shrink->restart_interval};
    for (int index = 0; index < shrink->plane_count; index++) {
        const struct plane *plane = &shrink->planes[index];
        const struct view *view = &plane->views[0];
        plan->planes[index].blocks = plane->blocks_across * plane->blocks_down;
        plan->planes[index].across = view->across;
        plan->planes[index].down = view->down;
        plan->planes[index].last = view->last;
        plan->planes[index].dc = plane->dc;
        plan->planes[index].ac = plane->ac;
        plan->record += (size_t)plan->planes[index].blocks * (size_t)(view->across * view->down + 1);
    }
    size_t count = (size_t)(shrink->bits.end - shrink->bits.at);
    shrink->threads = gannet_jpeg_parts_worth(plan, count, threads, &shrink->scan_bytes);
    if (shrink->threads < 2) return 0;
    // All rows, and samples of those that each thread beside the owner's makes.
    size_t helpers = (size_t)shrink->threads - 1;
    return gannet_jpeg_parts_bytes(plan, shrink->threads) + shrink->mcu_rows * gannet_jpeg_pixels_before(shrink, shrink->scale_count)
        + helpers * gannet_jpeg_samples_size(shrink);
}

int gannet_jpeg_shrink_divide(gannet_jpeg_shrink *shrink) {
    if (shrink->threads < 2 || shrink->relay != NULL || shrink->parts != NULL || shrink->mcu_row > 0) return 1;
    if (shrink->progression != NULL) {
        shrink->relay = gannet_jpeg_relay_create(shrink->progression, shrink->mcu_rows, shrink->threads);
        return shrink->relay == NULL ? 1 : shrink->threads;
    }
    size_t count = (size_t)(shrink->bits.end - shrink->bits.at);
    shrink->parts = gannet_jpeg_parts_create(&shrink->plan, shrink->scan_bytes, count, shrink->threads, make_band, shrink);
    return shrink->parts == NULL ? 1 : gannet_jpeg_parts_count(shrink->parts);
}

bool gannet_jpeg_shrink_follows(const gannet_jpeg_shrink *shrink) { return shrink->follows || shrink->relay != NULL; }
