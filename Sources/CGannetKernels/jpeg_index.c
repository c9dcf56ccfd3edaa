#include "gannet_jpeg_index.h"

#include <stdlib.h>

#include "jpeg_bits.h"

/// States are kept of every so many MCUs of a row, or of more: what is before the cut in such a piece is read in vain.
enum { LEAST_PIECE = 32 };

/// Between two MCUs.
struct state {
    uint64_t bits;
    uint32_t at;
    int8_t count, missing;
    int16_t predictors[GANNET_JPEG_CUT_COMPONENTS];
};

struct gannet_jpeg_index {
    gannet_jpeg_scan_shape shape;
    gannet_jpeg_table *dc[GANNET_JPEG_CUT_COMPONENTS], *ac[GANNET_JPEG_CUT_COMPONENTS];
    /// MCUs of a piece, pieces of a row, rows whose states are known.
    size_t piece, pieces, rows;
    struct state next;
    struct state *states;
};

/// Reads MCUs from a state on.
struct reader {
    const gannet_jpeg_index *index;
    gannet_jpeg_bits bits;
    uint32_t predictors[GANNET_JPEG_CUT_COMPONENTS];
    size_t number;
};

static struct reader reader_at(const gannet_jpeg_index *index, const struct state *state, size_t number, const uint8_t *bytes, size_t count) {
    struct reader reader = {.index = index, .number = number};
    reader.bits = (gannet_jpeg_bits){bytes + state->at, bytes + count, state->bits, state->count, state->missing};
    for (int part = 0; part < GANNET_JPEG_CUT_COMPONENTS; part++) reader.predictors[part] = (uint32_t)(int32_t)state->predictors[part];
    return reader;
}

static struct state state_of(const struct reader *reader, const uint8_t *bytes) {
    struct state state = {
        .bits = reader->bits.bits,
        .at = (uint32_t)(reader->bits.at - bytes),
        .count = (int8_t)reader->bits.count,
        // After the end of the data nothing is read, however many bits are missing.
        .missing = (int8_t)(reader->bits.missing > 127 ? 127 : reader->bits.missing)};
    for (int part = 0; part < GANNET_JPEG_CUT_COMPONENTS; part++) state.predictors[part] = (int16_t)reader->predictors[part];
    return state;
}

/// What stands between two MCUs.
static bool begin(struct reader *reader) {
    unsigned interval = reader->index->shape.restart_interval;
    size_t number = reader->number++;
    if (interval == 0 || number == 0 || number % interval != 0) return true;
    if (!gannet_jpeg_restart(&reader->bits, (int)((number / interval - 1) & 7))) return false;
    memset(reader->predictors, 0, sizeof reader->predictors);
    return true;
}

/// Passes over an MCU: of its coefficients only the first ones matter to those that follow.
static bool pass(struct reader *reader) {
    if (!begin(reader)) return false;
    const gannet_jpeg_index *index = reader->index;
    int16_t block[64];
    for (int part = 0; part < index->shape.component_count; part++)
        for (int number = 0; number < index->shape.components[part].blocks; number++)
            if (gannet_jpeg_decode_block(&reader->bits, index->dc[part], index->ac[part], 0, &reader->predictors[part], block) < 0)
                return false;
    return !gannet_jpeg_is_exhausted(&reader->bits);
}

static gannet_jpeg_table *table_of(const gannet_jpeg_codes *codes, gannet_jpeg_table_use use) {
    gannet_jpeg_table *table = malloc(sizeof *table);
    if (table != NULL && gannet_jpeg_table_build(table, codes, use)) return table;
    free(table);
    return NULL;
}

static bool is_scan(const gannet_jpeg_scan_shape *shape) {
    int blocks = 0;
    if (shape->component_count < 1 || shape->component_count > GANNET_JPEG_CUT_COMPONENTS) return false;
    for (int part = 0; part < shape->component_count; part++) {
        if (shape->components[part].blocks < 1 || shape->components[part].blocks > 10) return false;
        blocks += shape->components[part].blocks;
    }
    return blocks <= 10 && shape->columns >= 1 && shape->columns <= 8192 && shape->rows >= 1 && shape->rows <= 8192;
}

/// MCUs of a piece; 0: all states would have more than `maximum` bytes.
static size_t piece_of(const gannet_jpeg_scan_shape *shape, size_t maximum) {
    size_t most = maximum / sizeof(struct state) / shape->rows, piece = LEAST_PIECE;
    if (most == 0) return 0;
    while ((shape->columns + piece - 1) / piece > most) piece *= 2;
    return piece;
}

size_t gannet_jpeg_index_bytes(const gannet_jpeg_scan_shape *shape, size_t maximum) {
    size_t piece = is_scan(shape) ? piece_of(shape, maximum) : 0;
    if (piece == 0) return 0;
    size_t states = (shape->columns + piece - 1) / piece * shape->rows;
    return sizeof(gannet_jpeg_index) + 2 * (size_t)shape->component_count * sizeof(gannet_jpeg_table) + states * sizeof(struct state);
}

gannet_jpeg_index *gannet_jpeg_index_create(const gannet_jpeg_scan_shape *shape, size_t maximum) {
    if (gannet_jpeg_index_bytes(shape, maximum) == 0) return NULL;
    gannet_jpeg_index *index = calloc(1, sizeof *index);
    if (index == NULL) return NULL;
    index->shape = *shape;
    index->piece = piece_of(shape, maximum);
    index->pieces = (shape->columns + index->piece - 1) / index->piece;
    index->states = calloc(index->pieces * shape->rows, sizeof *index->states);
    bool is_made = index->states != NULL;
    for (int part = 0; part < shape->component_count && is_made; part++) {
        index->dc[part] = table_of(&shape->components[part].dc, JPEG_DC);
        index->ac[part] = table_of(&shape->components[part].ac, JPEG_AC);
        is_made = index->dc[part] != NULL && index->ac[part] != NULL;
        // They belong to the caller.
        index->shape.components[part].dc = index->shape.components[part].ac = (gannet_jpeg_codes){NULL, NULL};
    }
    if (is_made) return index;
    gannet_jpeg_index_destroy(index);
    return NULL;
}

void gannet_jpeg_index_destroy(gannet_jpeg_index *index) {
    if (index == NULL) return;
    for (int part = 0; part < GANNET_JPEG_CUT_COMPONENTS; part++) {
        free(index->dc[part]);
        free(index->ac[part]);
    }
    free(index->states);
    free(index);
}

size_t gannet_jpeg_index_rows(const gannet_jpeg_index *index) { return index->rows; }

bool gannet_jpeg_index_extend(gannet_jpeg_index *index, const uint8_t *bytes, size_t count) {
    if (index->rows >= index->shape.rows || count > UINT32_MAX) return false;
    struct reader reader = reader_at(index, &index->next, index->rows * index->shape.columns, bytes, count);
    struct state *states = index->states + index->rows * index->pieces;
    for (size_t column = 0; column < index->shape.columns; column++) {
        if (column % index->piece == 0) states[column / index->piece] = state_of(&reader, bytes);
        if (!pass(&reader)) return false;
    }
    index->next = state_of(&reader, bytes);
    index->rows++;
    return true;
}

// Cuts

/// All codes of a table have the same length, so that a code is its symbol's place. None is of ones alone.
enum { DC_BITS = 5, AC_BITS = 8, DC_SYMBOLS = 16, AC_SYMBOLS = 242 };

/// An AC symbol's place: the end of a block, sixteen zeros, then by zeros and size.
static inline unsigned ac_code(unsigned zeros, unsigned size) { return size == 0 ? (zeros == 15) : 2 + zeros * 15 + size - 1; }

size_t gannet_jpeg_cut_tables(uint8_t *bytes, size_t room) {
    if (room < 17 + DC_SYMBOLS + 17 + AC_SYMBOLS) return 0;
    uint8_t *at = bytes;
    memset(at, 0, 17);
    at[DC_BITS] = DC_SYMBOLS;
    at += 17;
    for (unsigned size = 0; size < DC_SYMBOLS; size++) *at++ = (uint8_t)size;
    memset(at, 0, 17);
    at[0] = 0x10;
    at[AC_BITS] = AC_SYMBOLS;
    at += 17;
    *at++ = 0x00;
    *at++ = 0xF0;
    for (unsigned zeros = 0; zeros < 16; zeros++)
        for (unsigned size = 1; size < 16; size++) *at++ = (uint8_t)(zeros << 4 | size);
    return (size_t)(at - bytes);
}

struct gannet_jpeg_cut {
    size_t column, columns;
    uint8_t *bytes;
    size_t count, room, maximum;
    uint64_t bits;
    unsigned bit_count;
    int predictors[GANNET_JPEG_CUT_COMPONENTS];
};

/// Of one MCU at most: ten blocks of 64 codes with values, and as many zeros after bytes of ones.
enum { MOST_OF_AN_MCU = 10 * 64 * (8 + 16) / 8 * 2 + 32 };

gannet_jpeg_cut *gannet_jpeg_cut_create(size_t column, size_t columns, size_t maximum) {
    gannet_jpeg_cut *cut = calloc(1, sizeof *cut);
    if (cut == NULL) return NULL;
    cut->column = column;
    cut->columns = columns;
    cut->maximum = maximum;
    return cut;
}

void gannet_jpeg_cut_destroy(gannet_jpeg_cut *cut) {
    if (cut == NULL) return;
    free(cut->bytes);
    free(cut);
}

static bool has_room(gannet_jpeg_cut *cut) {
    if (cut->room - cut->count >= MOST_OF_AN_MCU) return true;
    size_t room = cut->room * 2 + MOST_OF_AN_MCU;
    if (room > cut->maximum) room = cut->maximum;
    if (room < cut->count + MOST_OF_AN_MCU) return false;
    uint8_t *bytes = realloc(cut->bytes, room);
    if (bytes == NULL) return false;
    cut->bytes = bytes;
    cut->room = room;
    return true;
}

/// At most 24 bits.
static inline void put(gannet_jpeg_cut *cut, unsigned value, unsigned count) {
    cut->bits = cut->bits << count | value;
    cut->bit_count += count;
    while (cut->bit_count >= 8) {
        cut->bit_count -= 8;
        uint8_t byte = (uint8_t)(cut->bits >> cut->bit_count);
        cut->bytes[cut->count++] = byte;
        if (byte == 0xFF) cut->bytes[cut->count++] = 0;
    }
}

static inline unsigned size_of(int value) {
    unsigned magnitude = (unsigned)(value < 0 ? -value : value);
    return magnitude == 0 ? 0 : 32 - (unsigned)__builtin_clz(magnitude);
}

/// The bits of a value after its code (T.81, F.1.2).
static inline unsigned bits_of(int value, unsigned size) { return (unsigned)(value < 0 ? value - 1 : value) & ((1u << size) - 1); }

static bool write_block(gannet_jpeg_cut *cut, const int16_t *block, int *predictor) {
    int difference = block[0] - *predictor;
    *predictor = block[0];
    unsigned size = size_of(difference);
    if (size > 15) return false;
    put(cut, size << size | bits_of(difference, size), DC_BITS + size);
    unsigned zeros = 0;
    for (int index = 1; index < 64; index++) {
        int value = block[gannet_jpeg_natural_order[index]];
        if (value == 0) {
            zeros++;
            continue;
        }
        for (; zeros > 15; zeros -= 16) put(cut, ac_code(15, 0), AC_BITS);
        size = size_of(value);
        if (size > 15) return false;
        put(cut, ac_code(zeros, size) << size | bits_of(value, size), AC_BITS + size);
        zeros = 0;
    }
    if (zeros > 0) put(cut, ac_code(0, 0), AC_BITS);
    return true;
}

static bool copy_mcu(gannet_jpeg_cut *cut, struct reader *reader) {
    if (!begin(reader) || !has_room(cut)) return false;
    const gannet_jpeg_index *index = reader->index;
    for (int part = 0; part < index->shape.component_count; part++) {
        for (int number = 0; number < index->shape.components[part].blocks; number++) {
            int16_t block[64] = {0};
            if (gannet_jpeg_decode_block(&reader->bits, index->dc[part], index->ac[part], 63, &reader->predictors[part], block) < 0)
                return false;
            if (!write_block(cut, block, &cut->predictors[part])) return false;
        }
    }
    return !gannet_jpeg_is_exhausted(&reader->bits);
}

bool gannet_jpeg_cut_add(gannet_jpeg_cut *cut, const gannet_jpeg_index *index, const uint8_t *bytes, size_t count, size_t row) {
    if (row >= index->rows || cut->column + cut->columns > index->shape.columns) return false;
    size_t piece = cut->column / index->piece, first = piece * index->piece;
    struct reader reader = reader_at(index, &index->states[row * index->pieces + piece], row * index->shape.columns + first, bytes, count);
    for (size_t column = first; column < cut->column; column++)
        if (!pass(&reader)) return false;
    for (size_t column = 0; column < cut->columns; column++)
        if (!copy_mcu(cut, &reader)) return false;
    return true;
}

const uint8_t *gannet_jpeg_cut_end(gannet_jpeg_cut *cut, size_t *count) {
    if (!has_room(cut)) return NULL;
    if (cut->bit_count > 0) put(cut, (1u << (8 - cut->bit_count)) - 1, 8 - cut->bit_count);
    cut->bytes[cut->count++] = 0xFF;
    cut->bytes[cut->count++] = 0xD9;
    *count = cut->count;
    return cut->bytes;
}
