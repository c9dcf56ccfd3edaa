// Rows of PNG files, written (PNG 3rd edition, section 9).
#ifndef GANNET_PNG_FILTER_H
#define GANNET_PNG_FILTER_H
#include <stddef.h>
#include <stdint.h>

/// Writes the filter byte and the filtered row, 1 + `count` bytes, to `to`: of the filters in `allowed` (bit n is filter n) the
/// one whose bytes, read as signed numbers, have the smallest sum of magnitudes. `prior` is the unfiltered row above, or zeros.
/// `scratch` has room for 2 × `count` bytes. At least one filter must be allowed.
void gannet_png_filter_row(
    uint8_t *to, const uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned allowed,
    uint8_t *scratch);

#endif
