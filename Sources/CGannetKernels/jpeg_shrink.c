#include "jpeg_shrink.h"

#include <stdlib.h>

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
    shrink->mcu_rows = ((size_t)frame->height + (size_t)most_down * 8 - 1) / ((size_t)most_down * 8);
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
    gannet_jpeg_parts_destroy(shrink->parts);
    gannet_jpeg_relay_destroy(shrink->relay);
    free(shrink->made);
    for (int index = 0; index < shrink->plane_count; index++) {
        free(shrink->planes[index].samples);
        free(shrink->planes[index].coefficients);
    }
    gannet_jpeg_progression_destroy(shrink->progression);
    for (struct named_table *named = shrink->tables; named->table != NULL; named++) free(named->table);
    free(shrink);
}

size_t gannet_jpeg_shrink_bytes(const gannet_jpeg_shrink *shrink) { return shrink->bytes; }

// Parts

size_t gannet_jpeg_shrink_dividing(gannet_jpeg_shrink *shrink, int threads) {
    if (shrink->mcu_row > 0 || shrink->left > 0 || shrink->width < shrink->row) return 0;
    if (shrink->parts != NULL || shrink->relay != NULL) return 0;
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
        plan->planes[index].blocks = plane->blocks_across * plane->blocks_down;
        plan->planes[index].across = plane->across;
        plan->planes[index].down = plane->down;
        plan->planes[index].last = plane->last;
        plan->planes[index].dc = plane->dc;
        plan->planes[index].ac = plane->ac;
        plan->record += (size_t)plan->planes[index].blocks * (size_t)(plane->across * plane->down + 1);
    }
    size_t count = (size_t)(shrink->bits.end - shrink->bits.at);
    shrink->threads = gannet_jpeg_parts_worth(plan, count, threads, &shrink->scan_bytes);
    if (shrink->threads < 2) return 0;
    // All rows, and samples of those that each thread beside the owner's makes.
    size_t helpers = (size_t)shrink->threads - 1, band = (size_t)shrink->band;
    return gannet_jpeg_parts_bytes(plan, shrink->threads) + shrink->mcu_rows * band * shrink->row * 4
        + helpers * band * shrink->stride * (size_t)shrink->plane_count;
}

int gannet_jpeg_shrink_divide(gannet_jpeg_shrink *shrink) {
    if (shrink->threads < 2 || shrink->relay != NULL || shrink->parts != NULL || shrink->mcu_row > 0) return 1;
    if (shrink->progression != NULL) {
        shrink->relay = gannet_jpeg_relay_create(shrink->progression, shrink->mcu_rows, shrink->threads);
        return shrink->relay == NULL ? 1 : shrink->threads;
    }
    size_t count = (size_t)(shrink->bits.end - shrink->bits.at);
    shrink->parts = gannet_jpeg_parts_create(
        &shrink->plan, shrink->scan_bytes, count, shrink->threads, gannet_jpeg_shrink_make_band, shrink);
    return shrink->parts == NULL ? 1 : gannet_jpeg_parts_count(shrink->parts);
}

bool gannet_jpeg_shrink_follows(const gannet_jpeg_shrink *shrink) { return shrink->follows || shrink->relay != NULL; }
