// Decodes JPEG directly at an eighth, a quarter or half of its size (ITU-T T.81, Huffman coding, 8 bits, baseline or
// progressive).
//
// A block of N × N pixels is made from the lowest N × N coefficients of an 8 × 8 block. This equals low-pass filtering and
// sampling, and is sharper than the mean of the pixels. All higher coefficients are skipped, several at a time. Chroma that is
// stored at half the size keeps its detail: it is made from twice as many coefficients.
//
// Only for undamaged data: the first wrong code, or a misplaced marker, ends the decoding. A decoder that repairs then has to
// decide about the file.
#ifndef GANNET_JPEG_SHRINK_H
#define GANNET_JPEG_SHRINK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gannet_jpeg_progression.h"

/// Sizes that are made at once: half, a quarter and an eighth.
enum { GANNET_JPEG_MOST_SCALES = 3 };

typedef enum { GANNET_JPEG_GRAY, GANNET_JPEG_YCC, GANNET_JPEG_RGB } gannet_jpeg_colors;

typedef struct {
    /// Sampling factors. One of them for each direction is the largest of the image, or half of it.
    int horizontal, vertical;
    /// 64 steps of quantisation by rows, not in zigzag order.
    const uint16_t *steps;
    gannet_jpeg_codes dc, ac;
} gannet_jpeg_component;

typedef struct {
    int width, height;
    /// 1, 2 or 4.
    int eighths;
    /// More sizes that are made of the same codes: smaller ones, the larger first. 0: none.
    int smaller[GANNET_JPEG_MOST_SCALES - 1];
    gannet_jpeg_colors colors;
    /// MCUs between two restart markers, or 0.
    unsigned restart_interval;
    /// The first one for gray, else three.
    gannet_jpeg_component components[3];
    /// The scans of a progressive file, as for gannet_jpeg_progression_create; the components' codes are then not used. NULL: a
    /// baseline file of one scan.
    const gannet_jpeg_progressive_scan *scans;
    size_t scan_count;
} gannet_jpeg_frame;

typedef struct gannet_jpeg_shrink gannet_jpeg_shrink;

/// `bytes`: everything after the scan's header, up to the end of the file (not used for a progressive file); they must outlive
/// the decoder, `frame` need not. NULL if the sampling or the tables are not supported, or if there is no memory.
gannet_jpeg_shrink *gannet_jpeg_shrink_create(const gannet_jpeg_frame *frame, const uint8_t *bytes, size_t count);
void gannet_jpeg_shrink_destroy(gannet_jpeg_shrink *shrink);

/// Memory that it has, in bytes: about 100 KB and 4 × `eighths` bytes of each size for each pixel of a row; of a progressive file 50 more for
/// each pixel of a row, and 15 KB for each scan.
size_t gannet_jpeg_shrink_bytes(const gannet_jpeg_shrink *shrink);

/// Before the first row: delivers of each row `width` pixels from `left` on. The others cost only the reading of their codes. False, and
/// nothing is changed: they do not lie within the row, or other threads make whole rows already.
bool gannet_jpeg_shrink_keep(gannet_jpeg_shrink *shrink, size_t left, size_t width);

/// Passes over rows, of which there are so many. False: the data is damaged or ends here, or there are several sizes.
bool gannet_jpeg_shrink_skip(gannet_jpeg_shrink *shrink, size_t rows);

/// Memory that it needs to decode with up to `threads` threads: before the first row. 0: they would not help, or not whole rows are wanted.
size_t gannet_jpeg_shrink_dividing(gannet_jpeg_shrink *shrink, int threads);
/// Starts as many threads as the last call found useful, and says how many decode now. The pixels stay the same, and so does what happens to
/// damaged data. 1: nothing has changed, because there is no memory or no thread.
int gannet_jpeg_shrink_divide(gannet_jpeg_shrink *shrink);
/// Whether what is decoded next was read by other threads.
bool gannet_jpeg_shrink_follows(const gannet_jpeg_shrink *shrink);

/// Bytes of a scan's data up to the end of its restart marker number `markers`, counted from 1. 0: they do not come one after the other, so
/// that something is missing.
size_t gannet_jpeg_pass_markers(const uint8_t *bytes, size_t count, size_t markers);

/// Rows of a size that come together: size 0 is the frame's `eighths`, the others are `smaller`.
int gannet_jpeg_shrink_band(const gannet_jpeg_shrink *shrink, size_t size);

/// The next row of a size, ⌈width × eighths / 8⌉ pixels of red, green, blue and 255. At most ⌈height × eighths / 8⌉ times. Of several sizes
/// each takes the rows that come together before any takes the next ones. False: the data is damaged or ends here, or a size is behind.
bool gannet_jpeg_shrink_row(gannet_jpeg_shrink *shrink, size_t size, uint8_t *pixels);

// Beside a reader of a progressive file's larger pixels. Of the scans that the frame has, the first one is read here too, so that its damage is
// seen as it is alone; the other reader brings the coefficients of all.

/// Before the first row. False, and nothing is changed: it is no progressive frame, rows were decoded, or there is no memory.
bool gannet_jpeg_shrink_stand_beside(gannet_jpeg_shrink *shrink);
/// Draws the next row of MCUs, which `others` has decoded into `rows` last, where the coefficients of the first scan are as well. Its pixels
/// wait until they are taken. False: the first scan is damaged, or two rows of MCUs wait already.
bool gannet_jpeg_shrink_draw(
    gannet_jpeg_shrink *shrink, const gannet_jpeg_progression *others, int16_t *const rows[GANNET_JPEG_MOST_COMPONENTS][4]);
/// Rows of MCUs that wait.
int gannet_jpeg_shrink_waiting(const gannet_jpeg_shrink *shrink);

#endif
