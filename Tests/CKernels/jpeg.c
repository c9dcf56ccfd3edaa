// JPEG: inverse transforms, and decoding at a part of the size. Scans are random bits: the tables give nearly every string of bits a meaning.
#include "vectors.h"

#include "codes.h"
#include "gannet_jpeg_inverse.h"
#include "gannet_jpeg_progression.h"
#include "gannet_jpeg_shrink.h"

// Inverse transforms

static void inverse_vectors(void) {
    group("jpeg.inverse");
    for (int across = 1; across <= 8; across *= 2)
        for (int down = 1; down <= 8; down *= 2)
            for (int turn = 0; turn < 160; turn++) {
                gannet_jpeg_inverse *quick = gannet_jpeg_inverse_for(across, down), *plain = gannet_jpeg_inverse_plain(across, down);
                check((quick == NULL) == (plain == NULL), "a size is missing");
                if (quick == NULL) continue;
                // Sparse blocks, full blocks, blocks beyond black and white, and blocks that no encoder makes.
                int16_t *block = zeros(128);
                uint16_t *steps = zeros(128);
                const int32_t most = turn < 40 ? 10 : turn < 80 ? 60 : turn < 120 ? 400 : 32767;
                for (int place = 0; place < 64; place++) {
                    steps[place] = (uint16_t)(turn < 120 ? 1 + place / 4 : between(1, 65535));
                    if (turn % 3 == 0 || place == 0 || below(8) == 0) block[place] = (int16_t)between(-most, most);
                }
                const size_t stride = (size_t)across + 3, size = stride * (size_t)(down - 1) + (size_t)across;
                uint8_t *samples = odd_zeros(size), *other = odd_zeros(size);
                quick(block, steps, samples, stride);
                plain(block, steps, other, stride);
                check(memcmp(samples, other, size) == 0, "vectors and plain C differ");
                note(samples, size);
                end_vector();
            }
}

// Files

/// A table of `count` symbols; the first has the shortest code. Only sixteen ones in a row have no meaning.
static gannet_jpeg_codes codes_of(const uint8_t *symbols, size_t count) {
    uint8_t lengths[256], *counts = zeros(17), *sorted = zeros(256);
    code_lengths(lengths, count + 1, 16);
    size_t used = 0;
    for (unsigned length = 1; length <= 16; length++)
        for (size_t index = 0; index <= count; index++)
            if (lengths[index] == length && used < count) {
                counts[length]++;
                sorted[used] = symbols[used];
                used++;
            }
    return (gannet_jpeg_codes){counts, sorted};
}

/// Random bytes with a 0 after each 0xFF.
static uint8_t *scan_bytes(size_t count) {
    uint8_t *bytes = odd_noise(count);
    for (size_t index = 0; index + 1 < count; index++)
        if (bytes[index] == 0xFF) bytes[index + 1] = 0;
    bytes[count - 1] = 0;
    return bytes;
}

static gannet_jpeg_codes dc_codes(void) {
    static const uint8_t symbols[16] = {3, 2, 4, 0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return codes_of(symbols, 16);
}

static gannet_jpeg_codes ac_codes(void) {
    uint8_t symbols[120] = {0x00, 0x01, 0x02, 0x11, 0x03, 0x21, 0xF0};
    for (size_t index = 7; index < 120; index++) {
        uint32_t zeros_before = below(16);
        symbols[index] = (uint8_t)(zeros_before << 4 | (1 + below(10)));
    }
    return codes_of(symbols, 120);
}

static gannet_jpeg_codes progressive_codes(bool is_later) {
    static const uint8_t first[20] = {0x00, 0x01, 0x02, 0x10, 0x03, 0x20, 0x04, 0x30, 0x05, 0x40, 0x06, 0x07, 0x08, 0x50, 0x60, 0x70, 0x09, 0x0A, 0x80, 0x90};
    static const uint8_t later[20] = {0x00, 0x01, 0x11, 0x10, 0x21, 0x20, 0x31, 0x30, 0x41, 0x40, 0x51, 0x50, 0x61, 0x60, 0xF0, 0x70, 0x71, 0x81, 0x80, 0x90};
    return codes_of(is_later ? later : first, 20);
}

static void set_frame(gannet_jpeg_frame *frame, int turn) {
    static const int factors[4][2] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
    *frame = (gannet_jpeg_frame){.eighths = 1 << turn % 3};
    frame->width = between(1, 90);
    frame->height = between(1, 60);
    frame->colors = turn % 4 == 0 ? GANNET_JPEG_GRAY : turn % 4 == 1 ? GANNET_JPEG_RGB : GANNET_JPEG_YCC;
    for (int index = 0; index < 3; index++) {
        uint16_t *steps = zeros(128);
        for (int place = 0; place < 64; place++) steps[place] = (uint16_t)between(1, 40);
        gannet_jpeg_component *component = &frame->components[index];
        component->horizontal = index == 0 ? factors[turn / 4 % 4][0] : 1;
        component->vertical = index == 0 ? factors[turn / 4 % 4][1] : 1;
        component->steps = steps;
        component->dc = dc_codes();
        component->ac = ac_codes();
    }
}

/// Small files that several threads have decoded. The kernels are built for that (GANNET_JPEG_EAGER).
static int divided;
/// Rows that came of several sizes at once.
static size_t shared, shared_beside;

/// The rows that came.
static size_t rows_of(const gannet_jpeg_frame *frame, const uint8_t *bytes, size_t count, int threads, uint8_t *pixels) {
    const size_t width = (size_t)(frame->width * frame->eighths + 7) / 8, rows = (size_t)(frame->height * frame->eighths + 7) / 8;
    gannet_jpeg_shrink *shrink = gannet_jpeg_shrink_create(frame, bytes, count);
    check(shrink != NULL, "no decoder");
    if (shrink == NULL) return 0;
    if (gannet_jpeg_shrink_dividing(shrink, threads) > 0 && gannet_jpeg_shrink_divide(shrink) > 1) divided++;
    size_t came = 0;
    while (came < rows && gannet_jpeg_shrink_row(shrink, 0, pixels + came * width * 4)) came++;
    gannet_jpeg_shrink_destroy(shrink);
    return came;
}

static void note_rows(const gannet_jpeg_frame *frame, const uint8_t *bytes, size_t count) {
    const size_t width = (size_t)(frame->width * frame->eighths + 7) / 8, rows = (size_t)(frame->height * frame->eighths + 7) / 8;
    uint8_t *alone = odd_zeros(width * rows * 4), *several = odd_zeros(width * rows * 4);
    const size_t came = rows_of(frame, bytes, count, 1, alone);
    note(alone, came * width * 4);
    note_number(came);
    // Parts begin within what the image needs, or there would be nothing to share.
    while (count > 4096 && rows_of(frame, bytes, count / 2, 1, several) == came) count /= 2;
    for (int threads = 2; threads <= 4; threads++) {
        memset(several, 0, width * rows * 4);
        check(rows_of(frame, bytes, count, threads, several) == came, "other rows come from several threads");
        check(memcmp(alone, several, came * width * 4) == 0, "the pixels of several threads are others");
    }
}

static const int size_lists[4][3] = {{4, 2, 1}, {4, 2, 0}, {4, 1, 0}, {2, 1, 0}};

static void set_sizes(gannet_jpeg_frame *frame, const int sizes[3]) {
    frame->eighths = sizes[0];
    memcpy(frame->smaller, sizes + 1, sizeof frame->smaller);
}

static size_t scaled(int length, int eighths) { return (size_t)(length * eighths + 7) / 8; }

/// Several sizes at once: how many rows of each came, in step.
static void rows_of_sizes(
    const gannet_jpeg_frame *frame, const int sizes[3], gannet_jpeg_shrink *shrink, uint8_t *const pixels[3], size_t came[3]) {
    bool goes_on = true;
    while (goes_on && came[0] < scaled(frame->height, sizes[0])) {
        for (size_t size = 0; size < 3 && sizes[size] > 0; size++) {
            const size_t width = scaled(frame->width, sizes[size]), rows = scaled(frame->height, sizes[size]);
            size_t end = came[size] + (size_t)gannet_jpeg_shrink_band(shrink, size);
            if (end > rows) end = rows;
            while (came[size] < end && gannet_jpeg_shrink_row(shrink, size, pixels[size] + came[size] * width * 4)) came[size]++;
            goes_on = came[size] == end;
            if (!goes_on) break;
            if (size == 0 && end < rows) check(!gannet_jpeg_shrink_row(shrink, 0, zeros(width * 4)), "a size is ahead of the others");
        }
    }
}

/// Several sizes at once are what each gives alone. Of a progressive file fewer rows may come: a larger size reads more scans.
static void compare_sizes(gannet_jpeg_frame frame, const uint8_t *bytes, size_t count) {
    for (int list = 0; list < 4; list++) {
        const int *sizes = size_lists[list];
        for (int threads = 1; threads <= 3; threads += 2) {
            uint8_t *together[3] = {NULL};
            size_t came[3] = {0};
            for (int size = 0; size < 3 && sizes[size] > 0; size++)
                together[size] = odd_zeros(scaled(frame.width, sizes[size]) * scaled(frame.height, sizes[size]) * 4);
            set_sizes(&frame, sizes);
            gannet_jpeg_shrink *shrink = gannet_jpeg_shrink_create(&frame, bytes, count);
            check(shrink != NULL, "no decoder of several sizes");
            if (shrink == NULL) return;
            check(gannet_jpeg_shrink_band(shrink, 3) == 0, "a size too many");
            check(!gannet_jpeg_shrink_keep(shrink, 0, 1), "columns of several sizes were chosen");
            if (gannet_jpeg_shrink_dividing(shrink, threads) > 0 && gannet_jpeg_shrink_divide(shrink) > 1) divided++;
            rows_of_sizes(&frame, sizes, shrink, together, came);
            gannet_jpeg_shrink_destroy(shrink);
            for (int size = 0; size < 3 && sizes[size] > 0; size++) {
                const size_t width = scaled(frame.width, sizes[size]);
                uint8_t *alone = zeros(width * scaled(frame.height, sizes[size]) * 4);
                set_sizes(&frame, (const int[3]){sizes[size], 0, 0});
                const size_t rows = rows_of(&frame, bytes, count, 1, alone);
                check(frame.scans != NULL && size > 0 ? came[size] <= rows : came[size] == rows, "other rows come of several sizes");
                check(memcmp(alone, together[size], came[size] * width * 4) == 0, "the pixels of several sizes are others");
                shared += came[size];
            }
        }
    }
    static const int wrong[5][3] = {{4, 4, 0}, {2, 4, 0}, {1, 1, 0}, {4, 3, 0}, {8, 4, 0}};
    for (int list = 0; list < 5; list++) {
        set_sizes(&frame, wrong[list]);
        check(gannet_jpeg_shrink_create(&frame, bytes, count) == NULL, "a decoder of wrong sizes");
    }
}

/// Small sizes of a progressive file whose coefficients another reader brings are those that each gives alone.
static void compare_beside(gannet_jpeg_frame frame) {
    const int components = frame.colors == GANNET_JPEG_GRAY ? 1 : 3, *sizes = size_lists[0];
    const int across = frame.components[0].horizontal, down = frame.components[0].vertical;
    const size_t mcus = (size_t)(frame.width + 8 * across - 1) / (size_t)(8 * across), room = mcus * (size_t)across * 64;
    gannet_jpeg_progressive_frame whole = {.width = frame.width, .height = frame.height, .component_count = components};
    uint8_t *together[3];
    for (int size = 0; size < 3; size++) together[size] = odd_zeros(scaled(frame.width, sizes[size]) * scaled(frame.height, sizes[size]) * 4);
    int16_t *blocks = zeros(room * (size_t)down * 2 * 3), *rows[GANNET_JPEG_MOST_COMPONENTS][4] = {{NULL}};
    for (int index = 0; index < components; index++) {
        whole.components[index].horizontal = frame.components[index].horizontal;
        whole.components[index].vertical = frame.components[index].vertical;
        whole.components[index].last = 63;
        for (int y = 0; y < frame.components[index].vertical; y++) rows[index][y] = blocks + room * (size_t)(index * down + y);
    }
    gannet_jpeg_progression *others = gannet_jpeg_progression_create(&whole, frame.scans, frame.scan_count);
    gannet_jpeg_frame first = frame;
    first.scan_count = 1;
    set_sizes(&first, sizes);
    gannet_jpeg_shrink *shrink = gannet_jpeg_shrink_create(&first, NULL, 0);
    check(others != NULL && shrink != NULL, "no decoder beside another");
    if (others == NULL || shrink == NULL) return;
    check(!gannet_jpeg_shrink_draw(shrink, others, rows), "a row of MCUs came too early");
    check(gannet_jpeg_shrink_stand_beside(shrink) && !gannet_jpeg_shrink_stand_beside(shrink), "it does not stand beside, or twice");
    check(!gannet_jpeg_shrink_row(shrink, 0, zeros(scaled(frame.width, 4) * 4)), "a row came from nowhere");
    check(gannet_jpeg_shrink_dividing(shrink, 2) == 0, "it would take threads");
    size_t came[3] = {0};
    const size_t mcu_rows = (size_t)(frame.height + 8 * down - 1) / (size_t)(8 * down);
    for (size_t row = 0; row < mcu_rows; row++) {
        memset(blocks, 0, room * (size_t)down * 2 * 3);
        if (!gannet_jpeg_progression_next(others, rows)) break;
        check(gannet_jpeg_shrink_draw(shrink, others, rows), "what the other reads is damaged here");
        if (row % 2 == 0 && row + 1 < mcu_rows) continue;
        check(row % 2 == 0 || !gannet_jpeg_shrink_draw(shrink, others, rows), "three rows of MCUs wait");
        while (gannet_jpeg_shrink_waiting(shrink) > 0) {
            for (size_t size = 0; size < 3; size++) {
                const size_t width = scaled(frame.width, sizes[size]);
                size_t end = came[size] + (size_t)gannet_jpeg_shrink_band(shrink, size);
                if (end > scaled(frame.height, sizes[size])) end = scaled(frame.height, sizes[size]);
                for (; came[size] < end; came[size]++)
                    check(gannet_jpeg_shrink_row(shrink, size, together[size] + came[size] * width * 4), "a row is missing");
            }
        }
    }
    gannet_jpeg_shrink_destroy(shrink);
    gannet_jpeg_progression_destroy(others);
    for (int size = 0; size < 3; size++) {
        const size_t width = scaled(frame.width, sizes[size]);
        uint8_t *alone = zeros(width * scaled(frame.height, sizes[size]) * 4);
        set_sizes(&frame, (const int[3]){sizes[size], 0, 0});
        check(rows_of(&frame, NULL, 0, 1, alone) >= came[size], "rows that do not come alone");
        check(memcmp(alone, together[size], came[size] * width * 4) == 0, "the pixels beside another reader are others");
        shared_beside += came[size];
    }
}

static void file_vectors(void) {
    group("jpeg.shrink");
    divided = 0;
    shared = 0;
    for (int turn = 0; turn < 192; turn++) {
        gannet_jpeg_frame frame;
        set_frame(&frame, turn);
        // Some of them end too early.
        const size_t count = turn % 16 == 15 ? 300 : 120000;
        const uint8_t *bytes = scan_bytes(count);
        note_rows(&frame, bytes, count);
        compare_sizes(frame, bytes, count);
        check(turn < 191 || divided > 60, "few files were decoded by several threads");
        check(turn < 191 || shared > 30000, "few rows came of several sizes");
        end_vector();
    }
    group("jpeg.shrink.progressive");
    divided = 0;
    shared = shared_beside = 0;
    for (int turn = 0; turn < 192; turn++) {
        gannet_jpeg_frame frame;
        set_frame(&frame, turn);
        const int components = frame.colors == GANNET_JPEG_GRAY ? 1 : 3;
        static const int bands[4][4] = {{1, 5, 0, 2}, {6, 63, 0, 2}, {1, 63, 2, 1}, {1, 63, 1, 0}};
        gannet_jpeg_progressive_scan scans[14];
        size_t count = 0;
        for (int later = 0; later < 2; later++) {
            gannet_jpeg_progressive_scan means = {.component_count = components, .high = later, .low = 1 - later, .count = 60000};
            for (int index = 0; index < components; index++) {
                means.components[index] = index;
                means.codes[index] = dc_codes();
            }
            means.bytes = scan_bytes(means.count);
            scans[count++] = means;
        }
        for (int band = 0; band < 4; band++)
            for (int index = 0; index < components; index++) {
                gannet_jpeg_progressive_scan details = {
                    .component_count = 1, .components = {index}, .first = bands[band][0], .last = bands[band][1],
                    .high = bands[band][2], .low = bands[band][3], .count = 60000};
                details.codes[0] = progressive_codes(details.high > 0);
                details.bytes = scan_bytes(details.count);
                scans[count++] = details;
            }
        frame.scans = scans;
        frame.scan_count = count;
        note_rows(&frame, NULL, 0);
        compare_sizes(frame, NULL, 0);
        compare_beside(frame);
        check(turn < 191 || divided > 60, "few files were decoded by several threads");
        check(turn < 191 || shared > 30000, "few rows came of several sizes");
        check(turn < 191 || shared_beside > 5000, "few rows came beside another reader");
        end_vector();
    }
}

/// Details at the last coefficient that a size shows, and behind it: a smaller size fills a block that a larger one transforms.
static void edge_vectors(void) {
    group("jpeg.sizes");
    shared = 0;
    for (int turn = 0; turn < 64; turn++) {
        static const int bands[4][2] = {{24, 24}, {25, 63}, {4, 4}, {5, 63}};
        gannet_jpeg_frame frame;
        set_frame(&frame, turn);
        gannet_jpeg_progressive_scan scans[4];
        frame.scans = scans;
        const int components = frame.colors == GANNET_JPEG_GRAY ? 1 : 3;
        for (int index = 0; index < components; index++) {
            gannet_jpeg_progressive_scan details = {
                .component_count = 1, .components = {index}, .first = bands[turn / 16][0], .last = bands[turn / 16][1], .count = 60000};
            details.codes[0] = progressive_codes(false);
            details.bytes = scan_bytes(details.count);
            scans[frame.scan_count++] = details;
        }
        gannet_jpeg_progressive_scan means = {.component_count = components, .count = 60000};
        for (int index = 0; index < components; index++) {
            means.components[index] = index;
            means.codes[index] = dc_codes();
        }
        means.bytes = scan_bytes(means.count);
        scans[frame.scan_count++] = means;
        note_rows(&frame, NULL, 0);
        compare_sizes(frame, NULL, 0);
        check(turn < 63 || shared > 5000, "few rows came of several sizes");
        end_vector();
    }
}

void jpeg_vectors(void) {
    inverse_vectors();
    file_vectors();
    edge_vectors();
}
