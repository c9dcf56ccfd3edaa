#include "codes.h"

#include "vectors.h"

void code_lengths(uint8_t *lengths, size_t count, unsigned longest) {
    lengths[0] = 0;
    for (size_t made = 1; made < count; made++) {
        // One leaf of the tree becomes two: the last one until it is as deep as it may be, then any.
        size_t leaf = made - 1;
        while (lengths[leaf] >= longest) leaf = below((uint32_t)made);
        lengths[made] = ++lengths[leaf];
    }
}

// Deflate (RFC 1951), written.

enum { LITERALS = 286, DISTANCES = 30, END = 256 };

typedef struct {
    packed out;
    size_t room;
    uint64_t bits;
    unsigned bit_count;
} writer;

// Numbers of one width: GCC 12 for arm64 drops calls of a function that reads bytes and writes 16 bits through one pointer.
typedef struct {
    uint16_t lengths[288];
    uint16_t codes[288];
} code;

static void put(writer *w, uint32_t value, unsigned count) {
    w->bits |= (uint64_t)value << w->bit_count;
    for (w->bit_count += count; w->bit_count >= 8; w->bit_count -= 8, w->bits >>= 8)
        w->out.stream[w->out.stream_count++] = (uint8_t)w->bits;
}

static void put_symbol(writer *w, const code *c, unsigned symbol) {
    for (unsigned bit = c->lengths[symbol]; bit > 0; bit--) put(w, c->codes[symbol] >> (bit - 1) & 1, 1);
}

static void assign(code *c, unsigned count) {
    unsigned used[16] = {0}, next[16] = {0};
    for (unsigned symbol = 0; symbol < count; symbol++) used[c->lengths[symbol]]++;
    for (unsigned length = 2; length <= 15; length++) next[length] = (next[length - 1] + used[length - 1]) << 1;
    for (unsigned symbol = 0; symbol < count; symbol++) c->codes[symbol] = (uint16_t)next[c->lengths[symbol]]++;
}

/// Gives `used` of `count` symbols a code; the last of them is `always`.
static void random_code(code *c, unsigned count, unsigned used, unsigned always, unsigned longest) {
    uint8_t lengths[288];
    memset(c, 0, sizeof *c);
    code_lengths(lengths, used, longest);
    if (used == 1) lengths[0] = 1;
    c->lengths[always] = lengths[used - 1];
    for (unsigned index = 0; index + 1 < used; index++) {
        unsigned symbol = below(count);
        while (c->lengths[symbol] != 0) symbol = (symbol + 1) % count;
        c->lengths[symbol] = lengths[index];
    }
    assign(c, count);
}

static void put_match(writer *w, const code *literals, const code *distances, unsigned symbol) {
    static const uint16_t bases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    unsigned number = symbol - 257, extra = number < 8 || number == 28 ? 0 : number / 4 - 1;
    unsigned more = below(1u << extra);
    // Symbol 285 stands for 258.
    if (number == 27 && more == 31) more = 30;
    size_t length = bases[number] + more;
    unsigned distance = below(DISTANCES);
    for (unsigned tries = 0; tries < DISTANCES && distances->lengths[distance] == 0; tries++) distance = (distance + 1) % DISTANCES;
    unsigned far_extra = distance < 4 ? 0 : distance / 2 - 1, far_more = below(1u << far_extra);
    size_t back = distance < 4 ? distance + 1 : ((size_t)(2 + (distance & 1)) << far_extra) + 1 + far_more;
    if (distances->lengths[distance] == 0 || back > w->out.plain_count || w->out.plain_count + length > w->room) return;
    put_symbol(w, literals, symbol);
    put(w, more, extra);
    put_symbol(w, distances, distance);
    put(w, far_more, far_extra);
    for (; length > 0; length--, w->out.plain_count++)
        w->out.plain[w->out.plain_count] = w->out.plain[w->out.plain_count - back];
}

static void put_symbols(writer *w, const code *literals, const code *distances, size_t count) {
    for (; count > 0 && w->out.plain_count < w->room; count--) {
        unsigned symbol = below(LITERALS);
        while (literals->lengths[symbol] == 0 || symbol == END) symbol = (symbol + 1) % LITERALS;
        if (symbol > END) {
            put_match(w, literals, distances, symbol);
        } else {
            put_symbol(w, literals, symbol);
            w->out.plain[w->out.plain_count++] = (uint8_t)symbol;
        }
    }
    put_symbol(w, literals, END);
}

/// Thirteen symbols of four bits and six of five are every code there can be.
static void put_lengths(writer *w, const uint16_t *lengths, unsigned count) {
    code c = {{0}, {0}};
    for (unsigned symbol = 0; symbol < 19; symbol++) c.lengths[symbol] = symbol < 13 ? 4 : 5;
    assign(&c, 19);
    for (unsigned index = 0; index < count;) {
        unsigned run = 1;
        while (index + run < count && lengths[index + run] == lengths[index]) run++;
        if (lengths[index] == 0 && run >= 11) {
            if (run > 138) run = 138;
            put_symbol(w, &c, 18);
            put(w, run - 11, 7);
        } else if (lengths[index] == 0 && run >= 3) {
            put_symbol(w, &c, 17);
            put(w, run - 3, 3);
        } else if (index > 0 && lengths[index] == lengths[index - 1] && run >= 3) {
            if (run > 6) run = 6;
            put_symbol(w, &c, 16);
            put(w, run - 3, 2);
        } else {
            run = 1;
            put_symbol(w, &c, lengths[index]);
        }
        index += run;
    }
}

static void put_own_codes(writer *w, size_t count) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    code literals, distances;
    unsigned used = 2 + below(LITERALS - 2), longest = 9 + below(7);
    random_code(&literals, LITERALS, used, END, longest);
    if (below(8) == 0) random_code(&literals, LITERALS, LITERALS, END, 15);
    used = 1 + below(DISTANCES), longest = 5 + below(11);
    random_code(&distances, DISTANCES, used, 0, longest);
    uint16_t lengths[LITERALS + DISTANCES];
    memcpy(lengths, literals.lengths, LITERALS * sizeof *lengths);
    memcpy(lengths + LITERALS, distances.lengths, DISTANCES * sizeof *lengths);
    put(w, LITERALS - 257, 5);
    put(w, DISTANCES - 1, 5);
    put(w, 19 - 4, 4);
    for (unsigned index = 0; index < 19; index++) put(w, order[index] < 13 ? 4 : 5, 3);
    put_lengths(w, lengths, LITERALS + DISTANCES);
    put_symbols(w, &literals, &distances, count);
}

static void put_fixed_codes(writer *w, size_t count) {
    code literals = {{0}, {0}}, distances = {{0}, {0}};
    for (unsigned symbol = 0; symbol < 288; symbol++) literals.lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    for (unsigned symbol = 0; symbol < 32; symbol++) distances.lengths[symbol] = 5;
    assign(&literals, 288);
    assign(&distances, 32);
    put_symbols(w, &literals, &distances, count);
}

static void put_stored(writer *w, size_t count) {
    if (count > w->room - w->out.plain_count) count = w->room - w->out.plain_count;
    put(w, 0, (8 - w->bit_count) & 7);
    put(w, (uint32_t)count, 16);
    put(w, (uint32_t)count ^ 0xFFFF, 16);
    for (; count > 0; count--) {
        uint8_t byte = (uint8_t)below(256);
        put(w, byte, 8);
        w->out.plain[w->out.plain_count++] = byte;
    }
}

packed random_zlib_stream(size_t room) {
    writer w = {{zeros(room * 2 + 65536), 0, zeros(room), 0}, room, 0, 0};
    put(&w, 0x9C78, 16);
    bool is_last = false;
    for (size_t blocks = 0; !is_last; blocks++) {
        is_last = w.out.plain_count >= room || blocks == 100;
        unsigned kind = below(3);
        put(&w, is_last, 1);
        put(&w, kind, 2);
        size_t count = below(4) == 0 ? below(20) : below(3000);
        if (kind == 0) put_stored(&w, count);
        if (kind == 1) put_fixed_codes(&w, count);
        if (kind == 2) put_own_codes(&w, count);
    }
    put(&w, 0, (8 - w.bit_count) & 7);
    // Not checked by the kernel, only read.
    for (unsigned byte = 1; byte <= 4; byte++) put(&w, byte, 8);
    return w.out;
}
