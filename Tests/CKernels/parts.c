// JPEG that several threads decode: the pixels are those of one, also where the system refuses threads, and where the data are damaged.
#include <errno.h>
#include <pthread.h>

#include "gannet_jpeg_shrink.h"
#include "vectors.h"

// Threads

/// How many more can be made, until one is refused; below zero, none is. Wrapped by the linker.
static int spare_threads = -1;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context) {
    // One is refused, and those after it are not.
    return spare_threads-- == 0 ? EAGAIN : __real_pthread_create(thread, attributes, work, context);
}

// Files

enum { MOST_BYTES = 2 << 20, ACROSS = 65, DOWN = 64 };

typedef struct {
    uint8_t *bytes;
    size_t count;
    uint32_t bits;
    unsigned bit_count;
} scan;

static void put(scan *scan, uint32_t value, unsigned count) {
    scan->bits = scan->bits << count | value;
    for (scan->bit_count += count; scan->bit_count >= 8; scan->bit_count -= 8) {
        uint8_t byte = (uint8_t)(scan->bits >> (scan->bit_count - 8));
        scan->bytes[scan->count++] = byte;
        if (byte == 0xFF) scan->bytes[scan->count++] = 0;
    }
}

/// Means with codes of four bits, details with codes of eight: 0 … 15 zeros before a value of 1 … 10 bits, and the end of a block.
static void set_codes(gannet_jpeg_codes *dc, gannet_jpeg_codes *ac) {
    uint8_t *dc_counts = zeros(17), *dc_symbols = zeros(256), *ac_counts = zeros(17), *ac_symbols = zeros(256);
    dc_counts[4] = 12;
    for (int size = 0; size < 12; size++) dc_symbols[size] = (uint8_t)size;
    ac_counts[8] = 161;
    for (int symbol = 1; symbol < 161; symbol++) ac_symbols[symbol] = (uint8_t)((symbol - 1) / 10 << 4 | (1 + (symbol - 1) % 10));
    *dc = (gannet_jpeg_codes){dc_counts, dc_symbols};
    *ac = (gannet_jpeg_codes){ac_counts, ac_symbols};
}

static void put_block(scan *scan, uint32_t details) {
    uint32_t size = below(5);
    put(scan, size, 4);
    if (size > 0) put(scan, below(1u << size), size);
    uint32_t place = 1;
    for (uint32_t count = 0; count < details && place < 60; count++) {
        uint32_t before = below(4) == 0;
        size = 1 + below(8);
        put(scan, before * 10 + size, 8);
        put(scan, below(1u << size), size);
        place += before + 1;
    }
    put(scan, 0, 8);
}

/// One component, or three of which the first may have four blocks.
static scan scan_of(const gannet_jpeg_frame *frame, uint32_t details) {
    scan scan = {.bytes = odd_zeros(MOST_BYTES)};
    for (unsigned mcu = 0; mcu < ACROSS * DOWN; mcu++) {
        if (frame->restart_interval > 0 && mcu > 0 && mcu % frame->restart_interval == 0) {
            put(&scan, 0x7F >> scan.bit_count, (8 - scan.bit_count) & 7);
            scan.bytes[scan.count++] = 0xFF;
            scan.bytes[scan.count++] = (uint8_t)(0xD0 + (mcu / frame->restart_interval - 1) % 8);
        }
        for (int index = 0; index < (frame->colors == GANNET_JPEG_GRAY ? 1 : 3); index++)
            for (int block = 0; block < frame->components[index].horizontal * frame->components[index].vertical; block++)
                put_block(&scan, details);
    }
    put(&scan, 0x7F >> scan.bit_count, (8 - scan.bit_count) & 7);
    scan.bytes[scan.count++] = 0xFF;
    scan.bytes[scan.count++] = 0xD9;
    return scan;
}

// Decoding

/// The rows that came, and in `threads` how many decoded.
static size_t rows_of(const gannet_jpeg_frame *frame, const scan *scan, int *threads, uint8_t *pixels) {
    gannet_jpeg_shrink *shrink = gannet_jpeg_shrink_create(frame, scan->bytes, scan->count);
    check(shrink != NULL, "no decoder");
    if (shrink == NULL) return 0;
    if (*threads > 1 && gannet_jpeg_shrink_dividing(shrink, *threads) > 0) {
        *threads = gannet_jpeg_shrink_divide(shrink);
        check(*threads == 1 || !gannet_jpeg_shrink_keep(shrink, 0, 1), "columns were chosen after threads had started");
    } else {
        *threads = 1;
    }
    const size_t width = (size_t)(frame->width * frame->eighths + 7) / 8, rows = (size_t)(frame->height * frame->eighths + 7) / 8;
    size_t came = 0;
    while (came < rows && gannet_jpeg_shrink_row(shrink, 0, pixels + came * width * 4)) came++;
    gannet_jpeg_shrink_destroy(shrink);
    return came;
}

static void compare(const gannet_jpeg_frame *frame, const scan *scan, int most) {
    const size_t width = (size_t)(frame->width * frame->eighths + 7) / 8, rows = (size_t)(frame->height * frame->eighths + 7) / 8;
    uint8_t *alone = zeros(width * rows * 4), *several = zeros(width * rows * 4);
    int one = 1;
    const size_t came = rows_of(frame, scan, &one, alone);
    note(alone, came * width * 4);
    note_number(came);
    for (int threads = 2; threads <= most; threads += threads == 2 ? 1 : 5) {
        // None is refused, or one of them.
        for (int refused = -1; refused + 1 < threads; refused++) {
            int used = threads;
            spare_threads = refused;
            memset(several, 0, width * rows * 4);
            check(rows_of(frame, scan, &used, several) == came, "other rows came");
            check(memcmp(alone, several, came * width * 4) == 0, "the pixels are others");
            check(used == (refused < 0 ? threads : refused + 1), "another number of threads decoded");
        }
    }
    spare_threads = -1;
}

void part_vectors(void) {
    group("jpeg.parts");
    static const unsigned intervals[4] = {0, 65, 7, 500};
    for (int turn = 0; turn < 12; turn++) {
        gannet_jpeg_frame frame = {.eighths = 1 << turn % 3, .restart_interval = intervals[turn % 4]};
        const int factor = turn % 3 == 1 ? 2 : 1;
        frame.colors = turn % 3 == 0 ? GANNET_JPEG_GRAY : GANNET_JPEG_YCC;
        frame.width = ACROSS * 8 * factor;
        frame.height = DOWN * 8 * factor - 3;
        uint16_t *steps = zeros(128);
        for (int place = 0; place < 64; place++) steps[place] = (uint16_t)between(1, 40);
        for (int index = 0; index < 3; index++) {
            gannet_jpeg_component *component = &frame.components[index];
            component->horizontal = component->vertical = index == 0 ? factor : 1;
            component->steps = steps;
            set_codes(&component->dc, &component->ac);
        }
        // At least 96 KB for each of two, three or eight threads.
        scan scan = scan_of(&frame, turn % 3 == 1 ? 14 : 60);
        compare(&frame, &scan, turn % 3 == 2 ? 8 : 3);
        // A wrong bit somewhere in it: the same rows come, and no others.
        const size_t place = scan.count / 4 + below((uint32_t)scan.count / 2);
        scan.bytes[place] ^= (uint8_t)(1u << below(8));
        compare(&frame, &scan, 3);
        end_vector();
    }
}
