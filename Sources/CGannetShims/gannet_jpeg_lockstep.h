// The scans of one picture decoded side by side, one row of blocks after the other. Private to the JPEG shim.
//
// libjpeg reads a file from start to end, and keeps the coefficients of the whole image between scans: two bytes for each sample.
// If all bytes are there, each scan gets its own decompressor here, which reads only the tables before that scan and its data.
// All decompressors write into the same few rows of blocks, in the order of the file, and the first one converts these rows to
// pixels before the next ones are decoded. No coefficients are kept, the working set stays in the processor's caches, and scans
// that a small target size does not need are left out. For undamaged progressive files a faster kernel reads all scans but the
// first.
#ifndef GANNET_JPEG_LOCKSTEP_H
#define GANNET_JPEG_LOCKSTEP_H
#include "gannet_jpeg_scans.h"

typedef struct gannet_jpeg_lockstep gannet_jpeg_lockstep;

/// Takes over the scans, which were allocated; `master` has read the header of the file that they are in, and not been started. Its
/// arrays of coefficients are the shared rows from now on. NULL, and nothing is taken: no memory, or it would take more than `most`
/// bytes, those of all coefficients, which is so for small pictures. `by_kernel`: the kernel may be used, which takes the first damaged
/// place for the end.
gannet_jpeg_lockstep *gannet_jpeg_lockstep_install(
    struct jpeg_decompress_struct *master, gannet_jpeg_scan *scans, long count, size_t most, int by_kernel);
/// The kernel gave up: the file is damaged, or libjpeg alone knows what to make of it.
int gannet_jpeg_lockstep_gave_up(const gannet_jpeg_lockstep *lockstep);
/// After the start of the master, which must be one with buffered output, and before its output: makes the other decompressors, with
/// its error manager and user data. Errors jump as the master's do.
void gannet_jpeg_lockstep_start(gannet_jpeg_lockstep *lockstep);
/// After the master was destroyed.
void gannet_jpeg_lockstep_free(gannet_jpeg_lockstep *lockstep);

/// Memory for it at most, from its installation on.
size_t gannet_jpeg_lockstep_bytes(const gannet_jpeg_lockstep *lockstep);

/// The lockstep installed for the decompressor with this user data; defined in the decoder's file.
gannet_jpeg_lockstep *gannet_jpeg_lockstep_of(void *client_data);

#endif
