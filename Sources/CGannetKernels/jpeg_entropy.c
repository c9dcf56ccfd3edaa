#include "jpeg_bits.h"

const uint8_t gannet_jpeg_natural_order[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

// Tables

static bool is_end(uint8_t symbol) { return (symbol & 15) == 0 && symbol != 0xF0; }

/// Whole codes with their values at the beginning of twelve bits.
static uint16_t skip_entry(const gannet_jpeg_table *table, unsigned window) {
    unsigned used = 0, coefficients = 0;
    for (;;) {
        unsigned rest = (window << used) & ((1u << JPEG_SKIP_BITS) - 1);
        uint16_t code = table->codes[rest >> (JPEG_SKIP_BITS - JPEG_QUICK_BITS)];
        uint8_t symbol = (uint8_t)code;
        unsigned bits = (unsigned)(code >> 8) + (symbol & 15);
        if (code == 0 || used + bits > JPEG_SKIP_BITS) break;
        if (is_end(symbol)) return (uint16_t)(0x8000 | coefficients << 4 | (used + bits));
        if (coefficients + (symbol >> 4) + 1 > 63) break;
        used += bits;
        coefficients += (unsigned)(symbol >> 4) + 1;
    }
    // Nothing fits: as if it went beyond the block.
    return used == 0 ? 63 << 4 : (uint16_t)(coefficients << 4 | used);
}

static int32_t quick_entry(const gannet_jpeg_table *table, unsigned window, gannet_jpeg_table_use use) {
    uint16_t code = table->codes[window];
    if (code == 0) return 0;
    uint8_t symbol = (uint8_t)code;
    unsigned length = code >> 8, size = symbol & 15;
    if (is_end(symbol)) return use == JPEG_PROGRESSIVE_AC && symbol != 0 ? 0 : (int32_t)(64 << 8 | length);
    if (length + size > JPEG_QUICK_BITS) return 0;
    unsigned rest = window & ((1u << (JPEG_QUICK_BITS - length)) - 1);
    int value = size == 0 ? 0 : jpeg_extend(rest >> (JPEG_QUICK_BITS - length - size), size);
    return (int32_t)((uint32_t)value << 16 | (uint32_t)(symbol >> 4) << 8 | (length + size));
}

bool gannet_jpeg_table_build(gannet_jpeg_table *table, const gannet_jpeg_codes *codes, gannet_jpeg_table_use use) {
    memset(table, 0, sizeof *table);
    uint32_t code = 0;
    int used = 0;
    for (int length = 1; length <= 16; length++) {
        int count = codes->counts[length];
        // Not more codes than there are, and none of ones alone.
        if (used + count > 256 || (count > 0 && code + (uint32_t)count >= 1u << length)) return false;
        table->offset[length] = used - (int32_t)code;
        for (int index = 0; index < count; index++, code++, used++) {
            uint8_t symbol = codes->symbols[used];
            if (use == JPEG_DC && symbol > 15) return false;
            table->symbols[used] = symbol;
            if (length > JPEG_QUICK_BITS) continue;
            unsigned first = code << (JPEG_QUICK_BITS - length), copies = 1u << (JPEG_QUICK_BITS - length);
            for (unsigned copy = 0; copy < copies; copy++) table->codes[first + copy] = (uint16_t)(length << 8 | symbol);
        }
        table->limit[length] = code << (16 - length);
        code <<= 1;
    }
    // For DC only the code is looked up: a zero does not end the block.
    if (use == JPEG_DC) return true;
    for (unsigned window = 0; window < 1u << JPEG_QUICK_BITS; window++) table->quick[window] = quick_entry(table, window, use);
    if (use == JPEG_PROGRESSIVE_AC) return true;
    for (unsigned window = 0; window < 1u << JPEG_SKIP_BITS; window++) table->skip[window] = skip_entry(table, window);
    return true;
}

// Bits

bool gannet_jpeg_restart(gannet_jpeg_bits *bits, int number) {
    // All but the padding of the last byte was used.
    if (bits->count - bits->missing >= 8 || gannet_jpeg_is_exhausted(bits)) return false;
    if (bits->end - bits->at < 2 || bits->at[0] != 0xFF || bits->at[1] != 0xD0 + number) return false;
    bits->at += 2;
    bits->bits = 0;
    bits->count = 0;
    bits->missing = 0;
    return true;
}

// Blocks

static inline int decode_block(
    gannet_jpeg_bits *bits, const gannet_jpeg_table *dc, const gannet_jpeg_table *ac, int last, uint32_t *predictor, int16_t *block) {
    jpeg_fill(bits);
    int symbol = jpeg_symbol(bits, dc);
    if (symbol < 0) return -1;
    if (symbol != 0) *predictor += (uint32_t)jpeg_extend(jpeg_take(bits, (unsigned)symbol), (unsigned)symbol);
    block[0] = (int16_t)*predictor;

    int index = 1, stored = 0;
    while (index <= last) {
        jpeg_fill(bits);
        int32_t entry = ac->quick[bits->bits >> (64 - JPEG_QUICK_BITS)];
        int value;
        if (entry != 0) {
            jpeg_drop(bits, (unsigned)entry & 0xFF);
            index += entry >> 8 & 0xFF;
            value = entry >> 16;
        } else {
            symbol = jpeg_symbol(bits, ac);
            if (symbol < 0) return -1;
            unsigned size = (unsigned)symbol & 15;
            if (size == 0 && symbol != 0xF0) return stored;
            index += symbol >> 4;
            value = size == 0 ? 0 : jpeg_extend(jpeg_take(bits, size), size);
        }
        if (index <= last) {
            block[gannet_jpeg_natural_order[index]] = (int16_t)value;
            stored = 1;
        } else if (last == 63 && value != 0) {
            // Beyond the block: damage that libjpeg does not see. It takes the value for that of the last coefficient.
            block[63] = (int16_t)value;
            stored = 1;
        }
        index++;
    }
    while (index < 64) {
        jpeg_fill(bits);
        int step = 0;
        // Two before more bits are needed.
        for (; step < 2; step++) {
            unsigned entry = ac->skip[bits->bits >> (64 - JPEG_SKIP_BITS)];
            int beyond = index + (int)(entry >> 4 & 63);
            if (beyond >= 64) break;
            jpeg_drop(bits, entry & 15);
            if (entry & 0x8000) return stored;
            index = beyond;
        }
        if (step == 2) continue;
        jpeg_fill(bits);
        symbol = jpeg_symbol(bits, ac);
        if (symbol < 0) return -1;
        if (is_end((uint8_t)symbol)) break;
        jpeg_drop(bits, (unsigned)symbol & 15);
        index += (symbol >> 4) + 1;
    }
    return stored;
}

int gannet_jpeg_decode_block(gannet_jpeg_bits *bits, const gannet_jpeg_table *dc, const gannet_jpeg_table *ac, int last, uint32_t *predictor, int16_t *block) {
    // A copy stays in registers.
    gannet_jpeg_bits own = *bits;
    int result = decode_block(&own, dc, ac, last, predictor, block);
    *bits = own;
    return result;
}
