#include "jpeg_relay.h"

#include <stdlib.h>
#include <string.h>

#include "jpeg_threads.h"

enum { MOST_STAGES = 4, LAPS = 4 };

/// Some of the scans, and how far they are. The last one is the owner's.
struct stage {
    gannet_jpeg_relay *relay;
    size_t first, end;  // scans
    size_t done;        // rows
    bool is_over;
};

struct gannet_jpeg_relay {
    gannet_jpeg_progression *progression;
    size_t rows;
    struct stage stages[MOST_STAGES];
    int count;
    gannet_jpeg_threads threads;
    gannet_jpeg_lap laps[LAPS];
    int16_t *coefficients;
    uint64_t *details;
    size_t block_count;  // of a lap
    pthread_mutex_t mutex;
    pthread_cond_t change;
    bool stops;
    size_t row;  // the next one of the owner, who alone uses it
};

static size_t blocks_of(const gannet_jpeg_progression *progression) {
    size_t blocks = 0, room;
    int vertical;
    for (int component = 0; (room = gannet_jpeg_progression_room(progression, component, &vertical)) > 0; component++)
        blocks += room * (size_t)vertical;
    return blocks;
}

int gannet_jpeg_relay_worth(const gannet_jpeg_progression *progression, int threads, size_t *bytes) {
    size_t strands = gannet_jpeg_progression_strands(progression), total = 0;
    for (size_t strand = 0; strand < strands; strand++) total += gannet_jpeg_progression_size(progression, strand);
    if (threads > MOST_STAGES) threads = MOST_STAGES;
    if ((size_t)threads > strands) threads = (int)strands;
    if (threads < 2 || total < 2 * JPEG_LEAST_BYTES) return 1;
    *bytes = blocks_of(progression) * LAPS * (64 * sizeof(int16_t) + sizeof(uint64_t));
    return threads;
}

/// Nearly the same number of bytes for each stage, fewer for the owner, who also makes the pixels. A stage may be left without a scan.
static void divide(gannet_jpeg_relay *relay) {
    enum { DRAWING = 12 };  // hundredths of the time that reading takes
    size_t strands = gannet_jpeg_progression_strands(relay->progression), total = 0, passed = 0, strand = 0;
    for (size_t index = 0; index < strands; index++) total += gannet_jpeg_progression_size(relay->progression, index);
    for (int index = 0; index < relay->count; index++) {
        struct stage *stage = &relay->stages[index];
        size_t target = total / 100 * (100 + DRAWING) / (size_t)relay->count * (size_t)(index + 1);
        stage->first = strand;
        while (strand < strands) {
            size_t size = gannet_jpeg_progression_size(relay->progression, strand);
            if (index + 1 < relay->count && passed + size / 2 > target) break;
            passed += size;
            strand++;
        }
        stage->end = strand;
    }
}

static bool read_row(const struct stage *stage, size_t row) {
    gannet_jpeg_lap *lap = &stage->relay->laps[row % LAPS];
    for (size_t strand = stage->first; strand < stage->end; strand++)
        if (!gannet_jpeg_progression_read(stage->relay->progression, strand, row, lap)) return false;
    return true;
}

/// Waits until the row may be read by a stage. False: it never will.
static bool wait_for(const struct stage *stage, size_t row) {
    gannet_jpeg_relay *relay = stage->relay;
    const struct stage *before = stage == relay->stages ? &relay->stages[relay->count - 1] : stage - 1;
    const size_t ahead = stage == relay->stages ? LAPS : 0;
    pthread_mutex_lock(&relay->mutex);
    while (!relay->stops && before->done + ahead <= row && !before->is_over) pthread_cond_wait(&relay->change, &relay->mutex);
    bool is_there = !relay->stops && before->done + ahead > row;
    pthread_mutex_unlock(&relay->mutex);
    return is_there;
}

static void tell(struct stage *stage, size_t done, bool is_over) {
    pthread_mutex_lock(&stage->relay->mutex);
    stage->done = done;
    stage->is_over = is_over;
    pthread_cond_broadcast(&stage->relay->change);
    pthread_mutex_unlock(&stage->relay->mutex);
}

static void clear(gannet_jpeg_relay *relay, size_t row) {
    memset(relay->coefficients + row % LAPS * relay->block_count * 64, 0, relay->block_count * 64 * sizeof *relay->coefficients);
    memset(relay->details + row % LAPS * relay->block_count, 0, relay->block_count * sizeof *relay->details);
}

static void *work(void *context) {
    struct stage *stage = context;
    size_t row = 0;
    for (; row < stage->relay->rows && wait_for(stage, row); row++) {
        if (stage == stage->relay->stages) clear(stage->relay, row);
        if (!read_row(stage, row)) break;
        tell(stage, row + 1, false);
    }
    tell(stage, row, true);
    return NULL;
}

static bool set_up(gannet_jpeg_relay *relay) {
    relay->block_count = blocks_of(relay->progression);
    relay->coefficients = malloc(relay->block_count * LAPS * 64 * sizeof *relay->coefficients);
    relay->details = malloc(relay->block_count * LAPS * sizeof *relay->details);
    if (relay->coefficients == NULL || relay->details == NULL) return false;
    size_t block = 0, room;
    int vertical;
    for (int lap = 0; lap < LAPS; lap++) {
        for (int component = 0; (room = gannet_jpeg_progression_room(relay->progression, component, &vertical)) > 0; component++) {
            for (int y = 0; y < vertical; y++, block += room) {
                relay->laps[lap].rows[component][y] = relay->coefficients + 64 * block;
                relay->laps[lap].details[component][y] = relay->details + block;
            }
        }
    }
    return true;
}

static bool start(gannet_jpeg_relay *relay) {
    // None begins before all are there: what a scan has read cannot be read again.
    pthread_mutex_lock(&relay->mutex);
    const int wanted = relay->count - 1;
    const bool has_all = gannet_jpeg_threads_start(&relay->threads, wanted, work, relay->stages, sizeof *relay->stages) == wanted;
    relay->stops = !has_all;
    pthread_mutex_unlock(&relay->mutex);
    return has_all;
}

gannet_jpeg_relay *gannet_jpeg_relay_create(gannet_jpeg_progression *progression, size_t rows, int threads) {
    if (threads < 2 || threads > MOST_STAGES) return NULL;
    gannet_jpeg_relay *relay = calloc(1, sizeof *relay);
    if (relay == NULL) return NULL;
    pthread_mutex_init(&relay->mutex, NULL);
    pthread_cond_init(&relay->change, NULL);
    relay->progression = progression;
    relay->rows = rows;
    relay->count = threads;
    for (int index = 0; index < threads; index++) relay->stages[index].relay = relay;
    divide(relay);
    if (set_up(relay) && start(relay)) return relay;
    gannet_jpeg_relay_destroy(relay);
    return NULL;
}

void gannet_jpeg_relay_destroy(gannet_jpeg_relay *relay) {
    if (relay == NULL) return;
    pthread_mutex_lock(&relay->mutex);
    relay->stops = true;
    pthread_cond_broadcast(&relay->change);
    pthread_mutex_unlock(&relay->mutex);
    gannet_jpeg_threads_join(&relay->threads);
    free(relay->coefficients);
    free(relay->details);
    pthread_cond_destroy(&relay->change);
    pthread_mutex_destroy(&relay->mutex);
    free(relay);
}

const gannet_jpeg_lap *gannet_jpeg_relay_next(gannet_jpeg_relay *relay) {
    struct stage *own = &relay->stages[relay->count - 1];
    // The row before may be used for another one now.
    size_t row = relay->row;
    tell(own, row, false);
    if (row >= relay->rows || !wait_for(own, row) || !read_row(own, row)) return NULL;
    relay->row = row + 1;
    return &relay->laps[row % LAPS];
}
