// What the files of the libtiff shim share.
#ifndef GANNET_TIFF_PRIVATE_H
#define GANNET_TIFF_PRIVATE_H
#include <tiffio.h>

#include "gannet_tiff.h"

/// How samples of one row become channels.
typedef struct {
    int bits;
    int format;           // SAMPLEFORMAT_…
    int samples;          // in a pixel of the row that is handed over: all of them, or 1 where planes are apart
    int source[4];        // index of the sample for each channel; -1: the channel is full
    int inverts;          // white is zero
    int is_raw;
    int is_deep;
    int lab;              // 0, or the photometric of L*a*b*
    const uint16_t *red;  // a palette of 2^bits entries; NULL if there is none
    const uint16_t *green;
    const uint16_t *blue;
    double lowest;        // of floating-point samples
    double highest;
} gannet_tiff_plan;

/// `count` pixels of `in` to four channels each. `line` has room for `count` × samples.
void gannet_tiff_expand(const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint8_t *out, uint16_t *line);
/// `count` samples of one plane into channel `channel`; the other channels stay.
void gannet_tiff_expand_plane(
    const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint8_t *out, int channel, uint16_t *line);
/// What can only be done when all planes are there: palette, L*a*b*, white is zero.
void gannet_tiff_finish_planes(const gannet_tiff_plan *plan, size_t count, uint8_t *out);

#endif
