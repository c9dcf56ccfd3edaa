#include "jpeg_crew.h"

/// Where of the part's first steps a reader stands, from number `search` on. −1: at none, and it will not.
static long step_at(const struct worker *worker, const gannet_jpeg_bits *bits, size_t *search) {
    uint64_t position = gannet_jpeg_position(worker->parts->plan, bits);
    size_t count = worker->known < JPEG_TRAIL ? worker->known : JPEG_TRAIL;
    while (*search < count && worker->part.trail[*search].position < position) (*search)++;
    if (position == 0 || *search == count) return -1;
    return worker->part.trail[*search].position == position ? (long)*search : -2;
}

long gannet_jpeg_meeting(const struct worker *next, const gannet_jpeg_stand *stand, size_t number, size_t *search) {
    gannet_jpeg_parts *parts = next->parts;
    if (next->part.number > 0) {
        if (number < next->part.number) return -2;
        gannet_jpeg_bits bits = stand->bits;
        unsigned interval = parts->plan->restart_interval;
        return gannet_jpeg_restart(&bits, (int)((number / interval - 1) & 7)) && bits.at == next->part.start ? 0 : -1;
    }
    if (stand->bits.at < next->part.start) return -2;
    pthread_mutex_lock(&parts->mutex);
    while (next->is_open && !parts->stops) pthread_cond_wait(&parts->change, &parts->mutex);
    long step = parts->stops ? -1 : step_at(next, &stand->bits, search);
    pthread_mutex_unlock(&parts->mutex);
    return step;
}

void gannet_jpeg_place(gannet_jpeg_parts *parts, int index) {
    for (; index + 1 < parts->count && parts->workers[index].is_placed && parts->workers[index].meets; index++) {
        struct worker *worker = &parts->workers[index], *next = worker + 1;
        next->is_placed = true;
        next->passed = worker->step;
        next->first = worker->first + worker->known - worker->passed;
        for (int plane = 0; plane < 3 && next->part.number == 0; plane++)
            next->offsets[plane] = worker->offsets[plane] + worker->part.stand.predictors[plane]
                - next->part.trail[worker->step].predictors[plane];
    }
}

/// Tells how far the worker is, and gets it a sheet for what follows. False: it has to end.
static bool turn(struct worker *worker, size_t mcus) {
    gannet_jpeg_parts *parts = worker->parts;
    pthread_mutex_lock(&parts->mutex);
    if (mcus >= JPEG_TRAIL) worker->is_open = false;
    if (!worker->is_open) worker->known = mcus;
    bool has_sheet = mcus / JPEG_SHEET < worker->sheet_count;
    if (!has_sheet && parts->sheets_taken < parts->sheets) {
        worker->part.sheets[worker->sheet_count++] = parts->memory + parts->sheets_taken++ * JPEG_SHEET * parts->plan->record;
        has_sheet = true;
    }
    bool goes_on = has_sheet && !parts->stops;
    pthread_cond_broadcast(&parts->change);
    pthread_mutex_unlock(&parts->mutex);
    return goes_on;
}

static void read_part(struct worker *worker) {
    // Once all threads are there.
    pthread_mutex_lock(&worker->parts->mutex);
    const struct worker *next = worker + 1 < worker->parts->workers + worker->parts->count ? worker + 1 : NULL;
    pthread_mutex_unlock(&worker->parts->mutex);
    // Copies, because what changes with each MCU would take the memory beside it away from the other processors each time.
    const gannet_jpeg_plan plan = *worker->parts->plan;
    gannet_jpeg_part part = worker->part;
    part.plan = &plan;
    size_t search = 0;
    long step = -2;
    while (part.mcus % JPEG_SHEET != 0 || turn(worker, part.mcus)) {
        if (next != NULL && (step = gannet_jpeg_meeting(next, &part.stand, part.number + part.mcus, &search)) != -2) break;
        if (gannet_jpeg_part_read(&part)) continue;
        // A wrong code at the beginning says only that it did not begin where a code does.
        if (part.number > 0 || part.mcus >= JPEG_TRAIL || !gannet_jpeg_part_retry(&part)) break;
    }
    pthread_mutex_lock(&worker->parts->mutex);
    worker->part.stand = part.stand;
    worker->known = part.mcus;
    worker->runs = worker->is_open = false;
    worker->meets = step >= 0;
    worker->step = step >= 0 ? (size_t)step : 0;
    gannet_jpeg_place(worker->parts, (int)(worker - worker->parts->workers));
    pthread_cond_broadcast(&worker->parts->change);
    pthread_mutex_unlock(&worker->parts->mutex);
}

/// Whether it is known of all MCUs which part has them. Under the mutex.
static bool is_whole(const gannet_jpeg_parts *parts) {
    const struct worker *last = &parts->workers[parts->count - 1];
    return last->is_placed && !last->runs && last->first + last->known - last->passed >= parts->plan->mcus;
}

/// Whether that can still come. Under the mutex.
static bool may_be_whole(const gannet_jpeg_parts *parts) {
    for (int index = 1; index < parts->count; index++) {
        const struct worker *worker = &parts->workers[index];
        if (worker->runs) return true;
        if (!worker->meets && index + 1 < parts->count) return false;
    }
    return !parts->workers[1].is_placed;
}

void *gannet_jpeg_work(void *context) {
    struct worker *worker = context;
    gannet_jpeg_parts *parts = worker->parts;
    read_part(worker);
    pthread_mutex_lock(&parts->mutex);
    while (!parts->stops && !is_whole(parts) && may_be_whole(parts)) pthread_cond_wait(&parts->change, &parts->mutex);
    while (!parts->stops && is_whole(parts) && parts->bands_taken > parts->band) {
        size_t band = --parts->bands_taken;
        pthread_mutex_unlock(&parts->mutex);
        uint8_t *pixels = parts->maker(parts->context, parts, band);
        pthread_mutex_lock(&parts->mutex);
        parts->made[band] = (struct band){pixels, true};
        pthread_cond_broadcast(&parts->change);
    }
    pthread_mutex_unlock(&parts->mutex);
    return NULL;
}
