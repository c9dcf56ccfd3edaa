#include <stdlib.h>

#include "jpeg_shrink_draw.h"

/// The interval that ended is followed by the next marker of eight.
static bool restart(gannet_jpeg_shrink *shrink) {
    if (!gannet_jpeg_restart(&shrink->bits, shrink->restart)) return false;
    shrink->restart = (shrink->restart + 1) & 7;
    shrink->until_restart = shrink->restart_interval;
    for (int index = 0; index < shrink->plane_count; index++) shrink->planes[index].predictor = 0;
    return true;
}

/// `has_smaller`: there are several sizes. Known where it is inlined, because a single one is the rule, and shall cost nothing more.
static inline __attribute__((always_inline)) bool decode_plane(
    gannet_jpeg_shrink *shrink, struct plane *plane, size_t mcu, bool is_drawn, bool has_smaller) {
    const struct view *view = &plane->views[0];
    int last = is_drawn ? view->last : 0;
    for (int y = 0; y < plane->blocks_down; y++) {
        size_t left = mcu * (size_t)(plane->blocks_across * view->across);
        uint8_t *samples = view->samples + (size_t)(y * view->down) * shrink->scales[0].stride + left;
        for (int x = 0; x < plane->blocks_across; x++, samples += view->across) {
            int16_t block[64] = {0};
            int stored = gannet_jpeg_decode_block(&shrink->bits, plane->dc, plane->ac, last, &plane->predictor, block);
            if (stored < 0) return false;
            if (is_drawn) gannet_jpeg_draw(samples, shrink->scales[0].stride, plane, view, block, stored != 0);
            if (!has_smaller) continue;
            gannet_jpeg_draw_smaller(
                shrink, plane, mcu * (size_t)plane->blocks_across + (size_t)x, y, block, stored != 0 ? ~(uint64_t)0 : 0);
        }
    }
    return true;
}

void gannet_jpeg_shrink_draw_lap(gannet_jpeg_shrink *shrink, const gannet_jpeg_lap *lap) {
    const size_t stride = shrink->scales[0].stride;
    for (int index = 0; index < shrink->plane_count; index++) {
        const struct plane *plane = &shrink->planes[index];
        const struct view *view = &plane->views[0];
        uint64_t shown = ~(uint64_t)0 >> (63 - view->last);
        for (int y = 0; y < plane->blocks_down; y++) {
            const uint64_t *details = lap->details[index][y];
            uint8_t *row = view->samples + (size_t)(y * view->down) * stride;
            size_t x = shrink->first * (size_t)plane->blocks_across;
            size_t end = (shrink->end < shrink->mcus ? shrink->end : shrink->mcus) * (size_t)plane->blocks_across;
            uint8_t *samples = row + x * (size_t)view->across;
            for (; x < end; x++, samples += view->across) {
                const int16_t *block = lap->rows[index][y] + 64 * x;
                gannet_jpeg_draw(samples, stride, plane, view, block, (details[x] & shown) != 0);
                if (shrink->scale_count > 1) gannet_jpeg_draw_smaller(shrink, plane, x, y, block, details[x]);
            }
        }
    }
}

bool gannet_jpeg_shrink_read_scans(gannet_jpeg_shrink *shrink, gannet_jpeg_lap *lap) {
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        size_t row = shrink->mcus * (size_t)plane->blocks_across * 64;
        memset(plane->coefficients, 0, row * (size_t)plane->blocks_down * sizeof *plane->coefficients);
        for (int y = 0; y < plane->blocks_down; y++) lap->rows[index][y] = plane->coefficients + (size_t)y * row;
    }
    return gannet_jpeg_progression_next(shrink->progression, lap->rows);
}

static bool decode_progressive_band(gannet_jpeg_shrink *shrink, bool is_drawn) {
    if (shrink->relay != NULL) {
        const gannet_jpeg_lap *lap = gannet_jpeg_relay_next(shrink->relay);
        if (lap != NULL) gannet_jpeg_shrink_draw_lap(shrink, lap);
        return lap != NULL;
    }
    gannet_jpeg_lap lap = {{{NULL}}, {{NULL}}};
    if (!gannet_jpeg_shrink_read_scans(shrink, &lap)) return false;
    if (!is_drawn) return true;
    gannet_jpeg_progression_use_own_details(shrink->progression, &lap);
    gannet_jpeg_shrink_draw_lap(shrink, &lap);
    return true;
}

static inline __attribute__((always_inline)) bool decode_mcu_at(gannet_jpeg_shrink *shrink, size_t mcu, bool is_drawn, bool has_smaller) {
    if (shrink->restart_interval > 0) {
        if (shrink->until_restart == 0 && !restart(shrink)) return false;
        shrink->until_restart--;
    }
    for (int index = 0; index < shrink->plane_count; index++)
        if (!decode_plane(shrink, &shrink->planes[index], mcu, is_drawn, has_smaller)) return false;
    return true;
}

static __attribute__((noinline)) bool decode_mcu_of_sizes(gannet_jpeg_shrink *shrink, size_t mcu) { return decode_mcu_at(shrink, mcu, true, true); }

static inline bool decode_mcu(gannet_jpeg_shrink *shrink, size_t mcu, bool is_drawn) {
    return shrink->scale_count > 1 ? decode_mcu_of_sizes(shrink, mcu) : decode_mcu_at(shrink, mcu, is_drawn, false);
}

/// False: the data is damaged or ends here, or rows of one of the sizes were not taken.
static bool decode_band(gannet_jpeg_shrink *shrink, bool is_drawn) {
    for (size_t number = 0; number < shrink->scale_count; number++)
        if (shrink->scales[number].next < shrink->scales[number].band) return false;
    if (shrink->is_beside && !gannet_jpeg_shrink_take_waiting(shrink)) return false;
    for (size_t number = 0; number < shrink->scale_count; number++) shrink->scales[number].next = 0;
    if (shrink->is_beside) return true;
    if (shrink->progression != NULL) return decode_progressive_band(shrink, is_drawn);
    free(shrink->made);
    shrink->made = shrink->follows ? gannet_jpeg_parts_band(shrink->parts, shrink->mcu_row) : NULL;
    for (size_t mcu = 0; mcu < shrink->mcus && shrink->made == NULL; mcu++) {
        if (shrink->parts != NULL && gannet_jpeg_shrink_take(shrink, mcu)) continue;
        if (!decode_mcu(shrink, mcu, is_drawn && mcu >= shrink->first && mcu < shrink->end)) return false;
    }
    shrink->mcu_row++;
    return shrink->follows || !gannet_jpeg_is_exhausted(&shrink->bits);
}

// Rows

bool gannet_jpeg_shrink_keep(gannet_jpeg_shrink *shrink, size_t left, size_t width) {
    struct scale *scale = &shrink->scales[0];
    if (left > scale->row || width > scale->row - left || shrink->parts != NULL || shrink->relay != NULL) return false;
    if (shrink->scale_count > 1 || shrink->is_beside) return false;
    shrink->threads = 0;
    size_t samples = scale->stride / shrink->mcus;
    scale->left = left;
    scale->width = width;
    shrink->first = left / samples;
    shrink->end = (left + width + samples - 1) / samples;
    return true;
}

bool gannet_jpeg_shrink_skip(gannet_jpeg_shrink *shrink, size_t rows) {
    if (shrink->scale_count > 1 || shrink->is_beside) return false;
    struct scale *scale = &shrink->scales[0];
    while (rows > 0) {
        if (scale->next == scale->band) {
            if (!decode_band(shrink, rows < (size_t)scale->band)) return false;
        }
        size_t left = (size_t)(scale->band - scale->next);
        size_t step = rows < left ? rows : left;
        scale->next += (int)step;
        rows -= step;
    }
    return true;
}

int gannet_jpeg_shrink_band(const gannet_jpeg_shrink *shrink, size_t size) {
    return size < shrink->scale_count ? shrink->scales[size].band : 0;
}

bool gannet_jpeg_shrink_row(gannet_jpeg_shrink *shrink, size_t size, uint8_t *pixels) {
    if (size >= shrink->scale_count) return false;
    struct scale *scale = &shrink->scales[size];
    if (scale->next == scale->band && !decode_band(shrink, true)) return false;
    const size_t y = (size_t)scale->next++;
    if (shrink->made != NULL) {
        memcpy(pixels, shrink->made + gannet_jpeg_pixels_before(shrink, size) + y * scale->row * 4, scale->row * 4);
    } else {
        gannet_jpeg_make_pixels(shrink, shrink->planes, size, y, pixels);
    }
    return true;
}
