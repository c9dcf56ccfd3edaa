// Plain functions over libjpeg-turbo: its errors longjmp, and the jump never leaves C.
#ifndef GANNET_JPEG_H
#define GANNET_JPEG_H
#include <stddef.h>
#include <stdint.h>

#include "gannet_jpeg_shrink.h"

/// The result of an entry function.
typedef enum {
    GANNET_JPEG_FAILED = -1,     // see gannet_jpeg_decoder_fault; the session is over
    GANNET_JPEG_SUSPENDED = 0,   // the window is used up as far as possible; feed more
    GANNET_JPEG_OK = 1
} gannet_jpeg_result;

/// The cause of a failure.
typedef enum {
    GANNET_JPEG_FAULT_NONE = 0,
    GANNET_JPEG_FAULT_CORRUPT,
    GANNET_JPEG_FAULT_UNSUPPORTED,
    GANNET_JPEG_FAULT_MEMORY,
    GANNET_JPEG_FAULT_SCANS,     // more scans than allowed
    GANNET_JPEG_FAULT_STOPPED    // the caller's stop function returned non-zero
} gannet_jpeg_fault;

/// How the bytes of one image become pixels.
typedef enum {
    GANNET_JPEG_RGBA = 0,        // 4 bytes: red, green, blue, 255
    GANNET_JPEG_CMYK = 1         // 4 bytes as stored: in Adobe's files 255 is no ink
} gannet_jpeg_pixels;

typedef struct gannet_jpeg_decoder gannet_jpeg_decoder;

/// NULL if there is no memory. `stop` (may be NULL) is called between rows of blocks; non-zero ends the session. It must return
/// normally. `is_strict`: the first damage in compressed data is a failure, not a warning.
gannet_jpeg_decoder *gannet_jpeg_decoder_new(int maximum_scans, int is_strict, int (*stop)(void *), void *context);
void gannet_jpeg_decoder_free(gannet_jpeg_decoder *decoder);

/// Passes the bytes that the decoder has not read yet. They must stay in place until the next call of this function or the end.
/// `is_last`: no more follow; if the image is incomplete, an end marker is then inserted, which is recorded.
void gannet_jpeg_decoder_feed(gannet_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, int is_last);
/// The number of unread bytes at the end of the last window: pass them again, followed by more.
size_t gannet_jpeg_decoder_unread(const gannet_jpeg_decoder *decoder);
/// The number of bytes after the window that are not needed; they may be left out of the next window.
size_t gannet_jpeg_decoder_skipping(const gannet_jpeg_decoder *decoder);

/// Treats the bytes read so far as the whole file, even in the middle of a segment. Pass an empty last window next.
void gannet_jpeg_decoder_end_here(gannet_jpeg_decoder *decoder);

gannet_jpeg_result gannet_jpeg_decoder_read_header(gannet_jpeg_decoder *decoder);
/// Valid after the header.
int gannet_jpeg_decoder_width(const gannet_jpeg_decoder *decoder);
int gannet_jpeg_decoder_height(const gannet_jpeg_decoder *decoder);
int gannet_jpeg_decoder_has_many_scans(const gannet_jpeg_decoder *decoder);
/// For files of many scans, after the header, before the start, with the whole file passed: decodes the scans side by side, row
/// by row, so that no coefficients are kept, and leaves out scans that a decode at `eighths`/8 of the size does not need. The
/// pixels are the same. SUSPENDED: impossible or not worthwhile for this file, which is then decoded in the normal way.
/// `by_kernel`: a faster kernel does part of the work, but cannot give the library's result for damaged data.
gannet_jpeg_result gannet_jpeg_decoder_join_scans(gannet_jpeg_decoder *decoder, int eighths, int by_kernel);
/// After a failure, non-zero if it came from the kernel. Another decoder without the kernel can tell more.
int gannet_jpeg_decoder_gave_up(const gannet_jpeg_decoder *decoder);
/// After the header, before the start, with the whole file passed, which must stay in place: creates a kernel that decodes it at
/// `eighths`/8 of the size, faster than the library and without it. There are GANNET_JPEG_MOST_SCALES of them: 4, 2 or 1, the
/// largest first, and 0 where no more are wanted. SUSPENDED: not possible for this file. Destroy it with gannet_jpeg_shrink_destroy.
gannet_jpeg_result gannet_jpeg_decoder_shrink(gannet_jpeg_decoder *decoder, const int *eighths, gannet_jpeg_shrink **shrink);
/// After scans were joined by the kernel, before the start at 8/8: makes smaller sizes too, without reading the file once more. Their rows
/// wait once those of whole MCUs are read: after each reading of at most gannet_jpeg_decoder_block_rows rows, take them (see
/// gannet_jpeg_shrink_waiting). NULL: not possible. Destroy it after the last row.
gannet_jpeg_shrink *gannet_jpeg_decoder_shrink_beside(gannet_jpeg_decoder *decoder, const int *eighths);
/// Bytes for the coefficients of multi-scan files: of the whole image, or of one row if scans are joined.
size_t gannet_jpeg_decoder_coefficient_bytes(const gannet_jpeg_decoder *decoder);
/// Rows of the whole image that are decoded at once.
int gannet_jpeg_decoder_block_rows(const gannet_jpeg_decoder *decoder);
/// The format of the output pixels: GANNET_JPEG_CMYK for four components, else GANNET_JPEG_RGBA.
gannet_jpeg_pixels gannet_jpeg_decoder_pixels(const gannet_jpeg_decoder *decoder);

/// Starts decoding at `eighths`/8 of the size. `by_scan`: output can be produced several times while scans arrive.
gannet_jpeg_result gannet_jpeg_decoder_start(gannet_jpeg_decoder *decoder, int eighths, int by_scan);
/// Valid after a start that did not return SUSPENDED.
int gannet_jpeg_decoder_output_width(const gannet_jpeg_decoder *decoder);
int gannet_jpeg_decoder_output_height(const gannet_jpeg_decoder *decoder);
/// Reads up to `count` rows, each 4 × output width bytes, `stride` apart; `*done` is set to the number of rows read.
gannet_jpeg_result gannet_jpeg_decoder_read_rows(
    gannet_jpeg_decoder *decoder, uint8_t *base, size_t stride, int count, int *done);

/// Between the start and the first row: delivers of each row only some pixels from `*left` on, which are set to those wanted and to more of
/// them at both sides.
gannet_jpeg_result gannet_jpeg_decoder_crop(gannet_jpeg_decoder *decoder, int *left, int *width);
/// Passes over `count` rows, whose pixels are not made. Not for joined scans.
gannet_jpeg_result gannet_jpeg_decoder_skip_rows(gannet_jpeg_decoder *decoder, int count);

/// Only by scan: reads everything in the window. OK means that the end of the image was reached.
gannet_jpeg_result gannet_jpeg_decoder_absorb(gannet_jpeg_decoder *decoder);
/// Only by scan: the number of the scan being read; 0 before the first.
int gannet_jpeg_decoder_input_scan(const gannet_jpeg_decoder *decoder);
/// Only by scan: starts an output of everything up to the end of `scan`, which must have been read.
gannet_jpeg_result gannet_jpeg_decoder_start_output(gannet_jpeg_decoder *decoder, int scan);
gannet_jpeg_result gannet_jpeg_decoder_finish_output(gannet_jpeg_decoder *decoder);

/// Non-zero if the bytes ended before the end marker.
int gannet_jpeg_decoder_ended_early(const gannet_jpeg_decoder *decoder);
/// Non-zero if coefficients are still missing: components without a scan, or bits that no scan delivered.
int gannet_jpeg_decoder_is_incomplete(const gannet_jpeg_decoder *decoder);
/// The number of places where compressed data broke the rules (stray bytes between segments do not count).
long gannet_jpeg_decoder_damages(const gannet_jpeg_decoder *decoder);
/// The number of all warnings of the library.
long gannet_jpeg_decoder_warnings(const gannet_jpeg_decoder *decoder);
gannet_jpeg_fault gannet_jpeg_decoder_fault(const gannet_jpeg_decoder *decoder);
/// The library's message for the failure, or for the first damage.
const char *gannet_jpeg_decoder_message(const gannet_jpeg_decoder *decoder);

typedef struct gannet_jpeg_encoder gannet_jpeg_encoder;

/// NULL if there is no memory. The file must not exceed `maximum_bytes`.
gannet_jpeg_encoder *gannet_jpeg_encoder_new(size_t maximum_bytes);
void gannet_jpeg_encoder_free(gannet_jpeg_encoder *encoder);
/// Starts a file of rows with four bytes for each pixel; the fourth is ignored. `quality` is 0 … 100; chroma has full resolution
/// from 90 on. `is_gray`: one channel, of rows whose colours are equal.
gannet_jpeg_result gannet_jpeg_encoder_start(
    gannet_jpeg_encoder *encoder, int width, int height, int quality, int is_progressive, int is_optimised, int is_gray);
/// Writes a segment between the start and the first row: `marker` is 0xE0 … 0xEF or 0xFE, `count` at most 65,533.
gannet_jpeg_result gannet_jpeg_encoder_write_marker(gannet_jpeg_encoder *encoder, int marker, const uint8_t *bytes, size_t count);
gannet_jpeg_result gannet_jpeg_encoder_write_rows(gannet_jpeg_encoder *encoder, const uint8_t *base, size_t stride, int count);
gannet_jpeg_result gannet_jpeg_encoder_finish(gannet_jpeg_encoder *encoder);
/// The file, after finish; owned by the encoder.
const uint8_t *gannet_jpeg_encoder_bytes(const gannet_jpeg_encoder *encoder, size_t *count);
/// Non-zero if a failure means that the file exceeded its limit.
int gannet_jpeg_encoder_is_over_limit(const gannet_jpeg_encoder *encoder);
const char *gannet_jpeg_encoder_message(const gannet_jpeg_encoder *encoder);

#endif
