// Parts of a large baseline JPEG of one scan (ITU-T T.81, Huffman coding, 8 bits) without decoding the rest: an index of the states that
// the entropy decoder has at the beginning of some MCUs of each row, made in one pass over the codes, and cuts of it. A cut is the scan of
// a smaller JPEG with the coefficients of some MCUs, so that any decoder makes the pixels of them that it makes in the whole image.
//
// Only for undamaged data: the first wrong code, or a misplaced marker, ends the index.
#ifndef GANNET_JPEG_INDEX_H
#define GANNET_JPEG_INDEX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gannet_jpeg_progression.h"

enum { GANNET_JPEG_CUT_COMPONENTS = 4 };

typedef struct {
    /// Blocks of an MCU.
    int blocks;
    gannet_jpeg_codes dc, ac;
} gannet_jpeg_scan_part;

typedef struct {
    /// MCUs in a row, and rows of them.
    size_t columns, rows;
    /// MCUs between two restart markers, or 0.
    unsigned restart_interval;
    int component_count;
    gannet_jpeg_scan_part components[GANNET_JPEG_CUT_COMPONENTS];
} gannet_jpeg_scan_shape;

typedef struct gannet_jpeg_index gannet_jpeg_index;

/// The bytes of an index, most of them of states, which may have at most `maximum`: the fewer, the more MCUs are read in vain before a cut.
/// 0: it would be more even with one state for each row, or the shape is none of a scan.
size_t gannet_jpeg_index_bytes(const gannet_jpeg_scan_shape *shape, size_t maximum);

/// Copies the tables. NULL: they are not supported, there is no memory, or the index would have no bytes.
gannet_jpeg_index *gannet_jpeg_index_create(const gannet_jpeg_scan_shape *shape, size_t maximum);
void gannet_jpeg_index_destroy(gannet_jpeg_index *index);

/// Rows of MCUs whose states are known.
size_t gannet_jpeg_index_rows(const gannet_jpeg_index *index);

/// Reads one more row. `bytes`: everything after the scan's header, the same in each call. False: the data is damaged or ends here.
bool gannet_jpeg_index_extend(gannet_jpeg_index *index, const uint8_t *bytes, size_t count);

typedef struct gannet_jpeg_cut gannet_jpeg_cut;

/// A scan of `columns` MCUs of some rows, from `column` on, in memory of at most `maximum` bytes. NULL: there is no memory.
gannet_jpeg_cut *gannet_jpeg_cut_create(size_t column, size_t columns, size_t maximum);
void gannet_jpeg_cut_destroy(gannet_jpeg_cut *cut);

/// Adds its MCUs of a row that the index knows. `bytes` as above. False: the data is damaged, or there is no memory for it.
bool gannet_jpeg_cut_add(gannet_jpeg_cut *cut, const gannet_jpeg_index *index, const uint8_t *bytes, size_t count, size_t row);

/// Ends the scan, after which no row may be added. The bytes belong to the cut. NULL: there is no memory.
const uint8_t *gannet_jpeg_cut_end(gannet_jpeg_cut *cut, size_t *count);

/// The tables that a cut is written with, as the content of a DHT segment: one for DC and one for AC, both with the number 0.
size_t gannet_jpeg_cut_tables(uint8_t *bytes, size_t room);

#endif
