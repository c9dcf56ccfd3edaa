// The scans of a whole JPEG, found without decoding. Private to the JPEG shim.
#ifndef GANNET_JPEG_SCANS_H
#define GANNET_JPEG_SCANS_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// One scan: the segments between the scan before it and its own header, and from its header to the end of its data.
typedef struct {
    const uint8_t *tables;
    size_t table_count;
    const uint8_t *data;
    size_t data_count;
    /// Bits of its components.
    unsigned components;
    /// Nothing of it is shown.
    int is_left_out;
} gannet_jpeg_scan;

/// Finds the scans of the whole file `bytes`, whose header `info` was read from it. Components whose bit is set in `means` are shown by
/// their blocks' means alone: their scans of other coefficients are left out. Answers their number, allocated at `*scans` (the caller
/// frees them); 0 if the file is not whole, breaks rules, leaves something to be made up by smoothing, or there is no memory: the
/// library is to see it as it is then; −1 for more than `maximum_scans` scans.
long gannet_jpeg_survey_scans(
    const struct jpeg_decompress_struct *info, const uint8_t *bytes, size_t count, unsigned means, int maximum_scans,
    gannet_jpeg_scan **scans);

/// Blocks that they go through.
double gannet_jpeg_work_of_scans(const struct jpeg_decompress_struct *info, const gannet_jpeg_scan *scans, long count);

#endif
