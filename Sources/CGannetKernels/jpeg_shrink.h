// The state of the decoder for small images. Private to its files.
#ifndef JPEG_SHRINK_H
#define JPEG_SHRINK_H
#include "gannet_jpeg_colors.h"
#include "gannet_jpeg_inverse.h"
#include "jpeg_parts.h"
#include "jpeg_relay.h"

struct plane {
    int blocks_across, blocks_down;  // of an MCU
    int across, down;                // samples of a block
    int last;                        // the last coefficient that is needed, in zigzag order
    uint16_t steps[64];
    gannet_jpeg_inverse *inverse;
    const gannet_jpeg_table *dc, *ac;
    uint32_t predictor;
    uint8_t *samples;
    int16_t *coefficients;  // of a row of MCUs; NULL: baseline, which needs them of one block
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
    struct named_table tables[7];  // the last one stays empty
    gannet_jpeg_colors colors;
    size_t row;          // pixels of the whole one
    size_t left, width;  // of a row that is delivered
    size_t first, end;   // MCUs of a row that have delivered samples
    size_t mcus;         // in a row
    size_t mcu_rows;
    size_t mcu_row;      // the one that is decoded next
    size_t stride;       // of the planes
    int band, next;      // rows of a row of MCUs, and the one that is delivered next
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
    uint8_t *made;  // pixels of the row of MCUs, if one of them made it
};

/// Makes the rows of a row of MCUs.
gannet_jpeg_band_maker gannet_jpeg_shrink_make_band;

#endif
