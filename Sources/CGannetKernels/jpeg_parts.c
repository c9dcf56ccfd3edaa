#include "jpeg_crew.h"

int gannet_jpeg_parts_count(const gannet_jpeg_parts *parts) { return parts->count; }

// The owner

bool gannet_jpeg_parts_meet(gannet_jpeg_parts *parts, const gannet_jpeg_stand *stand, size_t number) {
    if (parts->is_over) return false;
    struct worker *first = &parts->workers[1];
    long step = gannet_jpeg_meeting(first, stand, number, &parts->search);
    if (step == -2) return false;
    parts->is_over = true;
    pthread_mutex_lock(&parts->mutex);
    if (step >= 0) {
        first->is_placed = true;
        first->first = number;
        first->passed = (size_t)step;
        for (int plane = 0; plane < 3 && first->part.number == 0; plane++)
            first->offsets[plane] = stand->predictors[plane] - first->part.trail[step].predictors[plane];
        gannet_jpeg_place(parts, 1);
        parts->band = number / parts->plan->mcus_across + 1;
    } else {
        parts->stops = true;
    }
    pthread_cond_broadcast(&parts->change);
    pthread_mutex_unlock(&parts->mutex);
    return step >= 0;
}

gannet_jpeg_stand gannet_jpeg_parts_leave(gannet_jpeg_parts *parts) {
    pthread_mutex_lock(&parts->mutex);
    parts->stops = true;
    int index = parts->count - 1;
    while (index > 1 && !parts->workers[index].is_placed) index--;
    const struct worker *worker = &parts->workers[index];
    gannet_jpeg_stand stand = worker->part.stand;
    for (int plane = 0; plane < 3; plane++) stand.predictors[plane] += worker->offsets[plane];
    pthread_cond_broadcast(&parts->change);
    pthread_mutex_unlock(&parts->mutex);
    return stand;
}

uint8_t *gannet_jpeg_parts_band(gannet_jpeg_parts *parts, size_t band) {
    pthread_mutex_lock(&parts->mutex);
    uint8_t *pixels = NULL;
    if (band < parts->bands_taken) {
        parts->band = band + 1;
    } else {
        while (!parts->made[band].is_made) pthread_cond_wait(&parts->change, &parts->mutex);
        pixels = parts->made[band].pixels;
        parts->made[band].pixels = NULL;
    }
    pthread_mutex_unlock(&parts->mutex);
    return pixels;
}

const int16_t *gannet_jpeg_parts_take(
    gannet_jpeg_parts *parts, gannet_jpeg_cursor *cursor, size_t number, const uint32_t **offsets) {
    if (cursor->part == 0) cursor->part = 1;
    for (;;) {
        struct worker *worker = &parts->workers[cursor->part];
        if (cursor->known > 0) {
            size_t index = worker->passed + number - worker->first;
            *offsets = worker->offsets;
            if (index < cursor->known) return gannet_jpeg_part_record(&worker->part, index);
        }
        pthread_mutex_lock(&parts->mutex);
        while (worker->runs && worker->known <= worker->passed + number - worker->first)
            pthread_cond_wait(&parts->change, &parts->mutex);
        size_t known = worker->known;
        bool meets = worker->meets;
        pthread_mutex_unlock(&parts->mutex);
        if (known > worker->passed + number - worker->first) {
            cursor->known = known;
        } else if (meets) {
            cursor->part++;
            cursor->known = 0;
        } else {
            return NULL;
        }
    }
}
