// Plain functions over libtiff: no variable arguments, no global error handlers, memory in and memory out.
#ifndef GANNET_TIFF_H
#define GANNET_TIFF_H
#include <stddef.h>
#include <stdint.h>

/// The result of an entry function.
typedef enum {
    GANNET_TIFF_FAILED = 0,  // see gannet_tiff_fault
    GANNET_TIFF_OK = 1
} gannet_tiff_result;

/// The cause of a failure.
typedef enum {
    GANNET_TIFF_FAULT_NONE = 0,
    GANNET_TIFF_FAULT_CORRUPT,
    GANNET_TIFF_FAULT_UNSUPPORTED,
    GANNET_TIFF_FAULT_MEMORY,
    GANNET_TIFF_FAULT_STOPPED  // the caller's stop function returned non-zero
} gannet_tiff_fault;

/// The colour model of a page's pixels after gannet_tiff_read.
typedef enum {
    GANNET_TIFF_GRAY = 0,  // red, green and blue are the same
    GANNET_TIFF_RGB = 1,
    GANNET_TIFF_CMYK = 2   // four bytes for each pixel in any case: cyan, magenta, yellow, black; 0 is no ink
} gannet_tiff_model;

typedef struct {
    uint32_t width;
    uint32_t height;
    int bits;         // of one sample as stored
    int orientation;  // 1 … 8
    gannet_tiff_model model;
    int was_lab;      // converted to sRGB
    int has_alpha;
    int is_premultiplied;
    /// Floating-point RGB with neither a range nor a profile: amounts of light.
    int is_light;
    /// Some of its strips or tiles can be read without the others, and rows be cut.
    int has_parts;
    /// Bytes that gannet_tiff_read allocates; SIZE_MAX if the number does not fit into a size_t.
    size_t work_bytes;
    /// The ICC profile; owned by the file, valid until another page is selected.
    const uint8_t *profile;
    uint32_t profile_bytes;
} gannet_tiff_page;

typedef struct gannet_tiff gannet_tiff;

/// NULL if there is no memory. No single allocation of the library exceeds `maximum_allocation`. `stop` (may be NULL) is called
/// between strips, tiles and rows; non-zero ends the read.
gannet_tiff *gannet_tiff_new(size_t maximum_allocation, int (*stop)(void *), void *context);
void gannet_tiff_free(gannet_tiff *file);

/// Lends bytes to the calls that follow. They may be elsewhere for each call, but must stay in place during it.
void gannet_tiff_lend(gannet_tiff *file, const uint8_t *bytes, size_t count);

/// Selects the directory at `offset` as the page to read. Call it first, and before each gannet_tiff_read.
gannet_tiff_result gannet_tiff_select(gannet_tiff *file, uint64_t offset, gannet_tiff_page *page);

/// A part of a page, inside of it.
typedef struct {
    uint32_t x, y, width, height;
} gannet_tiff_area;

/// Fills rows of four samples for each pixel of `area` (NULL: all; only of a page that has parts), 8 bits each or (`is_deep`) 16, `stride` bytes apart. `is_raw`: signed samples keep
/// their bits and 16-bit samples are truncated to their high byte; else they are offset and rounded. `*rows` is set to the number
/// of complete rows from the top, even after a failure.
gannet_tiff_result gannet_tiff_read(
    gannet_tiff *file, uint8_t *base, size_t stride, const gannet_tiff_area *area, int is_deep, int is_raw, uint32_t *rows);

/// Lends a table to the reads that follow: signals from 0 to 65,535 for light, by the upper half of the bits of a float of 32 bits, up to
/// those of infinity. Pages that are light are then written as signals; NULL: their numbers are shown from 0 to 1.
void gannet_tiff_lend_signals(gannet_tiff *file, const float *signals);
/// The brightest finite number of the last read; 0 if the page is no light.
float gannet_tiff_peak(const gannet_tiff *file);

gannet_tiff_fault gannet_tiff_fault_of(const gannet_tiff *file);
/// The library's message for the failure.
const char *gannet_tiff_message(const gannet_tiff *file);

/// Writes a file of one page: RGB, or RGBA with straight alpha, of 8 or 16 bits, Deflate with a predictor. `base` holds rows of
/// four samples for each pixel. NULL if it cannot be written, or would exceed `maximum_bytes`; release it with free().
uint8_t *gannet_tiff_encode(
    const uint8_t *base, size_t stride, uint32_t width, uint32_t height, int is_deep, int has_alpha, int level,
    size_t maximum_bytes, size_t *count);

#endif
