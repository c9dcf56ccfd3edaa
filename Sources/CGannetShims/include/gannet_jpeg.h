// libjpeg-turbo behind plain functions: its errors jump, and the jump never leaves C.
#ifndef GANNET_JPEG_H
#define GANNET_JPEG_H
#include <stddef.h>
#include <stdint.h>

#include "gannet_jpeg_shrink.h"

/// The result of an entry function.
typedef enum {
    GANNET_JPEG_FAILED = -1,     // see gannet_jpeg_decoder_fault; the session is over
    GANNET_JPEG_SUSPENDED = 0,   // the window is used up as far as it goes; feed more
    GANNET_JPEG_OK = 1
} gannet_jpeg_result;

/// Whose fault a failure is.
typedef enum {
    GANNET_JPEG_FAULT_NONE = 0,
    GANNET_JPEG_FAULT_CORRUPT,
    GANNET_JPEG_FAULT_UNSUPPORTED,
    GANNET_JPEG_FAULT_MEMORY,
    GANNET_JPEG_FAULT_SCANS,     // more scans than allowed
    GANNET_JPEG_FAULT_STOPPED    // the caller's stop function answered non-zero
} gannet_jpeg_fault;

/// How bytes of one picture become pixels.
typedef enum {
    GANNET_JPEG_RGBA = 0,        // 4 bytes: red, green, blue, 255
    GANNET_JPEG_CMYK = 1         // 4 bytes as stored: for Adobe's files 255 is no ink
} gannet_jpeg_pixels;

typedef struct gannet_jpeg_decoder gannet_jpeg_decoder;

/// NULL if there is no memory. `stop` (may be NULL) is asked between rows of blocks; non-zero ends the session. It must return
/// normally. `is_strict`: the first damaged place in compressed data is a failure, not a warning.
gannet_jpeg_decoder *gannet_jpeg_decoder_new(int maximum_scans, int is_strict, int (*stop)(void *), void *context);
void gannet_jpeg_decoder_free(gannet_jpeg_decoder *decoder);

/// Shows the decoder the bytes it has not read yet. They must stay in place until the next call of this function or the end.
/// `is_last`: nothing comes after them; an end in the middle is then repaired with an end marker and noted.
void gannet_jpeg_decoder_feed(gannet_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, int is_last);
/// How many bytes at the end of the last window are not read yet: show them again, followed by more.
size_t gannet_jpeg_decoder_unread(const gannet_jpeg_decoder *decoder);
/// Bytes after the window that are of no interest; may be left out of the next window.
size_t gannet_jpeg_decoder_skipping(const gannet_jpeg_decoder *decoder);

/// Takes what was read so far for all there is, also in the middle of a segment. Show an empty last window next.
void gannet_jpeg_decoder_end_here(gannet_jpeg_decoder *decoder);

gannet_jpeg_result gannet_jpeg_decoder_read_header(gannet_jpeg_decoder *decoder);
/// Valid after the header.
int gannet_jpeg_decoder_width(const gannet_jpeg_decoder *decoder);
int gannet_jpeg_decoder_height(const gannet_jpeg_decoder *decoder);
int gannet_jpeg_decoder_has_many_scans(const gannet_jpeg_decoder *decoder);
/// For files of many scans, after the header, before the start, with the whole file shown: the scans are decoded side by side, row by
/// row, so that no coefficients are kept, and those are left out that a decode at `eighths`/8 of the size has no use for. The pixels
/// are the same. SUSPENDED: not possible with this file, or not worth it; it is decoded as others are then. `by_kernel`: not all by the
/// library, which is quicker; what it makes of damaged data is not to be had so.
gannet_jpeg_result gannet_jpeg_decoder_join_scans(gannet_jpeg_decoder *decoder, int eighths, int by_kernel);
/// After a failure, non-zero: it came from the kernel. Another decoder without it knows more.
int gannet_jpeg_decoder_gave_up(const gannet_jpeg_decoder *decoder);
/// After the header, before the start, with the whole file shown, which must stay in place: what decodes it at `eighths`/8 of the size, 1,
/// 2 or 4, quicker than the library and without it. SUSPENDED: not this file. Destroy it with gannet_jpeg_shrink_destroy.
gannet_jpeg_result gannet_jpeg_decoder_shrink(gannet_jpeg_decoder *decoder, int eighths, gannet_jpeg_shrink **shrink);
/// Bytes that coefficients take, which files of many scans need: of the whole picture, or of one row where the scans are joined.
size_t gannet_jpeg_decoder_coefficient_bytes(const gannet_jpeg_decoder *decoder);
/// Rows of the whole picture that are decoded at once.
int gannet_jpeg_decoder_block_rows(const gannet_jpeg_decoder *decoder);
/// The format of the output pixels: GANNET_JPEG_CMYK for four components, else GANNET_JPEG_RGBA.
gannet_jpeg_pixels gannet_jpeg_decoder_pixels(const gannet_jpeg_decoder *decoder);

/// Begins to decode at `eighths`/8 of the size. `by_scan`: output can be made several times while scans arrive.
gannet_jpeg_result gannet_jpeg_decoder_start(gannet_jpeg_decoder *decoder, int eighths, int by_scan);
/// Valid after a start that was not suspended.
int gannet_jpeg_decoder_output_width(const gannet_jpeg_decoder *decoder);
int gannet_jpeg_decoder_output_height(const gannet_jpeg_decoder *decoder);
/// Up to `count` rows, each 4 × output width bytes, `stride` apart; `*done` says how many came.
gannet_jpeg_result gannet_jpeg_decoder_read_rows(
    gannet_jpeg_decoder *decoder, uint8_t *base, size_t stride, int count, int *done);

/// Only by scan: reads all that is in the window. OK means that the end of the picture was reached.
gannet_jpeg_result gannet_jpeg_decoder_absorb(gannet_jpeg_decoder *decoder);
/// Only by scan: the scan that is being read; 0 before the first.
int gannet_jpeg_decoder_input_scan(const gannet_jpeg_decoder *decoder);
/// Only by scan: begins an output of everything up to the end of `scan`, which must have been read.
gannet_jpeg_result gannet_jpeg_decoder_start_output(gannet_jpeg_decoder *decoder, int scan);
gannet_jpeg_result gannet_jpeg_decoder_finish_output(gannet_jpeg_decoder *decoder);

/// Non-zero if the bytes ended before the end marker.
int gannet_jpeg_decoder_ended_early(const gannet_jpeg_decoder *decoder);
/// Non-zero if coefficients are still missing: components without a scan, or bits that no scan delivered.
int gannet_jpeg_decoder_is_incomplete(const gannet_jpeg_decoder *decoder);
/// Places where compressed data broke the rules (not: stray bytes between segments).
long gannet_jpeg_decoder_damages(const gannet_jpeg_decoder *decoder);
/// Everything the library complained of.
long gannet_jpeg_decoder_warnings(const gannet_jpeg_decoder *decoder);
gannet_jpeg_fault gannet_jpeg_decoder_fault(const gannet_jpeg_decoder *decoder);
/// The library's words for the failure, or for the first damage.
const char *gannet_jpeg_decoder_message(const gannet_jpeg_decoder *decoder);

typedef struct gannet_jpeg_encoder gannet_jpeg_encoder;

/// NULL if there is no memory. The file may not grow over `maximum_bytes`.
gannet_jpeg_encoder *gannet_jpeg_encoder_new(size_t maximum_bytes);
void gannet_jpeg_encoder_free(gannet_jpeg_encoder *encoder);
/// Rows of four bytes a pixel follow; the fourth is ignored. `quality` is 0 … 100; chroma is kept whole from 90 on.
gannet_jpeg_result gannet_jpeg_encoder_start(
    gannet_jpeg_encoder *encoder, int width, int height, int quality, int is_progressive, int is_optimised);
/// A segment between the start and the first row: `marker` is 0xE0 … 0xEF or 0xFE, `count` at most 65,533.
gannet_jpeg_result gannet_jpeg_encoder_write_marker(gannet_jpeg_encoder *encoder, int marker, const uint8_t *bytes, size_t count);
gannet_jpeg_result gannet_jpeg_encoder_write_rows(gannet_jpeg_encoder *encoder, const uint8_t *base, size_t stride, int count);
gannet_jpeg_result gannet_jpeg_encoder_finish(gannet_jpeg_encoder *encoder);
/// The file, after finish; owned by the encoder.
const uint8_t *gannet_jpeg_encoder_bytes(const gannet_jpeg_encoder *encoder, size_t *count);
/// Non-zero if a failure was that the file grew over its limit.
int gannet_jpeg_encoder_is_over_limit(const gannet_jpeg_encoder *encoder);
const char *gannet_jpeg_encoder_message(const gannet_jpeg_encoder *encoder);

#endif
