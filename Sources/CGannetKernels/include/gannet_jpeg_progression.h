// Progressive JPEG (ITU-T T.81, Annex G, Huffman coding): its scans decoded side by side, one row of MCUs after the other.
//
// A progressive file transmits its image in several passes. If all bytes are there, each scan can be read independently, so only
// the row of blocks that all scans are working on has to be kept.
//
// Only for undamaged data, like the kernel for small images: the first wrong code, or a marker where none belongs, ends it.
#ifndef GANNET_JPEG_PROGRESSION_H
#define GANNET_JPEG_PROGRESSION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GANNET_JPEG_MOST_COMPONENTS = 4 };

/// A Huffman table as a DHT segment has it: how many codes there are of each length (from index 1 on, to 16), and their symbols.
typedef struct {
    const uint8_t *counts;
    const uint8_t *symbols;
} gannet_jpeg_codes;

/// A scan's header, and the tables in force at that point.
typedef struct {
    int component_count;
    /// Indices into the image's components, ascending or not. One, unless it is a scan of DC.
    int components[GANNET_JPEG_MOST_COMPONENTS];
    /// Coefficients in zigzag order, 0 … 0 or 1 … 63; bits of them: `high` is 0 for the first scan of these coefficients, else
    /// `low` + 1.
    int first, last, high, low;
    /// One for each component for DC; one for the only component for AC. Not used by later scans of DC.
    gannet_jpeg_codes codes[GANNET_JPEG_MOST_COMPONENTS];
    /// MCUs between two restart markers, or 0.
    unsigned restart_interval;
    /// The bytes after the scan header, up to the next segment or further.
    const uint8_t *bytes;
    size_t count;
} gannet_jpeg_progressive_scan;

typedef struct {
    int width, height, component_count;
    struct {
        /// Sampling factors, 1 … 4.
        int horizontal, vertical;
        /// The last coefficient in zigzag order that is wanted, 0 … 63. Those behind it may stay 0.
        int last;
    } components[GANNET_JPEG_MOST_COMPONENTS];
} gannet_jpeg_progressive_frame;

typedef struct gannet_jpeg_progression gannet_jpeg_progression;

/// The scans in the order of the file; their bytes must outlive the progression, `frame` and `scans` need not. Their order of bits must be
/// right: each bit of a coefficient once, from the highest on. NULL: not a frame or a table of T.81, or no memory.
gannet_jpeg_progression *gannet_jpeg_progression_create(
    const gannet_jpeg_progressive_frame *frame, const gannet_jpeg_progressive_scan *scans, size_t count);
void gannet_jpeg_progression_destroy(gannet_jpeg_progression *progression);

/// Memory that it has, in bytes.
size_t gannet_jpeg_progression_bytes(const gannet_jpeg_progression *progression);

/// Decodes the next row of MCUs. `rows[c][y]` is row y of the vertical factor of component c: its blocks, each of 64 coefficients by rows,
/// as many as whole MCUs have. They are zero before, or hold DC of scans that are not this progression's. Call it at most as often as
/// there are rows of MCUs. False: damaged.
bool gannet_jpeg_progression_next(gannet_jpeg_progression *progression, int16_t *const rows[GANNET_JPEG_MOST_COMPONENTS][4]);

#endif
