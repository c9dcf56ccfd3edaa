#include "inflate_private.h"

#include <stdlib.h>

gannet_inflate *gannet_inflate_create(void) {
    gannet_inflate *inflate = malloc(sizeof *inflate);
    if (inflate == NULL) return NULL;
    memset(inflate, 0, offsetof(gannet_inflate, literal));
    return inflate;
}

gannet_inflate *gannet_inflate_copy(const gannet_inflate *inflate) {
    gannet_inflate *other = malloc(sizeof *other);
    if (other != NULL) memcpy(other, inflate, sizeof *other);
    return other;
}

size_t gannet_inflate_bytes(void) { return sizeof(gannet_inflate); }
void gannet_inflate_destroy(gannet_inflate *inflate) { free(inflate); }
uint32_t gannet_inflate_checksum(const gannet_inflate *inflate) { return inflate->checksum; }
const char *gannet_inflate_message(const gannet_inflate *inflate) { return inflate->message; }

static int fail(gannet_inflate *inflate, const char *message) {
    inflate->state = broken;
    inflate->message = message;
    return 0;
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
            result = gannet_inflate_fast(inflate, input, end);
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
            // After symbols the bits may be used up although there is more input.
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
        if (ready > 0 && output != NULL) memcpy(output + done, inflate->bytes + inflate->shown, ready);
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
