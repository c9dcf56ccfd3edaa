// Rows of samples to rows of red, green, blue and 255.
#ifndef GANNET_JPEG_COLORS_H
#define GANNET_JPEG_COLORS_H
#include <stddef.h>
#include <stdint.h>

void gannet_jpeg_pixels_of_gray(const uint8_t *gray, uint8_t *pixels, size_t count);
void gannet_jpeg_pixels_of_rgb(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *pixels, size_t count);
/// ITU-T T.871 (JFIF), section 7, rounded.
void gannet_jpeg_pixels_of_ycc(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count);

#endif
