// The state of the decoder for small images. Private to its files.
#ifndef JPEG_SHRINK_H
#define JPEG_SHRINK_H
#include "gannet_jpeg_colors.h"
#include "gannet_jpeg_inverse.h"
#include "jpeg_parts.h"
#include "jpeg_relay.h"

/// What a size makes of a component.
struct view {
    int across, down;  // samples of a block
    int last;          // the last coefficient that it needs, in zigzag order
    gannet_jpeg_inverse *inverse;
    uint8_t *samples;  // of the row of MCUs
};

struct plane {
    int blocks_across, blocks_down;  // of an MCU
    struct view views[GANNET_JPEG_MOST_SCALES];
    uint16_t steps[64];
    const gannet_jpeg_table *dc, *ac;
    uint32_t predictor;
    int16_t *coefficients;  // of a row of MCUs; NULL: baseline, which needs them of one block
};

/// One of the sizes.
struct scale {
    size_t row;          // pixels of the whole one
    size_t left, width;  // of a row that is delivered
    size_t stride;       // of the planes
    int band, next;      // rows of a row of MCUs, and the one that is delivered next
};

struct named_table {
    const uint8_t *counts;
    bool is_dc;
    gannet_jpeg_table *table;
};

struct gannet_jpeg_shrink {
    gannet_jpeg_bits bits;
    struct plane planes[3];
    int plane_count;
    struct scale scales[GANNET_JPEG_MOST_SCALES];  // the largest first
    size_t scale_count;
    uint8_t *samples;                              // of all planes, one size after the other
    struct named_table tables[7];                  // the last one stays empty
    gannet_jpeg_colors colors;
    size_t first, end;  // MCUs of a row that have delivered samples
    size_t mcus;        // in a row
    size_t mcu_rows;
    size_t mcu_row;  // the one that is decoded next
    unsigned restart_interval, until_restart;
    int restart;
    gannet_jpeg_progression *progression;  // NULL: baseline
    size_t bytes;
    // Other threads, if there are some.
    gannet_jpeg_plan plan;
    size_t scan_bytes;
    int threads;
    gannet_jpeg_relay *relay;
    gannet_jpeg_parts *parts;
    bool follows;  // MCUs come from the parts
    gannet_jpeg_cursor cursor;
    uint8_t *made;  // pixels of the row of MCUs, one size after the other, if one of them made it
    // Beside another reader:
    bool is_beside;
    uint8_t *waiting[2];  // pixels of rows of MCUs, as `made`
    int waiting_count;
};

/// Bytes of the samples of a row of MCUs.
size_t gannet_jpeg_samples_size(const gannet_jpeg_shrink *shrink);
/// Lets the planes have their samples in so much memory.
void gannet_jpeg_set_samples(struct plane planes[3], const gannet_jpeg_shrink *shrink, uint8_t *memory);
/// Bytes of the pixels of a row of MCUs, of those sizes before `scale`.
size_t gannet_jpeg_pixels_before(const gannet_jpeg_shrink *shrink, size_t scale);

/// Draws a block, number `x` of row `y` of the row of MCUs, for all sizes but the first. `details`: a bit for each of its coefficients that
/// may not be zero, in zigzag order. Those that a size does not show may be set.
void gannet_jpeg_draw_smaller(
    const gannet_jpeg_shrink *shrink, const struct plane *plane, size_t x, int y, const int16_t *block, uint64_t details);

/// The pixels that a row of samples of a size gives.
void gannet_jpeg_make_pixels(
    const gannet_jpeg_shrink *shrink, const struct plane planes[3], size_t scale, size_t y, uint8_t *pixels);

/// Decodes a row of MCUs of the own scans into the own coefficients. False: damaged.
bool gannet_jpeg_shrink_read_scans(gannet_jpeg_shrink *shrink, gannet_jpeg_lap *lap);
/// Draws a row of MCUs of a progressive file.
void gannet_jpeg_shrink_draw_lap(gannet_jpeg_shrink *shrink, const gannet_jpeg_lap *lap);
/// The pixels of a row of MCUs, one size after the other, of whole rows.
void gannet_jpeg_make_band(const gannet_jpeg_shrink *shrink, const struct plane planes[3], uint8_t *pixels);

/// Beside another reader: `made` becomes the next row of MCUs that waits. False: none does.
bool gannet_jpeg_shrink_take_waiting(gannet_jpeg_shrink *shrink);

// Parts

/// An MCU that the parts have. False: it has to be decoded.
bool gannet_jpeg_shrink_take(gannet_jpeg_shrink *shrink, size_t mcu);

#endif
