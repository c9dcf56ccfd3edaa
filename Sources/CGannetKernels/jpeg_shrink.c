#include "gannet_jpeg_shrink.h"

#include <stdlib.h>

#include "gannet_jpeg_colors.h"
#include "gannet_jpeg_inverse.h"
#include "jpeg_entropy.h"

struct plane {
    int blocks_across, blocks_down;  // of an MCU
    int across, down;                // samples of a block
    int last;                        // the last coefficient that is needed, in zigzag order
    uint16_t steps[64];
    gannet_jpeg_inverse *inverse;
    const gannet_jpeg_table *dc, *ac;
    uint32_t predictor;
    uint8_t *samples;
    int16_t *coefficients;  // of a row of MCUs; NULL: baseline, which needs them of one block
};

struct named_table {
    const uint8_t *counts;
    bool is_dc;
    gannet_jpeg_table *table;
};

struct gannet_jpeg_shrink {
    gannet_jpeg_bits bits;
    struct plane planes[3];
    int plane_count;
    struct named_table tables[7];  // the last one stays empty
    gannet_jpeg_colors colors;
    size_t row;           // pixels of the whole one
    size_t left, width;   // of a row that is delivered
    size_t first, end;    // MCUs of a row that have delivered samples
    size_t mcus;          // in a row
    size_t stride;        // of the planes
    int band, next;       // rows of a row of MCUs, and the one that is delivered next
    unsigned restart_interval, until_restart;
    int restart;
    gannet_jpeg_progression *progression;  // NULL: baseline
    size_t bytes;
};

/// Of the lowest coefficients, as many as there are samples.
static int last_coefficient(int across, int down) {
    int last = 0;
    for (int index = 0; index < 64; index++) {
        int place = gannet_jpeg_natural_order[index];
        if (place % 8 < across && place / 8 < down) last = index;
    }
    return last;
}

static bool set_plane(struct plane *plane, const gannet_jpeg_component *component, int eighths, int most_across, int most_down) {
    int wide = most_across / component->horizontal, high = most_down / component->vertical;
    if (wide * component->horizontal != most_across || high * component->vertical != most_down || wide > 2 || high > 2) return false;
    plane->blocks_across = component->horizontal;
    plane->blocks_down = component->vertical;
    plane->across = eighths * wide;
    plane->down = eighths * high;
    plane->last = last_coefficient(plane->across, plane->down);
    memcpy(plane->steps, component->steps, sizeof plane->steps);
    plane->inverse = gannet_jpeg_inverse_for(plane->across, plane->down);
    return plane->inverse != NULL;
}

/// The table of these codes, made once. NULL: they are none, or no memory.
static gannet_jpeg_table *table_of(gannet_jpeg_shrink *shrink, const gannet_jpeg_codes *codes, bool is_dc) {
    struct named_table *named = shrink->tables;
    for (; named->table != NULL; named++)
        if (named->counts == codes->counts && named->is_dc == is_dc) return named->table;
    named->counts = codes->counts;
    named->is_dc = is_dc;
    named->table = malloc(sizeof *named->table);
    shrink->bytes += sizeof *named->table;
    return named->table != NULL && gannet_jpeg_table_build(named->table, codes, is_dc ? JPEG_DC : JPEG_AC) ? named->table : NULL;
}

/// Tables for a scan of all components, one block at a time.
static bool set_up_baseline(gannet_jpeg_shrink *shrink, const gannet_jpeg_frame *frame) {
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        plane->dc = table_of(shrink, &frame->components[index].dc, true);
        plane->ac = table_of(shrink, &frame->components[index].ac, false);
        if (plane->dc == NULL || plane->ac == NULL) return false;
    }
    return true;
}

static bool set_up_progressive(gannet_jpeg_shrink *shrink, const gannet_jpeg_frame *frame) {
    gannet_jpeg_progressive_frame own = {.width = frame->width, .height = frame->height, .component_count = shrink->plane_count};
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        own.components[index].horizontal = plane->blocks_across;
        own.components[index].vertical = plane->blocks_down;
        own.components[index].last = plane->last;
        size_t size = shrink->mcus * (size_t)(plane->blocks_across * plane->blocks_down) * 64 * sizeof *plane->coefficients;
        plane->coefficients = malloc(size);
        if (plane->coefficients == NULL) return false;
        shrink->bytes += size;
    }
    shrink->progression = gannet_jpeg_progression_create(&own, frame->scans, frame->scan_count);
    if (shrink->progression == NULL) return false;
    shrink->bytes += gannet_jpeg_progression_bytes(shrink->progression);
    return true;
}

static bool set_up(gannet_jpeg_shrink *shrink, const gannet_jpeg_frame *frame) {
    int most_across = 1, most_down = 1, blocks = 0;
    for (int index = 0; index < shrink->plane_count; index++) {
        const gannet_jpeg_component *component = &frame->components[index];
        if (component->horizontal < 1 || component->vertical < 1) return false;
        blocks += component->horizontal * component->vertical;
        if (component->horizontal > most_across) most_across = component->horizontal;
        if (component->vertical > most_down) most_down = component->vertical;
    }
    if (blocks > 10) return false;
    size_t mcu = (size_t)most_across * 8;
    shrink->mcus = ((size_t)frame->width + mcu - 1) / mcu;
    shrink->stride = shrink->mcus * (size_t)(most_across * frame->eighths);
    shrink->band = most_down * frame->eighths;
    shrink->next = shrink->band;
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        if (!set_plane(plane, &frame->components[index], frame->eighths, most_across, most_down)) return false;
        plane->samples = malloc(shrink->stride * (size_t)shrink->band);
        if (plane->samples == NULL) return false;
        shrink->bytes += shrink->stride * (size_t)shrink->band;
    }
    return frame->scans == NULL ? set_up_baseline(shrink, frame) : set_up_progressive(shrink, frame);
}

gannet_jpeg_shrink *gannet_jpeg_shrink_create(const gannet_jpeg_frame *frame, const uint8_t *bytes, size_t count) {
    if (frame->width < 1 || frame->height < 1 || frame->width > 65535 || frame->height > 65535) return NULL;
    if (frame->eighths != 1 && frame->eighths != 2 && frame->eighths != 4) return NULL;
    gannet_jpeg_shrink *shrink = calloc(1, sizeof *shrink);
    if (shrink == NULL) return NULL;
    shrink->bits.at = bytes;
    shrink->bits.end = bytes + count;
    shrink->plane_count = frame->colors == GANNET_JPEG_GRAY ? 1 : 3;
    shrink->colors = frame->colors;
    shrink->row = ((size_t)frame->width * (size_t)frame->eighths + 7) / 8;
    shrink->width = shrink->row;
    shrink->end = SIZE_MAX;
    shrink->restart_interval = frame->restart_interval;
    shrink->until_restart = frame->restart_interval;
    if (set_up(shrink, frame)) return shrink;
    gannet_jpeg_shrink_destroy(shrink);
    return NULL;
}

void gannet_jpeg_shrink_destroy(gannet_jpeg_shrink *shrink) {
    if (shrink == NULL) return;
    for (int index = 0; index < shrink->plane_count; index++) {
        free(shrink->planes[index].samples);
        free(shrink->planes[index].coefficients);
    }
    gannet_jpeg_progression_destroy(shrink->progression);
    for (struct named_table *named = shrink->tables; named->table != NULL; named++) free(named->table);
    free(shrink);
}

size_t gannet_jpeg_shrink_bytes(const gannet_jpeg_shrink *shrink) { return shrink->bytes; }

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

static bool decode_progressive_band(gannet_jpeg_shrink *shrink, bool is_drawn) {
    int16_t *rows[GANNET_JPEG_MOST_COMPONENTS][4] = {{NULL}};
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        size_t row = shrink->mcus * (size_t)plane->blocks_across * 64;
        memset(plane->coefficients, 0, row * (size_t)plane->blocks_down * sizeof *plane->coefficients);
        for (int y = 0; y < plane->blocks_down; y++) rows[index][y] = plane->coefficients + (size_t)y * row;
    }
    if (!gannet_jpeg_progression_next(shrink->progression, rows)) return false;
    if (!is_drawn) return true;
    for (int index = 0; index < shrink->plane_count; index++) {
        const struct plane *plane = &shrink->planes[index];
        uint64_t shown = ~(uint64_t)0 >> (63 - plane->last);
        for (int y = 0; y < plane->blocks_down; y++) {
            const uint64_t *details = gannet_jpeg_progression_details(shrink->progression, index, y);
            uint8_t *row = plane->samples + (size_t)(y * plane->down) * shrink->stride;
            size_t x = shrink->first * (size_t)plane->blocks_across;
            size_t end = (shrink->end < shrink->mcus ? shrink->end : shrink->mcus) * (size_t)plane->blocks_across;
            uint8_t *samples = row + x * (size_t)plane->across;
            for (; x < end; x++, samples += plane->across)
                make_samples(samples, shrink->stride, plane, rows[index][y] + 64 * x, (details[x] & shown) != 0);
        }
    }
    return true;
}

static bool decode_band(gannet_jpeg_shrink *shrink, bool is_drawn) {
    if (shrink->progression != NULL) return decode_progressive_band(shrink, is_drawn);
    for (size_t mcu = 0; mcu < shrink->mcus; mcu++) {
        if (shrink->restart_interval > 0) {
            if (shrink->until_restart == 0 && !restart(shrink)) return false;
            shrink->until_restart--;
        }
        for (int index = 0; index < shrink->plane_count; index++)
            if (!decode_plane(shrink, &shrink->planes[index], mcu, is_drawn && mcu >= shrink->first && mcu < shrink->end)) return false;
    }
    return !gannet_jpeg_is_exhausted(&shrink->bits);
}

bool gannet_jpeg_shrink_keep(gannet_jpeg_shrink *shrink, size_t left, size_t width) {
    if (left > shrink->row || width > shrink->row - left) return false;
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
            shrink->next = 0;
        }
        size_t left = (size_t)(shrink->band - shrink->next);
        size_t step = rows < left ? rows : left;
        shrink->next += (int)step;
        rows -= step;
    }
    return true;
}

bool gannet_jpeg_shrink_row(gannet_jpeg_shrink *shrink, uint8_t *pixels) {
    if (shrink->next == shrink->band) {
        if (!decode_band(shrink, true)) return false;
        shrink->next = 0;
    }
    const uint8_t *rows[3] = {NULL, NULL, NULL};
    for (int index = 0; index < shrink->plane_count; index++)
        rows[index] = shrink->planes[index].samples + (size_t)shrink->next * shrink->stride + shrink->left;
    shrink->next++;
    switch (shrink->colors) {
    case GANNET_JPEG_GRAY: gannet_jpeg_pixels_of_gray(rows[0], pixels, shrink->width); break;
    case GANNET_JPEG_YCC: gannet_jpeg_pixels_of_ycc(rows[0], rows[1], rows[2], pixels, shrink->width); break;
    case GANNET_JPEG_RGB: gannet_jpeg_pixels_of_rgb(rows[0], rows[1], rows[2], pixels, shrink->width); break;
    }
    return true;
}
