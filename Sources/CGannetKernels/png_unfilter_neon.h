// One row of a PNG unfiltered, with NEON. Private to the kernels.
#ifndef GANNET_PNG_UNFILTER_NEON_H
#define GANNET_PNG_UNFILTER_NEON_H
#include <stddef.h>
#include <stdint.h>

/// Undoes Sub, Average or Paeth (`filter` 1, 3 or 4) where pixels have 3, 4, 6 or 8 bytes and `count` is a multiple of that.
/// False, and the row is untouched, for every other filter and pixel.
_Bool gannet_png_unfilter_row_neon(uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned filter);

#endif
