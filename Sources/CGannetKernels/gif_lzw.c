#include "gannet_gif_lzw.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CODES = 4096 };

// A string of the table is a piece of the output: where it began when it was written, and how long it is. That makes
// a table entry two numbers, and decoding a copy from earlier output.
struct gannet_gif_lzw {
    uint64_t bits;
    unsigned bit_count;
    unsigned code_bits;
    unsigned width;
    unsigned clear;
    unsigned next;
    bool has_previous;
    bool is_done;
    bool is_corrupt;
    size_t written;
    size_t previous_start;
    size_t previous_length;
    // Where it began << 16 | how long it is. 0: of this code there is none.
    uint64_t strings[MAX_CODES];
    // The strings of one index.
    uint8_t indices[256 + 8];
};

gannet_gif_lzw *gannet_gif_lzw_create(unsigned code_bits) {
    if (code_bits < 1 || code_bits > 11) return NULL;
    gannet_gif_lzw *lzw = malloc(sizeof *lzw);
    if (!lzw) return NULL;
    lzw->bits = 0;
    lzw->bit_count = 0;
    lzw->code_bits = code_bits;
    lzw->clear = 1u << code_bits;
    lzw->is_done = false;
    lzw->is_corrupt = false;
    lzw->written = 0;
    lzw->previous_start = 0;
    lzw->previous_length = 0;
    lzw->width = code_bits + 1;
    lzw->next = lzw->clear + 2;
    lzw->has_previous = false;
    for (unsigned code = 0; code < lzw->clear; code++) lzw->strings[code] = 1;
    lzw->strings[lzw->clear] = lzw->strings[lzw->clear + 1] = 0;
    for (unsigned index = 0; index < sizeof lzw->indices; index++) lzw->indices[index] = (uint8_t)index;
    return lzw;
}

void gannet_gif_lzw_destroy(gannet_gif_lzw *lzw) { free(lzw); }

size_t gannet_gif_lzw_written(const gannet_gif_lzw *lzw) { return lzw->written; }

// Copies forwards, so that a string that overlaps its own copy repeats (a code may refer to the entry that it is about to
// define).
static inline void copy_string(uint8_t *output, size_t from, size_t to, size_t length) {
    for (size_t i = 0; i < length; i++) output[to + i] = output[from + i];
}

static inline uint64_t eight_bytes(const uint8_t *input) {
    uint64_t eight;
    memcpy(&eight, input, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}

gannet_gif_lzw_status gannet_gif_lzw_feed(
    gannet_gif_lzw *lzw, const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    if (lzw->is_corrupt) return GANNET_GIF_LZW_CORRUPT;
    if (lzw->is_done) return GANNET_GIF_LZW_DONE;

    uint64_t bits = lzw->bits;
    unsigned bit_count = lzw->bit_count;
    unsigned width = lzw->width;
    unsigned next = lzw->next;
    const unsigned clear = lzw->clear;
    size_t written = lzw->written;
    size_t previous_start = lzw->previous_start;
    size_t previous_length = lzw->previous_length;
    bool has_previous = lzw->has_previous;
    gannet_gif_lzw_status status = GANNET_GIF_LZW_MORE;
    size_t position = 0;

    for (;;) {
        // Most codes: strings that are in the table, while input and output are not near their ends.
        while (has_previous) {
            if (bit_count < width) {
                if (count - position < 8) break;
                // Bits beyond the whole bytes taken are or-ed in again the next time.
                bits |= eight_bytes(input + position) << bit_count;
                position += (63 - bit_count) >> 3;
                bit_count |= 56;
            }
            unsigned code = (unsigned)bits & ((1u << width) - 1);
            if (code >= next) break;
            uint64_t string = lzw->strings[code];
            size_t length = string & 0xFFFF;
            if (length == 0 || capacity - written < length + 8) break;
            bits >>= width;
            bit_count -= width;
            // It ends before its copy begins, so what is copied too early is behind its end.
            const uint8_t *source = code < clear ? lzw->indices + (code & 255) : output + (string >> 16);
            uint8_t *target = output + written;
            for (size_t at = 0; at < length; at += 8) {
                uint64_t eight;
                memcpy(&eight, source + at, 8);
                memcpy(target + at, &eight, 8);
            }
            if (next < MAX_CODES) {
                // The string before this one and this one's first index lie next to each other already.
                lzw->strings[next++] = (uint64_t)previous_start << 16 | (previous_length + 1);
                if (next == 1u << width && width < 12) width++;
            }
            previous_start = written;
            previous_length = length;
            written += length;
        }
        // Bits above those that are counted may be there already.
        bits &= ((uint64_t)1 << bit_count) - 1;
        while (bit_count < width && position < count) {
            bits |= (uint64_t)input[position++] << bit_count;
            bit_count += 8;
        }
        if (bit_count < width) break;
        unsigned code = (unsigned)(bits & ((1u << width) - 1));
        bits >>= width;
        bit_count -= width;

        if (code == clear) {
            width = lzw->code_bits + 1;
            next = clear + 2;
            has_previous = false;
            continue;
        }
        if (code == clear + 1 || written >= capacity) {
            status = GANNET_GIF_LZW_DONE;
            break;
        }
        const size_t start = written, room = capacity - written;
        size_t length;
        if (code < clear) {
            output[written] = (uint8_t)code;
            length = 1;
        } else if (code < next) {
            length = lzw->strings[code] & 0xFFFF;
            copy_string(output, lzw->strings[code] >> 16, written, length < room ? length : room);
        } else if (code == next && has_previous && next < MAX_CODES) {
            length = previous_length + 1;
            copy_string(output, previous_start, written, length < room ? length : room);
        } else {
            status = GANNET_GIF_LZW_CORRUPT;
            break;
        }
        if (has_previous && next < MAX_CODES) {
            lzw->strings[next++] = (uint64_t)previous_start << 16 | (previous_length + 1);
            if (next == 1u << width && width < 12) width++;
        }
        previous_start = start;
        previous_length = length;
        has_previous = true;
        written += length;
        if (written >= capacity) {
            written = capacity;
            status = GANNET_GIF_LZW_DONE;
            break;
        }
    }

    lzw->bits = bits;
    lzw->bit_count = bit_count;
    lzw->width = width;
    lzw->next = next;
    lzw->written = written;
    lzw->previous_start = previous_start;
    lzw->previous_length = previous_length;
    lzw->has_previous = has_previous;
    lzw->is_done = status == GANNET_GIF_LZW_DONE;
    lzw->is_corrupt = status == GANNET_GIF_LZW_CORRUPT;
    return status;
}

void gannet_gif_expand(uint32_t *pixels, const uint8_t *indices, size_t count, const uint32_t *palette) {
    for (size_t i = 0; i < count; i++) pixels[i] = palette[indices[i]];
}

void gannet_gif_blend(
    uint32_t *pixels, const uint8_t *indices, size_t count, const uint32_t *palette, uint8_t transparent) {
    for (size_t i = 0; i < count; i++) {
        uint32_t old = pixels[i];
        uint32_t colour = palette[indices[i]];
        pixels[i] = indices[i] == transparent ? old : colour;
    }
}

// Encoding

size_t gannet_gif_lzw_bound(size_t count) {
    // At most one code of 12 bits for each index, a clear code for every 4,000 and one length byte for every 255.
    size_t bytes = (count + count / 2000 + 8) * 3 / 2 + 8;
    return bytes + bytes / 255 + 8;
}

typedef struct {
    uint8_t *block;
    unsigned fill;
    uint32_t bits;
    unsigned bit_count;
} writer;

static inline void put_byte(writer *w, uint8_t byte) {
    if (w->fill == 255) {
        w->block[0] = 255;
        w->block += 256;
        w->fill = 0;
    }
    w->block[1 + w->fill++] = byte;
}

static inline void put_code(writer *w, unsigned code, unsigned width) {
    w->bits |= code << w->bit_count;
    w->bit_count += width;
    while (w->bit_count >= 8) {
        put_byte(w, (uint8_t)w->bits);
        w->bits >>= 8;
        w->bit_count -= 8;
    }
}

size_t gannet_gif_lzw_encode(const uint8_t *indices, size_t count, unsigned code_bits, uint8_t *output) {
    enum { SLOTS = 16384 };
    // Slot: key (prefix code and index) in the upper bits, code in the lower 12; 0 is empty.
    uint32_t *table = calloc(SLOTS, sizeof *table);
    if (!table) return 0;
    writer w = {output, 0, 0, 0};
    const unsigned clear = 1u << code_bits;
    unsigned width = code_bits + 1;
    unsigned next = clear + 2;
    put_code(&w, clear, width);
    if (count > 0) {
        unsigned prefix = indices[0];
        for (size_t i = 1; i < count; i++) {
            uint32_t key = (prefix << 8 | indices[i]) + 1;
            uint32_t slot = (key * 2654435761u) >> 18;
            while (table[slot] && table[slot] >> 12 != key) slot = (slot + 1) & (SLOTS - 1);
            if (table[slot]) {
                prefix = table[slot] & 0xFFF;
                continue;
            }
            put_code(&w, prefix, width);
            prefix = indices[i];
            if (next < MAX_CODES) {
                if (next == 1u << width && width < 12) width++;
                table[slot] = key << 12 | next++;
            } else {
                put_code(&w, clear, width);
                memset(table, 0, SLOTS * sizeof *table);
                width = code_bits + 1;
                next = clear + 2;
            }
        }
        put_code(&w, prefix, width);
        // The decoder adds one string for that code too, and may widen its codes by it.
        if (next == 1u << width && width < 12) width++;
    }
    put_code(&w, clear + 1, width);
    if (w.bit_count > 0) put_byte(&w, (uint8_t)w.bits);
    free(table);
    if (w.fill > 0) {
        w.block[0] = (uint8_t)w.fill;
        w.block += 1 + w.fill;
    }
    *w.block++ = 0;
    return (size_t)(w.block - output);
}
