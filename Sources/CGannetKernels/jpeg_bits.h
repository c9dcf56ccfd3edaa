// Reading Huffman codes and bits of a JPEG's scan (ITU-T T.81, Annex F.2.2). Private to the JPEG kernels, inlined into their loops.
#ifndef JPEG_BITS_H
#define JPEG_BITS_H
#include "jpeg_entropy.h"

/// The value of the `size` bits after a code (T.81, F.12).
static inline int jpeg_extend(unsigned bits, unsigned size) {
    return bits < 1u << (size - 1) ? (int)bits - (1 << size) + 1 : (int)bits;
}

/// The slow way: among bytes that are 0xFF, and at the end.
static void jpeg_fill_by_bytes(gannet_jpeg_bits *bits) {
    while (bits->count <= 56) {
        uint8_t byte = 0;
        if (bits->at < bits->end && *bits->at != 0xFF) {
            byte = *bits->at++;
        } else if (bits->end - bits->at >= 2 && bits->at[1] == 0) {
            byte = 0xFF;
            bits->at += 2;
        } else {
            bits->missing += 8;
        }
        bits->bits |= (uint64_t)byte << (56 - bits->count);
        bits->count += 8;
    }
}

/// At least 32 bits, which is enough for a code and its value.
static inline void jpeg_fill(gannet_jpeg_bits *bits) {
    if (bits->count >= 32) return;
    if (bits->end - bits->at >= 8) {
        uint64_t next;
        memcpy(&next, bits->at, sizeof next);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        next = __builtin_bswap64(next);
#endif
        // None of the eight bytes is 0xFF. Bits beyond the whole bytes taken are or-ed in again the next time.
        if (((~next - 0x0101010101010101) & next & 0x8080808080808080) == 0) {
            bits->bits |= next >> bits->count;
            bits->at += (63 - bits->count) >> 3;
            bits->count |= 56;
            return;
        }
    }
    jpeg_fill_by_bytes(bits);
}

static inline void jpeg_drop(gannet_jpeg_bits *bits, unsigned count) {
    bits->bits <<= count;
    bits->count -= (int)count;
}

static inline unsigned jpeg_take(gannet_jpeg_bits *bits, unsigned count) {
    unsigned value = (unsigned)(bits->bits >> (64 - count));
    jpeg_drop(bits, count);
    return value;
}

/// The next symbol, whose bits are dropped; −1: no code.
static inline int jpeg_symbol(gannet_jpeg_bits *bits, const gannet_jpeg_table *table) {
    uint16_t code = table->codes[bits->bits >> (64 - JPEG_QUICK_BITS)];
    if (code != 0) {
        jpeg_drop(bits, code >> 8);
        return code & 0xFF;
    }
    uint32_t window = (uint32_t)(bits->bits >> 48);
    for (unsigned length = JPEG_QUICK_BITS + 1; length <= 16; length++) {
        if (window >= table->limit[length]) continue;
        jpeg_drop(bits, length);
        return table->symbols[((int32_t)(window >> (16 - length)) + table->offset[length]) & 0xFF];
    }
    return -1;
}

#endif
