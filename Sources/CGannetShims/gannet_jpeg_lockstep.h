// Decodes the scans of one image side by side, one row of blocks after the other. Private to the JPEG shim.
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
#include "gannet_jpeg_shrink.h"

typedef struct gannet_jpeg_lockstep gannet_jpeg_lockstep;

/// Takes ownership of the allocated scans. `master` has read the header of their file, and has not been started. From now on its
/// coefficient arrays are the shared rows. NULL, and nothing is taken, if there is no memory, or if more than `most` bytes would
/// be needed (the size of all coefficients, exceeded for small images). `by_kernel`: the kernel may be used, which treats the
/// first damage as the end.
gannet_jpeg_lockstep *gannet_jpeg_lockstep_install(
    struct jpeg_decompress_struct *master, gannet_jpeg_scan *scans, long count, size_t most, int by_kernel);
/// After the installation: makes small sizes too, of the coefficients that the kernel reads for this decode. NULL: it does not read them, or
/// the file is not supported. The caller destroys it after the last row.
gannet_jpeg_shrink *gannet_jpeg_lockstep_shrink(gannet_jpeg_lockstep *lockstep, const int *eighths);
/// Non-zero if the kernel gave up: the file is damaged, or only libjpeg can handle it.
int gannet_jpeg_lockstep_gave_up(const gannet_jpeg_lockstep *lockstep);
/// Call after the start of the master, which must use buffered output, and before its output: creates the other decompressors,
/// with the master's error manager and user data. Errors jump as the master's do.
void gannet_jpeg_lockstep_start(gannet_jpeg_lockstep *lockstep);
/// Call after the master was destroyed.
void gannet_jpeg_lockstep_free(gannet_jpeg_lockstep *lockstep);

/// The maximum memory that it needs, from its installation on.
size_t gannet_jpeg_lockstep_bytes(const gannet_jpeg_lockstep *lockstep);

/// The lockstep installed for the decompressor with this user data; defined in the decoder's file.
gannet_jpeg_lockstep *gannet_jpeg_lockstep_of(void *client_data);

#endif
