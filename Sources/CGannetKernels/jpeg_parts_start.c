#include <stdlib.h>

#include "jpeg_crew.h"

// Places to begin at

/// Of the time that decoding takes, what reading codes does: hundredths. While the owner does all of its part, others only read.
enum { READING = 72 };

int gannet_jpeg_parts_worth(const gannet_jpeg_plan *plan, size_t count, int threads, size_t *length) {
    if (threads > JPEG_MOST_THREADS) threads = JPEG_MOST_THREADS;
    if (threads < 2 || count < 2 * JPEG_LEAST_BYTES || plan->mcus < JPEG_LEAST_MCUS) return 1;
    // What follows the scan may be longer than it.
    const uint8_t *at = plan->bytes, *end = at + count;
    while ((at = memchr(at, 0xFF, (size_t)(end - at))) != NULL && end - at > 1) {
        if (at[1] != 0 && (at[1] < 0xD0 || at[1] > 0xD7)) break;
        at += 2;
    }
    *length = (size_t)((at == NULL ? end : at) - plan->bytes);
    size_t worth = *length / JPEG_LEAST_BYTES;
    return worth < 2 ? 1 : worth < (size_t)threads ? (int)worth : threads;
}

/// The first place from `at` on that a marker stands before, `number` intervals after the start. NULL: none does, or one is missing.
static const uint8_t *next_interval(const uint8_t *bytes, const uint8_t *at, const uint8_t *end, size_t *number) {
    while (bytes < end && (bytes = memchr(bytes, 0xFF, (size_t)(end - bytes))) != NULL && end - bytes > 2) {
        bytes += 2;
        if (bytes[-1] == 0) continue;
        if (bytes[-1] != 0xD0 + (*number & 7)) return NULL;
        (*number)++;
        if (bytes >= at) return bytes;
    }
    return NULL;
}

/// Says where each part begins. Their number is lowered if there are not enough places.
static void set_starts(gannet_jpeg_parts *parts, size_t length, size_t count) {
    const uint8_t *const bytes = parts->plan->bytes, *passed = bytes;
    size_t intervals = 0, unit = length / ((size_t)(parts->count - 1) * 100 + READING);
    for (int index = 1; index < parts->count; index++) {
        gannet_jpeg_part *part = &parts->workers[index].part;
        const uint8_t *at = bytes + unit * (READING + (size_t)(index - 1) * 100);
        if (parts->plan->restart_interval > 0) {
            at = next_interval(passed, at, bytes + length, &intervals);
            part->number = intervals * parts->plan->restart_interval;
            if (at == NULL || part->number >= parts->plan->mcus) {
                parts->count = index;
                return;
            }
            passed = at;
        } else if (at[-1] == 0xFF) {
            at++;
        }
        part->start = at;
        part->stand.bits = (gannet_jpeg_bits){.at = at, .end = bytes + count};
    }
}

// Life

static size_t sheet_count(const gannet_jpeg_plan *plan, int threads) { return plan->mcus / JPEG_SHEET + 2 * (size_t)threads; }

size_t gannet_jpeg_parts_bytes(const gannet_jpeg_plan *plan, int threads) {
    size_t sheets = sheet_count(plan, threads);
    return sheets * JPEG_SHEET * plan->record * sizeof(int16_t)
        + (size_t)threads * (sheets * sizeof(int16_t *) + JPEG_TRAIL * sizeof(gannet_jpeg_step));
}

static bool set_up(gannet_jpeg_parts *parts, int threads) {
    parts->sheets = sheet_count(parts->plan, threads);
    parts->memory = malloc(parts->sheets * JPEG_SHEET * parts->plan->record * sizeof *parts->memory);
    parts->made = calloc(parts->bands, sizeof *parts->made);
    bool is_ready = parts->memory != NULL && parts->made != NULL;
    for (int index = 1; index < parts->count; index++) {
        struct worker *worker = &parts->workers[index];
        worker->parts = parts;
        worker->part.plan = parts->plan;
        worker->part.sheets = malloc(parts->sheets * sizeof *worker->part.sheets);
        worker->part.trail = malloc(JPEG_TRAIL * sizeof *worker->part.trail);
        is_ready = is_ready && worker->part.sheets != NULL && worker->part.trail != NULL;
    }
    return is_ready;
}

/// Starts the threads. False: there is none.
static bool start(gannet_jpeg_parts *parts) {
    pthread_mutex_lock(&parts->mutex);
    // Without one, the part above it reads on to the end.
    parts->count = 1 + gannet_jpeg_threads_start(
        &parts->threads, parts->count - 1, gannet_jpeg_work, &parts->workers[1], sizeof *parts->workers);
    for (int index = 1; index < parts->count; index++) parts->workers[index].runs = parts->workers[index].is_open = true;
    pthread_mutex_unlock(&parts->mutex);
    return parts->count > 1;
}

static void release(gannet_jpeg_parts *parts) {
    for (int index = 1; index < JPEG_MOST_THREADS; index++) {
        free(parts->workers[index].part.sheets);
        free(parts->workers[index].part.trail);
    }
    for (size_t band = 0; band < parts->bands && parts->made != NULL; band++) free(parts->made[band].pixels);
    free(parts->made);
    free(parts->memory);
    pthread_cond_destroy(&parts->change);
    pthread_mutex_destroy(&parts->mutex);
    free(parts);
}

gannet_jpeg_parts *gannet_jpeg_parts_create(
    const gannet_jpeg_plan *plan, size_t length, size_t count, int threads, gannet_jpeg_band_maker *maker, void *context) {
    if (threads < 2 || threads > JPEG_MOST_THREADS) return NULL;
    gannet_jpeg_parts *parts = calloc(1, sizeof *parts);
    if (parts == NULL) return NULL;
    pthread_mutex_init(&parts->mutex, NULL);
    pthread_cond_init(&parts->change, NULL);
    parts->plan = plan;
    parts->count = threads;
    parts->maker = maker;
    parts->context = context;
    parts->bands = (plan->mcus + plan->mcus_across - 1) / plan->mcus_across;
    parts->bands_taken = parts->bands;
    // Nobody makes rows before the owner has met the first part.
    parts->band = parts->bands;
    bool is_ready = set_up(parts, threads);
    if (is_ready) set_starts(parts, length, count);
    if (is_ready && start(parts)) return parts;
    release(parts);
    return NULL;
}

void gannet_jpeg_parts_destroy(gannet_jpeg_parts *parts) {
    if (parts == NULL) return;
    pthread_mutex_lock(&parts->mutex);
    parts->stops = true;
    pthread_cond_broadcast(&parts->change);
    pthread_mutex_unlock(&parts->mutex);
    gannet_jpeg_threads_join(&parts->threads);
    release(parts);
}
