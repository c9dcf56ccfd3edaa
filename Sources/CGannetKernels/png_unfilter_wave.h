// Four rows of a PNG unfiltered at once, with AVX2. Private to the kernels.
#ifndef GANNET_PNG_UNFILTER_WAVE_H
#define GANNET_PNG_UNFILTER_WAVE_H
#include <stddef.h>
#include <stdint.h>

/// Rows of `count` bytes, each behind its filter byte, which is 4 at most; `first` is the filter byte of the first. 3 or 4 bytes a pixel, 8 pixels or
/// more. `prior` is the row above. Only on machines that have AVX2.
void gannet_png_unfilter_wave(uint8_t *first, const uint8_t *prior, size_t count, unsigned bytes_per_pixel);

#endif
