// Selects the files that the kernel for small images decodes instead of libjpeg. Private to the JPEG shim.
#ifndef GANNET_JPEG_SHRINKING_H
#define GANNET_JPEG_SHRINKING_H
#include <stdio.h>

#include <jpeglib.h>

#include "gannet_jpeg_shrink.h"

/// `info` has read the header of a whole file, and is not started. `eighths`: GANNET_JPEG_MOST_SCALES of them, the largest first, then 0.
/// NULL if the file is not baseline, or not supported by the kernel.
gannet_jpeg_shrink *gannet_jpeg_shrink_of(const struct jpeg_decompress_struct *info, const int *eighths);

/// The same for a progressive file: its `count` scans, in order.
gannet_jpeg_shrink *gannet_jpeg_shrink_of_scans(
    const struct jpeg_decompress_struct *info, const int *eighths, const gannet_jpeg_progressive_scan *scans, size_t count);

#endif
