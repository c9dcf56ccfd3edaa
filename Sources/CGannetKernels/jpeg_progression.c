#include "gannet_jpeg_progression.h"

#include <stdlib.h>

#include "jpeg_bits.h"
#include "jpeg_relay.h"

struct component {
    int horizontal, vertical, last;
    size_t across, down;  // blocks that the image has of it
    size_t room;          // blocks of a row in whole MCUs
    uint64_t *details;    // vertical × room
};

/// One scan, and how far it is.
struct strand {
    gannet_jpeg_progressive_scan scan;
    gannet_jpeg_bits bits;
    gannet_jpeg_table *tables[GANNET_JPEG_MOST_COMPONENTS];  // of the scan's components, some of them the same
    uint32_t predictors[GANNET_JPEG_MOST_COMPONENTS];
    uint32_t end_run;  // blocks in which nothing new comes
    unsigned until_restart;
    int restart;
};

struct gannet_jpeg_progression {
    struct component components[GANNET_JPEG_MOST_COMPONENTS];
    int component_count;
    size_t mcus, bytes;
    size_t row;
    struct strand *strands;
    size_t strand_count;
};

// Which scans are decoded

static uint64_t band_of(int first, int last) { return (~(uint64_t)0 >> (63 - last)) & (~(uint64_t)0 << first); }

/// Scans without which the wanted coefficients come out the same. From the end: a later scan of a coefficient reads a bit for each of its
/// band that is not zero yet, so it needs all that came before of all of these.
static void note_needed(const gannet_jpeg_progressive_frame *frame, const gannet_jpeg_progressive_scan *scans, size_t count, bool *needed) {
    uint64_t wanted[GANNET_JPEG_MOST_COMPONENTS];
    for (int index = 0; index < frame->component_count; index++) wanted[index] = band_of(0, frame->components[index].last);
    for (size_t index = count; index-- > 0;) {
        const gannet_jpeg_progressive_scan *scan = &scans[index];
        uint64_t band = band_of(scan->first, scan->last);
        needed[index] = scan->first == 0 || (wanted[scan->components[0]] & band) != 0;
        if (needed[index] && scan->first > 0 && scan->high > 0) wanted[scan->components[0]] |= band;
    }
}

static bool is_scan(const gannet_jpeg_progressive_frame *frame, const gannet_jpeg_progressive_scan *scan) {
    if (scan->component_count < 1 || scan->component_count > frame->component_count) return false;
    int blocks = 0;
    for (int index = 0; index < scan->component_count; index++) {
        int component = scan->components[index];
        if (component < 0 || component >= frame->component_count) return false;
        blocks += frame->components[component].horizontal * frame->components[component].vertical;
    }
    if (scan->component_count > 1 && blocks > 10) return false;
    if (scan->low < 0 || scan->low > 13 || (scan->high != 0 && scan->high != scan->low + 1)) return false;
    if (scan->first == 0) return scan->last == 0;
    return scan->first > 0 && scan->first <= scan->last && scan->last < 64 && scan->component_count == 1;
}

static bool set_components(gannet_jpeg_progression *progression, const gannet_jpeg_progressive_frame *frame) {
    size_t most_across = 1, most_down = 1;
    for (int index = 0; index < frame->component_count; index++) {
        int horizontal = frame->components[index].horizontal, vertical = frame->components[index].vertical;
        if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) return false;
        if (frame->components[index].last < 0 || frame->components[index].last > 63) return false;
        if ((size_t)horizontal > most_across) most_across = (size_t)horizontal;
        if ((size_t)vertical > most_down) most_down = (size_t)vertical;
    }
    progression->component_count = frame->component_count;
    progression->mcus = ((size_t)frame->width + 8 * most_across - 1) / (8 * most_across);
    for (int index = 0; index < frame->component_count; index++) {
        struct component *component = &progression->components[index];
        component->horizontal = frame->components[index].horizontal;
        component->vertical = frame->components[index].vertical;
        component->last = frame->components[index].last;
        component->across = ((size_t)frame->width * (size_t)component->horizontal + 8 * most_across - 1) / (8 * most_across);
        component->down = ((size_t)frame->height * (size_t)component->vertical + 8 * most_down - 1) / (8 * most_down);
        component->room = progression->mcus * (size_t)component->horizontal;
        size_t count = component->room * (size_t)component->vertical;
        component->details = calloc(count, sizeof *component->details);
        if (component->details == NULL) return false;
        progression->bytes += count * sizeof *component->details;
    }
    return true;
}

/// Tables are made for each scan: files of many scans have others for each.
static bool start(gannet_jpeg_progression *progression, struct strand *strand, const gannet_jpeg_progressive_scan *scan) {
    strand->scan = *scan;
    strand->bits.at = scan->bytes;
    strand->bits.end = scan->bytes + scan->count;
    strand->until_restart = scan->restart_interval;
    if (scan->first == 0 && scan->high > 0) return true;
    for (int index = 0; index < scan->component_count; index++) {
        for (int before = 0; before < index && strand->tables[index] == NULL; before++)
            if (scan->codes[before].counts == scan->codes[index].counts) strand->tables[index] = strand->tables[before];
        if (strand->tables[index] != NULL) continue;
        gannet_jpeg_table *table = malloc(sizeof *table);
        strand->tables[index] = table;
        progression->bytes += sizeof *table;
        if (table == NULL) return false;
        if (!gannet_jpeg_table_build(table, &scan->codes[index], scan->first == 0 ? JPEG_DC : JPEG_PROGRESSIVE_AC)) return false;
    }
    return true;
}

gannet_jpeg_progression *gannet_jpeg_progression_create(
    const gannet_jpeg_progressive_frame *frame, const gannet_jpeg_progressive_scan *scans, size_t count) {
    if (frame->width < 1 || frame->height < 1 || frame->width > 65535 || frame->height > 65535) return NULL;
    if (frame->component_count < 1 || frame->component_count > GANNET_JPEG_MOST_COMPONENTS || count < 1) return NULL;
    for (size_t index = 0; index < count; index++)
        if (!is_scan(frame, &scans[index])) return NULL;
    gannet_jpeg_progression *progression = calloc(1, sizeof *progression);
    bool *needed = calloc(count, sizeof *needed);
    bool is_ready = progression != NULL && needed != NULL && set_components(progression, frame);
    if (is_ready) {
        note_needed(frame, scans, count, needed);
        progression->strands = calloc(count, sizeof *progression->strands);
        progression->bytes += sizeof *progression + count * sizeof *progression->strands;
        is_ready = progression->strands != NULL;
    }
    for (size_t index = 0; index < count && is_ready; index++)
        if (needed[index]) is_ready = start(progression, &progression->strands[progression->strand_count++], &scans[index]);
    free(needed);
    if (is_ready) return progression;
    gannet_jpeg_progression_destroy(progression);
    return NULL;
}

void gannet_jpeg_progression_destroy(gannet_jpeg_progression *progression) {
    if (progression == NULL) return;
    for (size_t index = 0; index < progression->strand_count; index++) {
        gannet_jpeg_table **tables = progression->strands[index].tables;
        for (int table = 0; table < GANNET_JPEG_MOST_COMPONENTS; table++) {
            bool is_shared = false;
            for (int before = 0; before < table; before++) is_shared |= tables[before] == tables[table];
            if (!is_shared) free(tables[table]);
        }
    }
    free(progression->strands);
    for (int index = 0; index < progression->component_count; index++) free(progression->components[index].details);
    free(progression);
}

size_t gannet_jpeg_progression_bytes(const gannet_jpeg_progression *progression) { return progression->bytes; }

// DC

static inline bool decode_mean(gannet_jpeg_bits *bits, const gannet_jpeg_table *table, uint32_t *predictor, int low, int16_t *block) {
    jpeg_fill(bits);
    int symbol = jpeg_symbol(bits, table);
    if (symbol < 0) return false;
    if (symbol != 0) *predictor += (uint32_t)jpeg_extend(jpeg_take(bits, (unsigned)symbol), (unsigned)symbol);
    block[0] = (int16_t)(*predictor << low);
    return true;
}

static inline void refine_mean(gannet_jpeg_bits *bits, int low, int16_t *block) {
    jpeg_fill(bits);
    block[0] = (int16_t)((unsigned)block[0] | jpeg_take(bits, 1) << low);
}

/// `count` MCUs, the first one at `mcu`: the blocks of each component in turn.
static bool decode_means(
    gannet_jpeg_progression *progression, struct strand *strand, int16_t *const rows[][4], size_t mcu, size_t count) {
    gannet_jpeg_bits bits = strand->bits;
    const int low = strand->scan.low, components = strand->scan.component_count;
    const bool is_later = strand->scan.high > 0;
    for (size_t end = mcu + count; mcu < end; mcu++) {
        for (int index = 0; index < components; index++) {
            int number = strand->scan.components[index];
            const struct component *component = &progression->components[number];
            for (int y = 0; y < component->vertical; y++) {
                int16_t *block = rows[number][y] + 64 * mcu * (size_t)component->horizontal;
                for (int x = 0; x < component->horizontal; x++, block += 64) {
                    if (is_later) {
                        refine_mean(&bits, low, block);
                    } else if (!decode_mean(&bits, strand->tables[index], &strand->predictors[index], low, block)) {
                        return false;
                    }
                }
            }
        }
    }
    strand->bits = bits;
    return true;
}

/// `count` blocks of a scan's only component.
static bool decode_means_alone(struct strand *strand, int16_t *blocks, size_t count) {
    gannet_jpeg_bits bits = strand->bits;
    const int low = strand->scan.low;
    for (size_t n = 0; n < count; n++) {
        if (strand->scan.high > 0) {
            refine_mean(&bits, low, blocks + 64 * n);
        } else if (!decode_mean(&bits, strand->tables[0], &strand->predictors[0], low, blocks + 64 * n)) {
            return false;
        }
    }
    strand->bits = bits;
    return true;
}

// AC

/// Blocks in which nothing new comes, this one included (T.81, G.1.2.2).
static inline uint32_t end_run(gannet_jpeg_bits *bits, unsigned size) {
    return (1u << size) + (size > 0 ? jpeg_take(bits, size) : 0);
}

/// `count` blocks of a component in a first scan of their coefficients.
static bool decode_details(struct strand *strand, int16_t *blocks, uint64_t *details, size_t count) {
    gannet_jpeg_bits bits = strand->bits;
    const gannet_jpeg_table *table = strand->tables[0];
    const int first = strand->scan.first, last = strand->scan.last, low = strand->scan.low;
    uint32_t run = strand->end_run;
    for (size_t n = 0; n < count; n++) {
        if (run > 0) {
            size_t passed = run < count - n ? run : count - n;
            run -= (uint32_t)passed;
            n += passed - 1;
            continue;
        }
        int16_t *block = blocks + 64 * n;
        uint64_t found = 0;
        for (int index = first; index <= last; index++) {
            jpeg_fill(&bits);
            int32_t entry = table->quick[bits.bits >> (64 - JPEG_QUICK_BITS)];
            int value;
            if (entry != 0) {
                jpeg_drop(&bits, (unsigned)entry & 0xFF);
                index += entry >> 8 & 0xFF;
                value = entry >> 16;
            } else {
                int symbol = jpeg_symbol(&bits, table);
                if (symbol < 0) return false;
                unsigned zeros = (unsigned)symbol >> 4, size = (unsigned)symbol & 15;
                if (size == 0 && zeros != 15) {
                    run = end_run(&bits, zeros) - 1;
                    break;
                }
                index += (int)zeros;
                value = size == 0 ? 0 : jpeg_extend(jpeg_take(&bits, size), size);
            }
            if (value == 0) continue;
            // Beyond the band there is nothing to decode.
            if (index > last) return false;
            block[gannet_jpeg_natural_order[index]] = (int16_t)((uint32_t)value << low);
            found |= (uint64_t)1 << index;
        }
        details[n] |= found;
    }
    strand->bits = bits;
    strand->end_run = run;
    return true;
}

/// A bit for each of the coefficients `passed`, which are not zero: whether their next bit is set. Only those in `wanted`, the first
/// ones, are of interest.
static inline void refine(gannet_jpeg_bits *bits, int16_t *block, uint64_t passed, uint64_t wanted, int low) {
    while (passed != 0) {
        jpeg_fill(bits);
        uint64_t ahead = bits->bits;
        unsigned count = 0;
        for (; count < 32 && (passed & wanted) != 0; count++, ahead <<= 1, passed &= passed - 1) {
            int16_t *coefficient = &block[gannet_jpeg_natural_order[__builtin_ctzll(passed)]];
            // Away from zero.
            int sign = *coefficient >> 15;
            *coefficient = (int16_t)(*coefficient + (((int)(ahead >> 63) << low ^ sign) - sign));
        }
        for (; count < 32 && passed != 0; count++) passed &= passed - 1;
        jpeg_drop(bits, count);
    }
}

/// `count` blocks of a component in a later scan of their coefficients (T.81, G.1.2.3).
static bool refine_details(struct strand *strand, int last_wanted, int16_t *blocks, uint64_t *details, size_t count) {
    gannet_jpeg_bits bits = strand->bits;
    const gannet_jpeg_table *table = strand->tables[0];
    const int first = strand->scan.first, last = strand->scan.last, low = strand->scan.low;
    const uint64_t band = band_of(first, last), wanted = band_of(0, last_wanted);
    uint32_t run = strand->end_run;
    for (size_t n = 0; n < count; n++) {
        int16_t *block = blocks + 64 * n;
        const uint64_t before = details[n] & band, holes = band & ~before;
        // Of the band, what this block has not been through.
        uint64_t ahead = band;
        while (run == 0 && ahead != 0) {
            jpeg_fill(&bits);
            int symbol = jpeg_symbol(&bits, table);
            if (symbol < 0) return false;
            unsigned zeros = (unsigned)symbol >> 4, size = (unsigned)symbol & 15;
            int16_t fresh = 0;
            if (size == 1) {
                fresh = (int16_t)(jpeg_take(&bits, 1) != 0 ? 1 << low : -(1 << low));
            } else if (size != 0) {
                return false;
            } else if (zeros != 15) {
                run = end_run(&bits, zeros);
                break;
            }
            // The place behind as many that stay zero.
            uint64_t places = holes & ahead;
            for (; zeros > 0; zeros--) places &= places - 1;
            uint64_t place = places & (0 - places);
            if (place == 0 && fresh != 0) return false;
            uint64_t up_to = place == 0 ? ~(uint64_t)0 : place - 1;
            refine(&bits, block, before & ahead & up_to, wanted, low);
            ahead &= ~(up_to | place);
            if (fresh == 0) continue;
            block[gannet_jpeg_natural_order[__builtin_ctzll(place)]] = fresh;
            details[n] |= place;
        }
        if (run > 0) {
            refine(&bits, block, before & ahead, wanted, low);
            run--;
        }
    }
    strand->bits = bits;
    strand->end_run = run;
    return true;
}

// Rows

static bool restart(struct strand *strand) {
    if (!gannet_jpeg_restart(&strand->bits, strand->restart)) return false;
    strand->restart = (strand->restart + 1) & 7;
    strand->until_restart = strand->scan.restart_interval;
    strand->end_run = 0;
    memset(strand->predictors, 0, sizeof strand->predictors);
    return true;
}

/// The number of MCUs before the next restart marker, 1 … `count`. 0: a required marker is missing.
static size_t interval(struct strand *strand, size_t count) {
    if (strand->scan.restart_interval == 0) return count;
    if (strand->until_restart == 0 && !restart(strand)) return 0;
    if (count > strand->until_restart) count = strand->until_restart;
    strand->until_restart -= (unsigned)count;
    return count;
}

/// A scan of one component has only the blocks that the image has, one after the other.
static bool decode_alone(gannet_jpeg_progression *progression, struct strand *strand, size_t row, const gannet_jpeg_lap *lap) {
    int index = strand->scan.components[0];
    const struct component *component = &progression->components[index];
    for (int y = 0; y < component->vertical; y++) {
        if (row * (size_t)component->vertical + (size_t)y >= component->down) break;
        uint64_t *details = lap->details[index][y];
        for (size_t x = 0, count; x < component->across; x += count) {
            count = interval(strand, component->across - x);
            int16_t *blocks = lap->rows[index][y] + 64 * x;
            if (count == 0) return false;
            bool is_right = strand->scan.first == 0 ? decode_means_alone(strand, blocks, count)
                : strand->scan.high == 0            ? decode_details(strand, blocks, details + x, count)
                                                    : refine_details(strand, component->last, blocks, details + x, count);
            if (!is_right) return false;
        }
    }
    return true;
}

static bool decode_together(gannet_jpeg_progression *progression, struct strand *strand, int16_t *const rows[][4]) {
    for (size_t mcu = 0, count; mcu < progression->mcus; mcu += count) {
        count = interval(strand, progression->mcus - mcu);
        if (count == 0 || !decode_means(progression, strand, rows, mcu, count)) return false;
    }
    return true;
}

bool gannet_jpeg_progression_read(gannet_jpeg_progression *progression, size_t index, size_t row, const gannet_jpeg_lap *lap) {
    struct strand *strand = &progression->strands[index];
    bool is_right = strand->scan.component_count == 1 ? decode_alone(progression, strand, row, lap)
                                                      : decode_together(progression, strand, lap->rows);
    return is_right && !gannet_jpeg_is_exhausted(&strand->bits);
}

bool gannet_jpeg_progression_next(gannet_jpeg_progression *progression, int16_t *const rows[GANNET_JPEG_MOST_COMPONENTS][4]) {
    gannet_jpeg_lap lap = {{{NULL}}, {{NULL}}};
    for (int index = 0; index < progression->component_count; index++) {
        struct component *component = &progression->components[index];
        memset(component->details, 0, component->room * (size_t)component->vertical * sizeof *component->details);
        for (int y = 0; y < component->vertical; y++) lap.rows[index][y] = rows[index][y];
    }
    gannet_jpeg_progression_use_own_details(progression, &lap);
    for (size_t index = 0; index < progression->strand_count; index++)
        if (!gannet_jpeg_progression_read(progression, index, progression->row, &lap)) return false;
    progression->row++;
    return true;
}

// For a relay

size_t gannet_jpeg_progression_strands(const gannet_jpeg_progression *progression) { return progression->strand_count; }

size_t gannet_jpeg_progression_size(const gannet_jpeg_progression *progression, size_t strand) {
    return progression->strands[strand].scan.count;
}

void gannet_jpeg_progression_use_own_details(const gannet_jpeg_progression *progression, gannet_jpeg_lap *lap) {
    for (int index = 0; index < progression->component_count; index++) {
        const struct component *component = &progression->components[index];
        for (int y = 0; y < component->vertical; y++) lap->details[index][y] = component->details + (size_t)y * component->room;
    }
}

size_t gannet_jpeg_progression_room(const gannet_jpeg_progression *progression, int component, int *vertical) {
    if (component >= progression->component_count) return 0;
    *vertical = progression->components[component].vertical;
    return progression->components[component].room;
}
