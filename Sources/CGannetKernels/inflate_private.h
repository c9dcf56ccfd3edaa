// Shared by the two halves of the decompressor. Private to inflate.c and inflate_fast.c.
#ifndef GANNET_INFLATE_PRIVATE_H
#define GANNET_INFLATE_PRIVATE_H
#include "gannet_inflate.h"
#include "inflate_tables.h"

// The largest distance, the number of bytes decompressed between deliveries, and how far a string may run past that.
enum { window = 32768, chunk = 65536, slack = 320 };

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
    // For a block with dynamic codes.
    unsigned literals, distances, lengths, index;
    unsigned stored;
    // Offsets into `bytes`: the first undelivered byte, its end, and the start of the history.
    size_t shown, end, low;
    uint32_t literal[literal_room];
    uint32_t distance[distance_room];
    uint8_t code_lengths[320 + 16];
    uint8_t bytes[window + chunk + slack];
};

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
/// `input_end` must be 16 bytes or more behind `*input`.
int gannet_inflate_fast(gannet_inflate *inflate, const uint8_t **input, const uint8_t *input_end);

#endif
