// Which files the kernel for small pictures takes from libjpeg. Private to the JPEG shim.
#ifndef GANNET_JPEG_SHRINKING_H
#define GANNET_JPEG_SHRINKING_H
#include <stdio.h>

#include <jpeglib.h>

#include "gannet_jpeg_shrink.h"

/// `info` has read the header of a file that is there as a whole, and is not started. NULL: the file is not baseline, or not of a kind that
/// the kernel knows.
gannet_jpeg_shrink *gannet_jpeg_shrink_of(const struct jpeg_decompress_struct *info, int eighths);

/// The same of a progressive file: its `count` scans, in their order.
gannet_jpeg_shrink *gannet_jpeg_shrink_of_scans(
    const struct jpeg_decompress_struct *info, int eighths, const gannet_jpeg_progressive_scan *scans, size_t count);

#endif
