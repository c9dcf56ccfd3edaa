// Huffman decoding of baseline JPEG: bits, tables, blocks (ITU-T T.81, Annex F.2.2). Private to the JPEG kernels.
#ifndef JPEG_ENTROPY_H
#define JPEG_ENTROPY_H
#include <stdbool.h>
#include <string.h>

#include "gannet_jpeg_shrink.h"

enum { JPEG_QUICK_BITS = 10, JPEG_SKIP_BITS = 12 };

/// The place of the n-th coefficient in zigzag order in a block by rows.
extern const uint8_t gannet_jpeg_natural_order[64];

typedef struct {
    /// By the next ten bits, for a code and its value that fit in them: value << 16 | zeros before it << 8 | bits. 0: they do not.
    /// The end of a block counts as 64 zeros.
    int32_t quick[1 << JPEG_QUICK_BITS];
    /// By the next twelve bits, how far whole codes with their values go: the end of a block << 15 | coefficients << 4 | bits. 63
    /// coefficients, more than a block has left, where not even one fits.
    uint16_t skip[1 << JPEG_SKIP_BITS];
    /// By the next ten bits: length << 8 | symbol. 0: the code is longer, or none.
    uint16_t codes[1 << JPEG_QUICK_BITS];
    /// Of the longer ones: codes of n bits are below `limit[n]` (aligned left in 16 bits), and `symbols[(code >> (16 − n)) + offset[n]]`.
    uint32_t limit[17];
    int32_t offset[17];
    uint8_t symbols[256];
} gannet_jpeg_table;

/// Bits of the scan, aligned left. Where a marker or the end of the bytes comes, zeros follow and are counted.
typedef struct {
    const uint8_t *at, *end;
    uint64_t bits;
    int count;
    int missing;
} gannet_jpeg_bits;

typedef enum {
    /// No `quick`, no `skip`.
    JPEG_DC,
    JPEG_AC,
    /// No `skip`; the end of more than one block is not in `quick`.
    JPEG_PROGRESSIVE_AC
} gannet_jpeg_table_use;

/// False: not a table of T.81, or not one for DC.
bool gannet_jpeg_table_build(gannet_jpeg_table *table, const gannet_jpeg_codes *codes, gannet_jpeg_table_use use);

/// Decodes a block into `block` (by rows, zeros before): DC, and AC up to number `last` in zigzag order, the rest is passed over.
/// −1: a wrong code. Else whether an AC coefficient was stored.
int gannet_jpeg_decode_block(gannet_jpeg_bits *bits, const gannet_jpeg_table *dc, const gannet_jpeg_table *ac, int last, uint32_t *predictor, int16_t *block);

/// Goes on behind the restart marker `number`, 0 … 7. False: it is not there.
bool gannet_jpeg_restart(gannet_jpeg_bits *bits, int number);

/// Bits were used that do not exist.
static inline bool gannet_jpeg_is_exhausted(const gannet_jpeg_bits *bits) { return bits->count < bits->missing; }

#endif
