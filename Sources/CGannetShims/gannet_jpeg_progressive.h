// The scans of a progressive JPEG in the form that the kernels read: with the tables in force. Private to the JPEG shim.
#ifndef GANNET_JPEG_PROGRESSIVE_H
#define GANNET_JPEG_PROGRESSIVE_H
#include "gannet_jpeg_progression.h"
#include "gannet_jpeg_scans.h"

/// Converts what gannet_jpeg_survey_scans found in a progressive file, in the same order; the caller frees the result. The scans
/// point into the file. NULL if tables are missing or broken, if a quantisation table comes after the first scan, or if there is
/// no memory.
gannet_jpeg_progressive_scan *gannet_jpeg_progressive_scans(
    const struct jpeg_decompress_struct *info, const gannet_jpeg_scan *scans, long count);

#endif
