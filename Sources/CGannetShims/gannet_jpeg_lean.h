// Progressive pictures at an eighth of their size, without what that size does not need. Private to the JPEG shim.
#ifndef GANNET_JPEG_LEAN_H
#define GANNET_JPEG_LEAN_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// A part of the file that the library is shown.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} gannet_jpeg_piece;

/// Cuts the scans of details out of what follows a progressive file's first scan header: those with coefficients other than the
/// mean, of components whose bit is set in `means`. Answers the number of pieces, allocated at `*pieces` (the caller frees them);
/// 0 if nothing can be cut, because the file is not whole or there is no memory; −1 for more than `maximum_scans` scans.
long gannet_jpeg_cut_details(
    const struct jpeg_decompress_struct *info, const uint8_t *bytes, size_t count, unsigned means, int maximum_scans,
    gannet_jpeg_piece **pieces);

/// Keeps the coefficients of one picture in place of the library's own arrays: two bytes a block for components of which only means
/// are wanted (bits of `means`), and what is not zero for the others.
typedef struct gannet_jpeg_arrays gannet_jpeg_arrays;

/// Before the library asks for its arrays. NULL: no memory. Free it after the decompressor.
gannet_jpeg_arrays *gannet_jpeg_arrays_install(struct jpeg_decompress_struct *info, unsigned means);
void gannet_jpeg_arrays_free(gannet_jpeg_arrays *arrays);
/// What was installed for the decompressor with this user data; the decoder's file tells.
gannet_jpeg_arrays *gannet_jpeg_arrays_of(void *client_data);

#endif
