// The decoder for small images beside a reader of larger pixels: a progressive file's codes are read once for both.
#include <stdlib.h>

#include "jpeg_shrink.h"

bool gannet_jpeg_shrink_stand_beside(gannet_jpeg_shrink *shrink) {
    if (shrink->progression == NULL || shrink->relay != NULL || shrink->is_beside) return false;
    for (size_t number = 0; number < shrink->scale_count; number++)
        if (shrink->scales[number].next < shrink->scales[number].band || shrink->scales[number].width < shrink->scales[number].row) return false;
    // One is drawn ahead, because the library smooths chroma with the samples of the next row. Another becomes `made`.
    const size_t size = gannet_jpeg_pixels_before(shrink, shrink->scale_count);
    uint8_t *memory[3] = {malloc(size), malloc(size), malloc(size)};
    if (memory[0] == NULL || memory[1] == NULL || memory[2] == NULL) {
        for (int index = 0; index < 3; index++) free(memory[index]);
        return false;
    }
    shrink->waiting[0] = memory[0];
    shrink->waiting[1] = memory[1];
    shrink->made = memory[2];
    shrink->bytes += 3 * size;
    shrink->is_beside = true;
    return true;
}

bool gannet_jpeg_shrink_draw(
    gannet_jpeg_shrink *shrink, const gannet_jpeg_progression *others, int16_t *const rows[GANNET_JPEG_MOST_COMPONENTS][4]) {
    if (!shrink->is_beside || shrink->waiting_count == 2) return false;
    gannet_jpeg_lap lap = {{{NULL}}, {{NULL}}};
    if (!gannet_jpeg_shrink_read_scans(shrink, &lap)) return false;
    memcpy(lap.rows, rows, sizeof lap.rows);
    gannet_jpeg_progression_use_own_details(others, &lap);
    gannet_jpeg_shrink_draw_lap(shrink, &lap);
    gannet_jpeg_make_band(shrink, shrink->planes, shrink->waiting[shrink->waiting_count++]);
    return true;
}

int gannet_jpeg_shrink_waiting(const gannet_jpeg_shrink *shrink) { return shrink->waiting_count; }

bool gannet_jpeg_shrink_take_waiting(gannet_jpeg_shrink *shrink) {
    if (shrink->waiting_count == 0) return false;
    uint8_t *taken = shrink->waiting[0];
    shrink->waiting[0] = shrink->waiting[1];
    shrink->waiting[1] = shrink->made;
    shrink->made = taken;
    shrink->waiting_count--;
    return true;
}
