// The scans of a whole JPEG, found without decoding. Private to the JPEG shim.
#ifndef GANNET_JPEG_SCANS_H
#define GANNET_JPEG_SCANS_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// One scan: the segments between the previous scan and its header, and the bytes from its header to the end of its data.
typedef struct {
    const uint8_t *tables;
    size_t table_count;
    const uint8_t *data;
    size_t data_count;
    /// One bit for each of its components.
    unsigned components;
    /// Nothing of it is visible at the target size.
    int is_left_out;
} gannet_jpeg_scan;

/// Finds the scans of the whole file `bytes`, from which `info` has read the header. Components with a bit in `means` are shown
/// by their blocks' means alone, so their scans of other coefficients are left out. Returns the number of scans, allocated at
/// `*scans` (the caller frees them). Returns 0 if the file is incomplete, breaks rules or needs smoothing, or if there is no
/// memory: the library must then decode it as it is. Returns −1 for more than `maximum_scans` scans.
long gannet_jpeg_survey_scans(
    const struct jpeg_decompress_struct *info, const uint8_t *bytes, size_t count, unsigned means, int maximum_scans,
    gannet_jpeg_scan **scans);

/// The number of blocks that the scans visit.
double gannet_jpeg_work_of_scans(const struct jpeg_decompress_struct *info, const gannet_jpeg_scan *scans, long count);

#endif
