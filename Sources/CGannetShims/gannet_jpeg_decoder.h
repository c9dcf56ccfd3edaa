// Shared by the files of the JPEG decoder. Private to the JPEG shim.
#ifndef GANNET_JPEG_DECODER_H
#define GANNET_JPEG_DECODER_H
#include "gannet_jpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "gannet_jpeg_lockstep.h"

struct gannet_jpeg_decoder {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_source_mgr source;
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
    gannet_jpeg_fault fault;
    int (*stop)(void *);
    void *context;
    size_t skipping;
    long damages;
    int maximum_scans;
    int is_strict;
    int is_last;
    int ended_early;
    int has_many_scans;
    int is_started;
    unsigned seen_components;
    JOCTET end_marker[2];
    // All bytes of the last window, and the state for decoding its scans side by side.
    const uint8_t *window;
    size_t window_count;
    gannet_jpeg_lockstep *lockstep;
    // Blocks that the scans have visited so far, and the limit.
    int counted_scan;
    double work, maximum_work;
};

/// Ends the call that set `jump`.
_Noreturn void gannet_jpeg_decoder_fail(gannet_jpeg_decoder *decoder, gannet_jpeg_fault fault, const char *message);

#endif
