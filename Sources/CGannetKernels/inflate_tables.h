// The tables of codes that unpacking looks symbols up in. Private to inflate.c and inflate_fast.c.
#ifndef GANNET_INFLATE_TABLES_H
#define GANNET_INFLATE_TABLES_H
#include <stdint.h>
#include <string.h>

// The first table is indexed by this many bits; longer codes are in a second table. Room for the worst code of 288 and of 32
// symbols of at most 15 bits, as zlib's `enough` computes it.
enum { literal_bits = 11, distance_bits = 8, literal_room = 2342, distance_room = 402, length_bits = 7 };
// An entry of a table: how many bits the code has (0 … 7), how many extra bits follow (8 … 15), value or base (16 … 31), and flags
// in the bits between: extra bits are at most 13, so that 12 … 15 are free.
enum {
    is_literal = 1 << 15,
    is_second = 1 << 14,   // value: start of the second table; extra bits: its number of index bits
    is_end = 1 << 13,
    is_invalid = 1 << 12,
    is_special = is_second | is_end | is_invalid
};

typedef enum { of_lengths, of_literals, of_distances } kind;

static uint32_t entry_of(kind kind, unsigned symbol) {
    static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    if (kind == of_lengths) return symbol << 16;
    if (kind == of_distances) {
        if (symbol >= 30) return is_invalid;
        if (symbol < 4) return (symbol + 1) << 16;
        unsigned extra = symbol / 2 - 1;
        return (((2 + (symbol & 1)) << extra) + 1) << 16 | extra << 8;
    }
    if (symbol < 256) return symbol << 16 | is_literal;
    if (symbol == 256) return is_end;
    if (symbol >= 286) return is_invalid;
    return (uint32_t)length_base[symbol - 257] << 16 | (uint32_t)length_extra[symbol - 257] << 8;
}

static unsigned reversed(unsigned code, unsigned count) {
    unsigned result = 0;
    for (; count > 0; count--, code >>= 1) result = result << 1 | (code & 1);
    return result;
}

/// 0 if the lengths form no complete code: too many codes, or too few (a single code of one bit is allowed, as is none).
static inline int build(uint32_t *table, unsigned bits, kind kind, const uint8_t *lengths, unsigned count) {
    unsigned of_length[16] = {0}, next[16], sorted_at[16];
    for (unsigned symbol = 0; symbol < count; symbol++) of_length[lengths[symbol]]++;
    of_length[0] = 0;
    int left = 1;
    unsigned longest = 0, code = 0, total = 0;
    for (unsigned length = 1; length <= 15; length++) {
        left = left * 2 - (int)of_length[length];
        if (left < 0) return 0;
        code = (code + of_length[length - 1]) << 1;
        next[length] = code;
        sorted_at[length] = total;
        total += of_length[length];
        if (of_length[length] > 0) longest = length;
    }
    if (left > 0 && (kind == of_lengths || longest > 1)) return 0;

    unsigned first = 1u << bits, used = first;
    // Only incomplete codes leave gaps.
    if (left > 0)
        for (unsigned index = 0; index < first; index++) table[index] = is_invalid | 1;
    uint16_t sorted[320];
    unsigned at[16];
    memcpy(at, sorted_at, sizeof at);
    for (unsigned symbol = 0; symbol < count; symbol++)
        if (lengths[symbol] > 0) sorted[at[lengths[symbol]]++] = (uint16_t)symbol;

    unsigned prefix = ~0u, second = 0, second_bits = 0;
    for (unsigned length = 1; length <= longest; length++) {
        for (unsigned index = 0; index < of_length[length]; index++) {
            uint32_t entry = entry_of(kind, sorted[sorted_at[length] + index]);
            unsigned place = reversed(next[length] + index, length);
            if (length <= bits) {
                for (; place < first; place += 1u << length) table[place] = entry | length;
                continue;
            }
            if ((place & (first - 1)) != prefix) {
                // As many bits as the codes with this beginning need.
                prefix = place & (first - 1);
                second_bits = length - bits;
                int room = (1 << second_bits) - (int)(of_length[length] - index);
                while (room > 0 && bits + second_bits < longest) {
                    second_bits++;
                    room = room * 2 - (int)of_length[bits + second_bits];
                }
                second = used;
                used += 1u << second_bits;
                table[prefix] = second << 16 | second_bits << 8 | is_second | bits;
            }
            for (place >>= bits; place < 1u << second_bits; place += 1u << (length - bits))
                table[second + place] = entry | (length - bits);
        }
    }
    return 1;
}

static inline uint32_t look_up(const uint32_t *table, unsigned first, uint64_t bits, unsigned *used) {
    uint32_t entry = table[bits & ((1u << first) - 1)];
    if (entry & is_second) {
        *used += first;
        entry = table[(entry >> 16) + (bits >> first & ((1u << (entry >> 8 & 15)) - 1))];
    }
    *used += entry & 31;
    return entry;
}

#endif
