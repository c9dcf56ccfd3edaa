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

/// A component at one of the sizes. False: it is not stored at the largest size of all or at half of it.
static bool set_view(struct view *view, const gannet_jpeg_component *component, int eighths, int most_across, int most_down) {
    int wide = most_across / component->horizontal, high = most_down / component->vertical;
    if (wide * component->horizontal != most_across || high * component->vertical != most_down || wide > 2 || high > 2) return false;
    view->across = eighths * wide;
    view->down = eighths * high;
    view->last = last_coefficient(view->across, view->down);
    view->inverse = gannet_jpeg_inverse_for(view->across, view->down);
    return view->inverse != NULL;
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
        own.components[index].last = plane->views[0].last;
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

static bool set_scale(gannet_jpeg_shrink *shrink, const gannet_jpeg_frame *frame, int eighths, int most_across, int most_down) {
    const size_t number = shrink->scale_count++;
    struct scale *scale = &shrink->scales[number];
    scale->row = ((size_t)frame->width * (size_t)eighths + 7) / 8;
    scale->width = scale->row;
    scale->stride = shrink->mcus * (size_t)(most_across * eighths);
    scale->band = most_down * eighths;
    scale->next = scale->band;
    for (int index = 0; index < shrink->plane_count; index++)
        if (!set_view(&shrink->planes[index].views[number], &frame->components[index], eighths, most_across, most_down)) return false;
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
    if (!set_scale(shrink, frame, frame->eighths, most_across, most_down)) return false;
    for (int index = 0; index < GANNET_JPEG_MOST_SCALES - 1 && frame->smaller[index] > 0; index++)
        if (!set_scale(shrink, frame, frame->smaller[index], most_across, most_down)) return false;
    for (int index = 0; index < shrink->plane_count; index++) {
        struct plane *plane = &shrink->planes[index];
        plane->blocks_across = frame->components[index].horizontal;
        plane->blocks_down = frame->components[index].vertical;
        memcpy(plane->steps, frame->components[index].steps, sizeof plane->steps);
    }
    size_t size = gannet_jpeg_samples_size(shrink);
    shrink->samples = malloc(size);
    if (shrink->samples == NULL) return false;
    gannet_jpeg_set_samples(shrink->planes, shrink, shrink->samples);
    shrink->bytes += size;
    return frame->scans == NULL ? set_up_baseline(shrink, frame) : set_up_progressive(shrink, frame);
}

/// 1, 2 or 4, and the smaller ones in their order.
static bool has_sizes(const gannet_jpeg_frame *frame) {
    int before = frame->eighths;
    if (before != 1 && before != 2 && before != 4) return false;
    for (int index = 0; index < GANNET_JPEG_MOST_SCALES - 1 && frame->smaller[index] != 0; index++) {
        int eighths = frame->smaller[index];
        if ((eighths != 1 && eighths != 2) || eighths >= before) return false;
        before = eighths;
    }
    return true;
}

gannet_jpeg_shrink *gannet_jpeg_shrink_create(const gannet_jpeg_frame *frame, const uint8_t *bytes, size_t count) {
    if (frame->width < 1 || frame->height < 1 || frame->width > 65535 || frame->height > 65535) return NULL;
    if (!has_sizes(frame)) return NULL;
    gannet_jpeg_shrink *shrink = calloc(1, sizeof *shrink);
    if (shrink == NULL) return NULL;
    shrink->bits.at = bytes;
    shrink->bits.end = bytes + count;
    shrink->plane_count = frame->colors == GANNET_JPEG_GRAY ? 1 : 3;
    shrink->colors = frame->colors;
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
    free(shrink->waiting[0]);
    free(shrink->waiting[1]);
    free(shrink->samples);
    for (int index = 0; index < shrink->plane_count; index++) free(shrink->planes[index].coefficients);
    gannet_jpeg_progression_destroy(shrink->progression);
    for (struct named_table *named = shrink->tables; named->table != NULL; named++) free(named->table);
    free(shrink);
}

size_t gannet_jpeg_shrink_bytes(const gannet_jpeg_shrink *shrink) { return shrink->bytes; }
