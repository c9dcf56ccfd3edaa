// Shared by the files of the libtiff shim.
#ifndef GANNET_TIFF_PRIVATE_H
#define GANNET_TIFF_PRIVATE_H
#include <tiffio.h>

#include "gannet_tiff.h"

/// How the samples of one row become channels.
typedef struct {
    int bits;
    int format;           // SAMPLEFORMAT_…
    int samples;          // in a pixel of the row that is passed: all of them, or 1 for separate planes
    int source[4];        // index of the sample for each channel; -1: the channel is at its maximum
    int inverts;          // white is zero
    int is_raw;
    int is_deep;
    int lab;              // 0, or the photometric of L*a*b*
    const uint16_t *red;  // a palette of 2^bits entries; NULL if there is none
    const uint16_t *green;
    const uint16_t *blue;
    int palette_scale;    // of its entries, to 16 bits
    double lowest;        // of floating-point samples
    double highest;
    int is_light;
    const float *signals; // for light; NULL: not wanted
    float *peak;
} gannet_tiff_plan;

// Strips up to this size are decoded at once, which is faster; larger ones row by row.
enum { whole_strip_bytes = 16 << 20 };

struct gannet_tiff {
    TIFF *tiff;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    size_t maximum_allocation;
    int (*stop)(void *);
    void *context;
    gannet_tiff_fault fault;
    char message[256];
    gannet_tiff_plan plan;
    uint32_t width;
    uint32_t height;
    int by_library;  // the library's own conversion to RGBA is used
    int is_cmyk;
    const float *signals;
    float peak;
};

/// Keeps the first fault and its message; returns GANNET_TIFF_FAILED.
gannet_tiff_result gannet_tiff_fail(gannet_tiff *file, gannet_tiff_fault fault, const char *message);
/// Calls the caller's stop function; a request to stop is kept as a fault.
int gannet_tiff_is_stopped(gannet_tiff *file);
/// Reads a 16-bit field.
int gannet_tiff_number(TIFF *tiff, uint32_t tag, int fallback);
/// Decoded bytes of a strip or tile, or of a row of a strip that is too large.
size_t gannet_tiff_chunk_bytes(const gannet_tiff *file);
/// Bytes of one row of 16-bit samples.
size_t gannet_tiff_line_bytes(const gannet_tiff *file);
/// Memory that reading the page needs besides the caller's rows.
size_t gannet_tiff_work_bytes(const gannet_tiff *file);

/// Expands `count` pixels of `in` to four channels each. `line` has room for `count` × samples.
void gannet_tiff_expand(const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint8_t *out, uint16_t *line);
/// Expands `count` samples of one plane into channel `channel`; the other channels stay.
void gannet_tiff_expand_plane(
    const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint8_t *out, int channel, uint16_t *line);
/// The conversions that need all planes: palette, L*a*b*, white is zero.
void gannet_tiff_finish_planes(const gannet_tiff_plan *plan, size_t count, uint8_t *out);

#endif
