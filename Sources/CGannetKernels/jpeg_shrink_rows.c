#include <stdlib.h>

#include "jpeg_shrink.h"

/// The interval that ended is followed by the next marker of eight.
static bool restart(gannet_jpeg_shrink *shrink) {
    if (!gannet_jpeg_restart(&shrink->bits, shrink->restart)) return false;
    shrink->restart = (shrink->restart + 1) & 7;
    shrink->until_restart = shrink->restart_interval;
    for (int index = 0; index < shrink->plane_count; index++) shrink->planes[index].predictor = 0;
    return true;
}

/// A block without any detail.
static void fill(uint8_t *samples, size_t stride, const struct plane *plane, int16_t mean) {
    int32_t level = ((mean * (int32_t)plane->steps[0] + 4) >> 3) + 128;
    uint8_t sample = level < 0 ? 0 : level > 255 ? 255 : (uint8_t)level;
    for (int y = 0; y < plane->down; y++) memset(samples + (size_t)y * stride, sample, (size_t)plane->across);
}

static inline void make_samples(uint8_t *samples, size_t stride, const struct plane *plane, const int16_t *block, bool has_details) {
    if (!has_details && plane->across > 2) {
        fill(samples, stride, plane, block[0]);
    } else {
        plane->inverse(block, plane->steps, samples, stride);
    }
}

static bool decode_plane(gannet_jpeg_shrink *shrink, struct plane *plane, size_t mcu, bool is_drawn) {
    int last = is_drawn ? plane->last : 0;
    for (int y = 0; y < plane->blocks_down; y++) {
        size_t left = mcu * (size_t)(plane->blocks_across * plane->across);
        uint8_t *samples = plane->samples + (size_t)(y * plane->down) * shrink->stride + left;
        for (int x = 0; x < plane->blocks_across; x++, samples += plane->across) {
            int16_t block[64] = {0};
            int stored = gannet_jpeg_decode_block(&shrink->bits, plane->dc, plane->ac, last, &plane->predictor, block);
            if (stored < 0) return false;
            if (is_drawn) make_samples(samples, shrink->stride, plane, block, stored != 0);
        }
    }
    return true;
}

/// A row of MCUs of a progressive file.
static void draw_blocks(gannet_jpeg_shrink *shrink, const gannet_jpeg_lap *lap) {
    for (int index = 0; index < shrink->plane_count; index++) {
        const struct plane *plane = &shrink->planes[index];
        uint64_t shown = ~(uint64_t)0 >> (63 - plane->last);
        for (int y = 0; y < plane->blocks_down; y++) {
            const uint64_t *details = lap->details[index][y];
            uint8_t *row = plane->samples + (size_t)(y * plane->down) * shrink->stride;
            size_t x = shrink->first * (size_t)plane->blocks_across;
            size_t end = (shrink->end < shrink->mcus ? shrink->end : shrink->mcus) * (size_t)plane->blocks_across;
            uint8_t *samples = row + x * (size_t)plane->across;
            for (; x < end; x++, samples += plane->across)
                make_samples(samples, shrink->stride, plane, lap->rows[index][y] + 64 * x, (details[x] & shown) != 0);
        }
    }
}

static bool decode_progressive_band(gannet_jpeg_shrink *shrink, bool is_drawn) {
    if (shrink->relay != NULL) {
        const gannet_jpeg_lap *lap = gannet_jpeg_relay_next(shrink->relay);
        if (lap != NULL) draw_blocks(shrink, lap);
        return lap != NULL;
    }
    gannet_jpeg_lap lap = {{{NULL}}, {{NULL}}};
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        size_t row = shrink->mcus * (size_t)plane->blocks_across * 64;
        memset(plane->coefficients, 0, row * (size_t)plane->blocks_down * sizeof *plane->coefficients);
        for (int y = 0; y < plane->blocks_down; y++) lap.rows[index][y] = plane->coefficients + (size_t)y * row;
    }
    if (!gannet_jpeg_progression_next(shrink->progression, lap.rows)) return false;
    if (!is_drawn) return true;
    gannet_jpeg_progression_use_own_details(shrink->progression, &lap);
    draw_blocks(shrink, &lap);
    return true;
}

// Parts

/// An MCU that a part has read, into planes of samples.
static void draw_kept(const gannet_jpeg_shrink *shrink, uint8_t *const planes[3], size_t mcu, const int16_t *kept, const uint32_t *offsets) {
    for (int index = 0; index < shrink->plane_count; index++) {
        const struct plane *plane = &shrink->planes[index];
        const size_t across = (size_t)plane->across, down = (size_t)plane->down;
        for (size_t y = 0; y < (size_t)plane->blocks_down; y++) {
            uint8_t *samples = planes[index] + y * down * shrink->stride + mcu * (size_t)plane->blocks_across * across;
            for (int x = 0; x < plane->blocks_across; x++, samples += across) {
                int16_t block[64];
                for (size_t row = 0; row < down; row++, kept += across) memcpy(block + 8 * row, kept, across * sizeof *block);
                block[0] = (int16_t)((uint32_t)block[0] + offsets[index]);
                make_samples(samples, shrink->stride, plane, block, *kept++ != 0);
            }
        }
    }
}

static void make_pixels(const gannet_jpeg_shrink *shrink, const uint8_t *const rows[3], uint8_t *pixels) {
    switch (shrink->colors) {
    case GANNET_JPEG_GRAY: gannet_jpeg_pixels_of_gray(rows[0], pixels, shrink->width); break;
    case GANNET_JPEG_YCC: gannet_jpeg_pixels_of_ycc(rows[0], rows[1], rows[2], pixels, shrink->width); break;
    case GANNET_JPEG_RGB: gannet_jpeg_pixels_of_rgb(rows[0], rows[1], rows[2], pixels, shrink->width); break;
    }
}

uint8_t *gannet_jpeg_shrink_make_band(void *context, gannet_jpeg_parts *parts, size_t band) {
    const gannet_jpeg_shrink *shrink = context;
    const size_t size = shrink->stride * (size_t)shrink->band;
    uint8_t *samples = malloc(size * (size_t)shrink->plane_count), *pixels = malloc((size_t)shrink->band * shrink->row * 4);
    bool is_whole = samples != NULL && pixels != NULL;
    if (is_whole) {
        uint8_t *const planes[3] = {samples, samples + size, samples + 2 * size};
        gannet_jpeg_cursor cursor = {0, 0};
        for (size_t mcu = 0; mcu < shrink->mcus && is_whole; mcu++) {
            const uint32_t *offsets;
            const int16_t *kept = gannet_jpeg_parts_take(parts, &cursor, band * shrink->mcus + mcu, &offsets);
            is_whole = kept != NULL;
            if (is_whole) draw_kept(shrink, planes, mcu, kept, offsets);
        }
        for (size_t y = 0; y < (size_t)shrink->band && is_whole; y++) {
            const uint8_t *const rows[3] = {planes[0] + y * shrink->stride, planes[1] + y * shrink->stride, planes[2] + y * shrink->stride};
            make_pixels(shrink, rows, pixels + y * shrink->row * 4);
        }
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

/// An MCU that the parts have. False: it has to be decoded.
static bool take(gannet_jpeg_shrink *shrink, size_t mcu) {
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
    uint8_t *const planes[3] = {shrink->planes[0].samples, shrink->planes[1].samples, shrink->planes[2].samples};
    draw_kept(shrink, planes, mcu, kept, offsets);
    return true;
}

// Rows

static bool decode_mcu(gannet_jpeg_shrink *shrink, size_t mcu, bool is_drawn) {
    if (shrink->restart_interval > 0) {
        if (shrink->until_restart == 0 && !restart(shrink)) return false;
        shrink->until_restart--;
    }
    for (int index = 0; index < shrink->plane_count; index++)
        if (!decode_plane(shrink, &shrink->planes[index], mcu, is_drawn)) return false;
    return true;
}

/// False: the data is damaged or ends here.
static bool decode_band(gannet_jpeg_shrink *shrink, bool is_drawn) {
    shrink->next = 0;
    if (shrink->progression != NULL) return decode_progressive_band(shrink, is_drawn);
    free(shrink->made);
    shrink->made = shrink->follows ? gannet_jpeg_parts_band(shrink->parts, shrink->mcu_row) : NULL;
    for (size_t mcu = 0; mcu < shrink->mcus && shrink->made == NULL; mcu++) {
        if (shrink->parts != NULL && take(shrink, mcu)) continue;
        if (!decode_mcu(shrink, mcu, is_drawn && mcu >= shrink->first && mcu < shrink->end)) return false;
    }
    shrink->mcu_row++;
    return shrink->follows || !gannet_jpeg_is_exhausted(&shrink->bits);
}

bool gannet_jpeg_shrink_keep(gannet_jpeg_shrink *shrink, size_t left, size_t width) {
    if (left > shrink->row || width > shrink->row - left || shrink->parts != NULL || shrink->relay != NULL) return false;
    shrink->threads = 0;
    size_t samples = shrink->stride / shrink->mcus;
    shrink->left = left;
    shrink->width = width;
    shrink->first = left / samples;
    shrink->end = (left + width + samples - 1) / samples;
    return true;
}

bool gannet_jpeg_shrink_skip(gannet_jpeg_shrink *shrink, size_t rows) {
    while (rows > 0) {
        if (shrink->next == shrink->band) {
            if (!decode_band(shrink, rows < (size_t)shrink->band)) return false;
        }
        size_t left = (size_t)(shrink->band - shrink->next);
        size_t step = rows < left ? rows : left;
        shrink->next += (int)step;
        rows -= step;
    }
    return true;
}

bool gannet_jpeg_shrink_row(gannet_jpeg_shrink *shrink, uint8_t *pixels) {
    if (shrink->next == shrink->band && !decode_band(shrink, true)) return false;
    const size_t y = (size_t)shrink->next++;
    if (shrink->made != NULL) {
        memcpy(pixels, shrink->made + y * shrink->row * 4, shrink->row * 4);
        return true;
    }
    const uint8_t *rows[3] = {NULL, NULL, NULL};
    for (int index = 0; index < shrink->plane_count; index++)
        rows[index] = shrink->planes[index].samples + y * shrink->stride + shrink->left;
    make_pixels(shrink, rows, pixels);
    return true;
}
