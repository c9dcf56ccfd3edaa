// The state of a scan that is decoded in parts. Private to its files.
#ifndef JPEG_CREW_H
#define JPEG_CREW_H
#include "jpeg_parts.h"
#include "jpeg_threads.h"

/// A part that another thread reads. What changes is guarded by the mutex.
struct worker {
    gannet_jpeg_parts *parts;
    gannet_jpeg_part part;  // as it began, and as it ended
    size_t sheet_count;
    size_t known;  // MCUs that others may use
    bool runs, is_open;  // it reads; its beginning may still change
    bool meets;          // it stands where the next one did after `step` MCUs
    size_t step;
    // Once it is known where it lies:
    bool is_placed;
    size_t first, passed;  // MCU `first` of the image is number `passed` of the part
    uint32_t offsets[3];
};

struct gannet_jpeg_parts {
    const gannet_jpeg_plan *plan;
    struct worker workers[JPEG_MOST_THREADS];  // the first one is not used: it is the owner
    int count;                                 // under the mutex while threads are started
    gannet_jpeg_threads threads;
    int16_t *memory;
    size_t sheets, sheets_taken;
    gannet_jpeg_band_maker *maker;
    void *context;
    pthread_mutex_t mutex;
    pthread_cond_t change;
    size_t search;        // of the owner
    bool is_over, stops;  // the owner meets nobody any more; the threads end
    // Rows of MCUs: the next one of the owner, the last one that a thread has taken, and what they made.
    size_t band, bands_taken, bands;
    struct band {
        uint8_t *pixels;
        bool is_made;
    } *made;
};

/// Whether a reader before MCU `number` (which counts only where restart markers stand) stands where `next` once did: after how many of its
/// MCUs. −1: it never will; −2: not here. `search`: of this reader, 0 at first.
long gannet_jpeg_meeting(const struct worker *next, const gannet_jpeg_stand *stand, size_t number, size_t *search);

/// Says where the worker after `index` lies, and those behind it, as far as each meets the next. Under the mutex.
void gannet_jpeg_place(gannet_jpeg_parts *parts, int index);

/// A worker's thread.
void *gannet_jpeg_work(void *worker);

#endif
