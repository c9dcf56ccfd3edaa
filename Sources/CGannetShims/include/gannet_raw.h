// Plain functions over LibRaw: the bytes of a raw file go in, RGB comes out, linear inside and sRGB outside. All work is done in the
// calling thread.
#ifndef GANNET_RAW_H
#define GANNET_RAW_H
#include <stddef.h>
#include <stdint.h>

/// The result of an entry function.
typedef enum {
    GANNET_RAW_OK = 0,
    GANNET_RAW_CORRUPT,
    GANNET_RAW_TRUNCATED,    // the library wanted to read behind the last byte
    GANNET_RAW_UNSUPPORTED,  // no raw file that the library knows
    GANNET_RAW_LARGE,        // more than `maximum_bytes`
    GANNET_RAW_MEMORY,
    GANNET_RAW_STOPPED  // the caller's stop function returned non-zero
} gannet_raw_result;

typedef struct {
    /// Before orientation.
    uint32_t width, height;
    /// The same where there is nothing to halve.
    uint32_t half_width, half_height;
    /// EXIF's number, 1 to 8.
    uint32_t orientation;
    /// Of a sample of the sensor, 8 to 16.
    uint32_t bits;
    /// Bytes that a decode takes, beside the file.
    uint64_t work_bytes, half_work_bytes;
    char message[96];
} gannet_raw_facts;

typedef struct gannet_raw gannet_raw;

/// Reads the header. `bytes` are only read during the call. Fills `facts`; of a failure, its message alone.
gannet_raw_result gannet_raw_read(
    const uint8_t *bytes, size_t count, int (*stop)(void *), void *context, gannet_raw_facts *facts);
/// Decodes: one pixel for each of the sensor's, or, with `is_half`, for four of them. `bytes` are only read during the call. Calls
/// `stop` between the steps, and within some. The library's copy of the sensor has at most `maximum_bytes`. `is_tolerant`: pixels that
/// could not be read have any value. The caller frees the result, which is NULL if memory is missing.
gannet_raw *gannet_raw_decode(
    const uint8_t *bytes, size_t count, int is_half, uint64_t maximum_bytes, int is_tolerant, int (*stop)(void *), void *context,
    gannet_raw_result *result);
void gannet_raw_free(gannet_raw *image);
/// The library's message about its failure. Lives as long as the image.
const char *gannet_raw_message(const gannet_raw *image);
/// True if the library met damage, and went on.
int gannet_raw_is_damaged(const gannet_raw *image);
/// Writes sRGB and opaque alpha over `width` × `height` pixels. Returns 0 if the image has another size than its header said.
int gannet_raw_write(const gannet_raw *image, int is_deep, uint8_t *base, size_t stride, uint32_t width, uint32_t height);

#endif
