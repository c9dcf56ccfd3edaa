// A part of a baseline scan that is decoded before it is known where it lies in the image. Private to the JPEG kernels.
//
// Huffman codes find their way: a reader that begins anywhere soon stands where one does that began at the first bit. From there on both
// read the same. A part keeps the coefficients that it reads, with means as if those before were 0, and the places that it passed first.
// Whoever comes from above and stands before an MCU at one of them knows the part's number and its means. Where restart markers stand, a
// part begins behind one, and both are known from the start.
#ifndef JPEG_PART_H
#define JPEG_PART_H
#include "jpeg_entropy.h"

/// MCUs whose coefficients lie together, and how many MCUs a part's beginning has in which it may be met.
enum { JPEG_SHEET = 64, JPEG_TRAIL = 256 };

/// What is read of a scan, and kept of its blocks.
typedef struct {
    const uint8_t *bytes;  // where the scan begins
    int plane_count;
    struct {
        int blocks;              // of an MCU
        int across, down, last;  // coefficients that are kept, and the last of them in zigzag order
        const gannet_jpeg_table *dc, *ac;
    } planes[3];
    size_t mcus, mcus_across;
    unsigned restart_interval;
    /// Numbers that are kept of an MCU: of each block its coefficients by rows, and whether it has details.
    size_t record;
} gannet_jpeg_plan;

/// Where a reader stands between two MCUs.
typedef struct {
    gannet_jpeg_bits bits;
    uint32_t predictors[3];
} gannet_jpeg_stand;

/// A place at which a part stood.
typedef struct {
    uint64_t position;
    uint32_t predictors[3];
} gannet_jpeg_step;

typedef struct {
    const gannet_jpeg_plan *plan;
    const uint8_t *start;
    gannet_jpeg_stand stand;
    size_t number;     // of its first MCU; 0: not known
    size_t mcus;       // that it has read
    int16_t **sheets;  // with their coefficients
    gannet_jpeg_step *trail;
} gannet_jpeg_part;

/// The bit of the scan that is read next. 0: it is beyond the data; nobody asks before the first one.
uint64_t gannet_jpeg_position(const gannet_jpeg_plan *plan, const gannet_jpeg_bits *bits);

/// Reads an MCU, for whose coefficients there is a sheet. False: it is damaged, or the data ends; the part stands before it.
bool gannet_jpeg_part_read(gannet_jpeg_part *part);

/// Begins anew behind a wrong code, which a reader at the right place does not meet. False: too much was tried.
bool gannet_jpeg_part_retry(gannet_jpeg_part *part);

static inline int16_t *gannet_jpeg_part_record(const gannet_jpeg_part *part, size_t index) {
    return part->sheets[index / JPEG_SHEET] + index % JPEG_SHEET * part->plan->record;
}

#endif
