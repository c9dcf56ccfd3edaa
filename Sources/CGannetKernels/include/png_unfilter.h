// Rows of PNG files: filters undone (PNG 3rd edition, section 9) and samples expanded to four channels.
#ifndef GANNET_PNG_UNFILTER_H
#define GANNET_PNG_UNFILTER_H
#include <stddef.h>
#include <stdint.h>

/// Undoes the filter of one row in place. `prior` is the row above, already unfiltered, or zeros for the first row.
/// `bytes_per_pixel` is 1, 2, 3, 4, 6 or 8. False if `filter` is above 4; the row is then untouched.
_Bool gannet_png_unfilter_row(uint8_t *row, const uint8_t *prior, size_t count, unsigned bytes_per_pixel, unsigned filter);

/// Undoes the filters of `rows` rows in place. Each row is one filter byte and `count` bytes; `prior` as above for the first.
/// Answers the number of rows done: fewer than `rows` if a filter byte is above 4.
size_t gannet_png_unfilter_rows(uint8_t *first, const uint8_t *prior, size_t count, size_t rows, unsigned bytes_per_pixel);

/// The same in plain C, for machines without vectors and for tests.
size_t gannet_png_unfilter_rows_plain(uint8_t *first, const uint8_t *prior, size_t count, size_t rows, unsigned bytes_per_pixel);

// Expansions of one row of `pixels` pixels. `to` may lie in front of `from` in the same memory as long as no pixel is
// written beyond the pixel that is read; all of them go forward.

/// 8-bit RGB to RGBA, alpha 255.
void gannet_png_expand_rgb8(uint8_t *to, const uint8_t *from, size_t pixels);
/// 8-bit RGB to RGBA; pixels of the colour `red`, `green`, `blue` get alpha 0.
void gannet_png_expand_rgb8_key(uint8_t *to, const uint8_t *from, size_t pixels, uint8_t red, uint8_t green, uint8_t blue);
/// 8-bit gray and alpha to RGBA.
void gannet_png_expand_gray_alpha8(uint8_t *to, const uint8_t *from, size_t pixels);
/// Samples of 1, 2, 4 or 8 bits through a table of 256 RGBA pixels in memory order.
void gannet_png_expand_table(uint8_t *to, const uint8_t *from, size_t pixels, unsigned depth, const uint32_t *table);
/// `channels` (1 … 4) big-endian 16-bit samples a pixel to four native ones. With `has_key`, pixels whose first one or three
/// samples equal `key` become transparent.
void gannet_png_expand_16(uint16_t *to, const uint8_t *from, size_t pixels, unsigned channels, _Bool has_key, const uint16_t *key);
/// 16-bit samples to 8 bits: rounded, or cut to the high byte.
void gannet_png_narrow(uint8_t *to, const uint16_t *from, size_t samples, _Bool rounds);
/// Straight RGBA8 to premultiplied, each product divided by 255 and rounded to nearest. `to` may be `from` or in front of it.
void gannet_png_premultiply8(uint8_t *to, const uint8_t *from, size_t pixels);
/// Straight RGBA16 to premultiplied, in place.
void gannet_png_premultiply16(uint16_t *row, size_t pixels);

// Frames of animations, straight alpha. `step` is the distance in pixels between the target's pixels (interlace).

/// Lays RGBA8 pixels over others (`blends`), or puts them in their place.
void gannet_png_blend8(uint8_t *to, const uint8_t *from, size_t pixels, size_t step, _Bool blends);
/// The same for RGBA16.
void gannet_png_blend16(void *to, const void *from, size_t pixels, size_t step, _Bool blends);

#endif
