#include "gannet_inflate.h"

#include <stdlib.h>
#include <string.h>

// Codes are looked up by so many bits first; longer ones in a second table. Room for the worst code of 288 and of 32 symbols of
// at most 15 bits, as zlib's `enough` counts them.
enum { literal_bits = 11, distance_bits = 8, literal_room = 2342, distance_room = 402, length_bits = 7 };
// What a distance may reach back, what is unpacked before it is handed on, and what a string may run over that.
enum { window = 32768, chunk = 65536, slack = 320 };

// An entry of a table: how many bits the code has (0 … 7), how many extra bits follow (8 … 15), value or base (16 … 31), and flags
// in the bits between: extra bits are at most 13, so that 12 … 15 are free.
enum {
    is_literal = 1 << 15,
    is_second = 1 << 14,   // value: where the second table begins; extra bits: by how many bits it is looked up
    is_end = 1 << 13,
    is_invalid = 1 << 12,
    is_special = is_second | is_end | is_invalid
};

typedef enum { at_start, at_block, at_stored, in_stored, at_counts, at_lengths, at_codes, in_codes, at_checksum, at_end, broken } state;

struct gannet_inflate {
    state state;
    int is_last;
    /// The tables are those of the fixed codes: a stream of empty blocks would have them built again for every ten bits.
    int is_fixed;
    uint64_t bits;
    unsigned bit_count;
    const char *message;
    uint32_t checksum;
    // Of a block with codes of its own.
    unsigned literals, distances, lengths, index;
    unsigned stored;
    // Offsets into `bytes`: what was not handed on yet, its end, and where the past begins.
    size_t shown, end, low;
    uint32_t literal[literal_room];
    uint32_t distance[distance_room];
    uint8_t code_lengths[320 + 16];
    uint8_t bytes[window + chunk + slack];
};

gannet_inflate *gannet_inflate_create(void) {
    gannet_inflate *inflate = malloc(sizeof *inflate);
    if (inflate == NULL) return NULL;
    memset(inflate, 0, offsetof(gannet_inflate, literal));
    return inflate;
}

void gannet_inflate_destroy(gannet_inflate *inflate) { free(inflate); }
uint32_t gannet_inflate_checksum(const gannet_inflate *inflate) { return inflate->checksum; }
const char *gannet_inflate_message(const gannet_inflate *inflate) { return inflate->message; }

static int fail(gannet_inflate *inflate, const char *message) {
    inflate->state = broken;
    inflate->message = message;
    return 0;
}

// Tables

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

/// 0 if the lengths make no code: more codes than there are, or fewer (a single code of one bit is allowed, as is none).
static int build(uint32_t *table, unsigned bits, kind kind, const uint8_t *lengths, unsigned count) {
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

static void build_fixed(gannet_inflate *inflate) {
    if (inflate->is_fixed) return;
    inflate->is_fixed = 1;
    uint8_t *lengths = inflate->code_lengths;
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    build(inflate->literal, literal_bits, of_literals, lengths, 288);
    memset(lengths, 5, 32);
    build(inflate->distance, distance_bits, of_distances, lengths, 32);
}

// Symbols

static inline uint64_t load64(const uint8_t *bytes) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
#else
    uint64_t value = 0;
    for (int index = 7; index >= 0; index--) value = value << 8 | bytes[index];
    return value;
#endif
}

/// Copies `length` bytes from `distance` before. May write up to 15 bytes more.
static inline void copy(uint8_t *to, size_t distance, size_t length) {
    const uint8_t *from = to - distance;
    uint8_t *end = to + length;
    if (distance >= 16) {
        do {
            memcpy(to, from, 16);
            to += 16;
            from += 16;
        } while (to < end);
        return;
    }
    if (distance == 1) {
        memset(to, *from, length);
        return;
    }
    if (distance < 8) {
        // The pattern again and again, until a step of 8 bytes is a multiple of it.
        size_t step = distance;
        while (step < 8) step += distance;
        for (size_t index = 0; index < step && to < end; index++) *to++ = *from++;
        from = to - step;
    }
    while (to < end) {
        memcpy(to, from, 8);
        to += 8;
        from += 8;
    }
}

/// Symbols while there are 16 bytes of input and room. Answers 1 at the end of the block, 0 if it stopped before, −1 if it is broken.
static int fast(gannet_inflate *inflate, const uint8_t **input, const uint8_t *input_end) {
    const uint8_t *in = *input;
    const uint8_t *last = input_end - 16;
    uint64_t bits = inflate->bits;
    unsigned count = inflate->bit_count;
    uint8_t *out = inflate->bytes + inflate->end;
    uint8_t *limit = inflate->bytes + window + chunk;
    const uint8_t *low = inflate->bytes + inflate->low;
    const uint32_t *literal = inflate->literal;
    const uint32_t *distance = inflate->distance;
    int result = 0;
#define REFILL() (bits |= load64(in) << count, in += (63 - count) >> 3, count |= 56)
#define TAKE(n) (bits >>= (n), count -= (n))
    while (in <= last && out < limit) {
        REFILL();
        uint32_t entry = literal[bits & ((1 << literal_bits) - 1)];
        // Two literals that are found at once leave bits enough for a length: 56 − 22 ≥ 15 + 5.
        if (entry & is_literal) {
            TAKE(entry & 31);
            *out++ = (uint8_t)(entry >> 16);
            entry = literal[bits & ((1 << literal_bits) - 1)];
            if (entry & is_literal) {
                TAKE(entry & 31);
                *out++ = (uint8_t)(entry >> 16);
                entry = literal[bits & ((1 << literal_bits) - 1)];
                if (entry & is_literal) {
                    TAKE(entry & 31);
                    *out++ = (uint8_t)(entry >> 16);
                    continue;
                }
            }
        }
        if (entry & is_special) {
            if (entry & is_second) {
                TAKE(literal_bits);
                entry = literal[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
                if (entry & is_literal) {
                    TAKE(entry & 31);
                    *out++ = (uint8_t)(entry >> 16);
                    continue;
                }
            }
            if (entry & is_end) {
                TAKE(entry & 31);
                result = 1;
                break;
            }
            if (entry & is_invalid) {
                result = -1;
                break;
            }
        }
        TAKE(entry & 31);
        unsigned extra = entry >> 8 & 15;
        size_t length = (entry >> 16) + (bits & ((1u << extra) - 1));
        TAKE(extra);
        REFILL();
        entry = distance[bits & ((1 << distance_bits) - 1)];
        if (entry & is_second) {
            TAKE(distance_bits);
            entry = distance[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
        }
        if (entry & is_invalid) {
            result = -1;
            break;
        }
        TAKE(entry & 31);
        extra = entry >> 8 & 15;
        size_t back = (entry >> 16) + (bits & ((1u << extra) - 1));
        TAKE(extra);
        if (back > (size_t)(out - low)) {
            result = -1;
            break;
        }
        copy(out, back, length);
        out += length;
    }
#undef REFILL
#undef TAKE
    // Bytes that were looked at but are not needed yet are given back, if they are of this input; the rest above `count` is cleared.
    size_t unused = count >> 3;
    if (unused > (size_t)(in - *input)) unused = (size_t)(in - *input);
    in -= unused;
    count -= 8 * (unsigned)unused;
    *input = in;
    inflate->bits = bits & ((1ull << count) - 1);
    inflate->bit_count = count;
    inflate->end = (size_t)(out - inflate->bytes);
    return result;
}

static void refill(gannet_inflate *inflate, const uint8_t **input, const uint8_t *end) {
    // At least 48 bits, as many as a length and a distance need, and never 64.
    while (inflate->bit_count <= 48 && *input < end) {
        inflate->bits |= (uint64_t)*(*input)++ << inflate->bit_count;
        inflate->bit_count += 8;
    }
}

static unsigned take(gannet_inflate *inflate, unsigned count) {
    unsigned value = (unsigned)(inflate->bits & ((1ull << count) - 1));
    inflate->bits >>= count;
    inflate->bit_count -= count;
    return value;
}

static uint32_t look_up(const uint32_t *table, unsigned first, uint64_t bits, unsigned *used) {
    uint32_t entry = table[bits & ((1u << first) - 1)];
    if (entry & is_second) {
        *used += first;
        entry = table[(entry >> 16) + (bits >> first & ((1u << (entry >> 8 & 15)) - 1))];
    }
    *used += entry & 31;
    return entry;
}

/// One symbol, near the end of the input. Answers 2 after a symbol, 1 at the end of the block, 0 if there are too few bits (nothing was
/// taken then), −1 if it is broken. Bits beyond the input are zero.
static int careful(gannet_inflate *inflate, const uint8_t **input, const uint8_t *end) {
    refill(inflate, input, end);
    uint64_t bits = inflate->bits;
    unsigned used = 0;
    uint32_t entry = look_up(inflate->literal, literal_bits, bits, &used);
    if (used > inflate->bit_count) return 0;
    if (entry & is_invalid) return -1;
    if (entry & is_end) {
        take(inflate, used);
        return 1;
    }
    if (entry & is_literal) {
        take(inflate, used);
        inflate->bytes[inflate->end++] = (uint8_t)(entry >> 16);
        return 2;
    }
    unsigned extra = entry >> 8 & 15;
    size_t length = (entry >> 16) + (bits >> used & ((1u << extra) - 1));
    used += extra;
    if (used > inflate->bit_count) return 0;
    unsigned code = 0;
    entry = look_up(inflate->distance, distance_bits, bits >> used, &code);
    used += code;
    if (used > inflate->bit_count) return 0;
    if (entry & is_invalid) return -1;
    extra = entry >> 8 & 15;
    size_t back = (entry >> 16) + (bits >> used & ((1u << extra) - 1));
    used += extra;
    if (used > inflate->bit_count) return 0;
    if (back > inflate->end - inflate->low) return -1;
    take(inflate, used);
    copy(inflate->bytes + inflate->end, back, length);
    inflate->end += length;
    return 2;
}

// The parts of a stream. Each answers whether something was done; if not, input is missing (or the stream is broken).

static int read_start(gannet_inflate *inflate) {
    if (inflate->bit_count < 16) return 0;
    unsigned method = take(inflate, 8), flags = take(inflate, 8);
    if ((method << 8 | flags) % 31 != 0) return fail(inflate, "incorrect header check");
    if ((method & 15) != 8) return fail(inflate, "unknown compression method");
    if (method >> 4 > 7) return fail(inflate, "invalid window size");
    if (flags & 0x20) return fail(inflate, "a dictionary is needed");
    inflate->state = at_block;
    return 1;
}

static int read_block(gannet_inflate *inflate) {
    if (inflate->is_last) {
        // The checksum begins at the next whole byte.
        take(inflate, inflate->bit_count & 7);
        inflate->state = at_checksum;
        return 1;
    }
    if (inflate->bit_count < 3) return 0;
    inflate->is_last = (int)take(inflate, 1);
    switch (take(inflate, 2)) {
    case 0:
        take(inflate, inflate->bit_count & 7);
        inflate->state = at_stored;
        return 1;
    case 1:
        build_fixed(inflate);
        inflate->state = in_codes;
        return 1;
    case 2:
        inflate->state = at_counts;
        return 1;
    default:
        return fail(inflate, "invalid block type");
    }
}

static int read_stored(gannet_inflate *inflate) {
    if (inflate->bit_count < 32) return 0;
    unsigned length = take(inflate, 16), check = take(inflate, 16);
    if (length != (check ^ 0xFFFF)) return fail(inflate, "invalid stored block lengths");
    inflate->stored = length;
    inflate->state = in_stored;
    return 1;
}

static int copy_stored(gannet_inflate *inflate, const uint8_t **input, const uint8_t *end) {
    if (inflate->stored == 0) {
        inflate->state = at_block;
        return 1;
    }
    size_t room = window + chunk - inflate->end;
    int did = 0;
    while (inflate->bit_count >= 8 && inflate->stored > 0 && room > 0) {
        inflate->bytes[inflate->end++] = (uint8_t)take(inflate, 8);
        inflate->stored--;
        room--;
        did = 1;
    }
    if (inflate->bit_count >= 8) return did;
    size_t count = (size_t)(end - *input);
    if (count > inflate->stored) count = inflate->stored;
    if (count > room) count = room;
    if (count == 0) return did;
    memcpy(inflate->bytes + inflate->end, *input, count);
    *input += count;
    inflate->end += count;
    inflate->stored -= (unsigned)count;
    return 1;
}

static int read_counts(gannet_inflate *inflate) {
    if (inflate->bit_count < 14) return 0;
    inflate->literals = take(inflate, 5) + 257;
    inflate->distances = take(inflate, 5) + 1;
    inflate->lengths = take(inflate, 4) + 4;
    if (inflate->literals > 286 || inflate->distances > 30) return fail(inflate, "too many length or distance symbols");
    inflate->index = 0;
    inflate->is_fixed = 0;
    memset(inflate->code_lengths, 0, 19);
    inflate->state = at_lengths;
    return 1;
}

static int read_lengths(gannet_inflate *inflate) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    if (inflate->index < inflate->lengths) {
        if (inflate->bit_count < 3) return 0;
        inflate->code_lengths[order[inflate->index++]] = (uint8_t)take(inflate, 3);
        return 1;
    }
    // The table of distances is not in use yet, and large enough.
    if (!build(inflate->distance, length_bits, of_lengths, inflate->code_lengths, 19)) return fail(inflate, "invalid code lengths set");
    inflate->index = 0;
    inflate->state = at_codes;
    return 1;
}

static int read_codes(gannet_inflate *inflate) {
    unsigned total = inflate->literals + inflate->distances;
    if (inflate->index < total) {
        unsigned used = 0;
        uint32_t entry = look_up(inflate->distance, length_bits, inflate->bits, &used);
        unsigned symbol = entry >> 16;
        unsigned extra = symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
        if (used + extra > inflate->bit_count) return 0;
        if (entry & is_invalid) return fail(inflate, "invalid code lengths set");
        take(inflate, used);
        if (symbol < 16) {
            inflate->code_lengths[inflate->index++] = (uint8_t)symbol;
            return 1;
        }
        unsigned count = take(inflate, extra) + (symbol == 18 ? 11 : 3);
        uint8_t value = 0;
        if (symbol == 16) {
            if (inflate->index == 0) return fail(inflate, "invalid bit length repeat");
            value = inflate->code_lengths[inflate->index - 1];
        }
        if (count > total - inflate->index) return fail(inflate, "invalid bit length repeat");
        memset(inflate->code_lengths + inflate->index, value, count);
        inflate->index += count;
        return 1;
    }
    if (inflate->code_lengths[256] == 0) return fail(inflate, "invalid code: no end of the block");
    if (!build(inflate->literal, literal_bits, of_literals, inflate->code_lengths, inflate->literals))
        return fail(inflate, "invalid literal/lengths set");
    if (!build(inflate->distance, distance_bits, of_distances, inflate->code_lengths + inflate->literals, inflate->distances))
        return fail(inflate, "invalid distances set");
    inflate->state = in_codes;
    return 1;
}

static int read_symbols(gannet_inflate *inflate, const uint8_t **input, const uint8_t *end) {
    for (;;) {
        int result = 2;
        if (end - *input >= 16) {
            result = fast(inflate, input, end);
            if (result == 0 && inflate->end >= window + chunk) return 1;
            if (result == 0) result = 2;
        } else {
            result = careful(inflate, input, end);
        }
        if (result < 0) return fail(inflate, "invalid code or distance");
        if (result == 1) {
            inflate->state = at_block;
            return 1;
        }
        if (result == 0) return 0;
        if (inflate->end >= window + chunk) return 1;
    }
}

static int read_checksum(gannet_inflate *inflate) {
    if (inflate->bit_count < 32) return 0;
    uint32_t sum = 0;
    for (int index = 0; index < 4; index++) sum = sum << 8 | take(inflate, 8);
    inflate->checksum = sum;
    inflate->state = at_end;
    return 1;
}

/// Goes on until the chunk is full, the input is used up, or the stream ends. Answers whether anything was unpacked or read.
static void advance(gannet_inflate *inflate, const uint8_t **input, const uint8_t *end) {
    int goes_on = 1;
    while (goes_on && inflate->end < window + chunk) {
        if (inflate->state != in_codes && inflate->state != in_stored) refill(inflate, input, end);
        switch (inflate->state) {
        case at_start: goes_on = read_start(inflate); break;
        case at_block:
            // After symbols the bits may be used up; there may be input all the same.
            goes_on = read_block(inflate);
            break;
        case at_stored: goes_on = read_stored(inflate); break;
        case in_stored: goes_on = copy_stored(inflate, input, end); break;
        case at_counts: goes_on = read_counts(inflate); break;
        case at_lengths: goes_on = read_lengths(inflate); break;
        case at_codes: goes_on = read_codes(inflate); break;
        case in_codes: goes_on = read_symbols(inflate, input, end); break;
        case at_checksum: goes_on = read_checksum(inflate); break;
        case at_end:
        case broken: goes_on = 0; break;
        }
    }
}

gannet_inflate_status gannet_inflate_read(
    gannet_inflate *inflate, const uint8_t **input, size_t *input_count, uint8_t *output, size_t *count) {
    const uint8_t *end = *input + *input_count;
    size_t wanted = *count, done = 0;
    for (;;) {
        size_t ready = inflate->end - inflate->shown;
        if (ready > wanted - done) ready = wanted - done;
        if (ready > 0) memcpy(output + done, inflate->bytes + inflate->shown, ready);
        inflate->shown += ready;
        done += ready;
        if (done == wanted && wanted > 0) break;
        // Everything was handed on: the past moves to the front.
        if (inflate->end > window) {
            memmove(inflate->bytes, inflate->bytes + inflate->end - window, window);
            inflate->end = inflate->shown = window;
            inflate->low = 0;
        }
        size_t before = inflate->end;
        advance(inflate, input, end);
        if (inflate->end == before) break;
    }
    *input_count = (size_t)(end - *input);
    *count = done;
    if (inflate->end > inflate->shown) return GANNET_INFLATE_MORE;
    return inflate->state == at_end ? GANNET_INFLATE_END : inflate->state == broken ? GANNET_INFLATE_CORRUPT : GANNET_INFLATE_MORE;
}
