// Unpacking of zlib streams (RFC 1950, RFC 1951) in pieces of any size, in and out. Checksums are the caller's.
#ifndef GANNET_INFLATE_H
#define GANNET_INFLATE_H
#include <stddef.h>
#include <stdint.h>

typedef struct gannet_inflate gannet_inflate;

typedef enum {
    /// The output is full, or the input is used up: compare the counts.
    GANNET_INFLATE_MORE = 0,
    /// The end of the stream was read; everything was delivered.
    GANNET_INFLATE_END = 1,
    /// The stream breaks the rules. All output so far is correct.
    GANNET_INFLATE_CORRUPT = 2
} gannet_inflate_status;

/// NULL if there is no memory. Holds about 150 KiB.
gannet_inflate *gannet_inflate_create(void);
void gannet_inflate_destroy(gannet_inflate *inflate);
/// Another one in the same state. NULL if there is no memory.
gannet_inflate *gannet_inflate_copy(const gannet_inflate *inflate);
/// The bytes that each one has.
size_t gannet_inflate_bytes(void);

/// Reads at most `*input_count` bytes from `*input`, and writes at most `*count` bytes to `output`, or nowhere if that is NULL. Moves
/// `*input` past the bytes that were read, and sets `*input_count` to the bytes left and `*count` to the bytes written.
gannet_inflate_status gannet_inflate_read(
    gannet_inflate *inflate, const uint8_t **input, size_t *input_count, uint8_t *output, size_t *count);

/// After the end: the Adler-32 that the stream names.
uint32_t gannet_inflate_checksum(const gannet_inflate *inflate);
/// Describes the fault in a corrupt stream.
const char *gannet_inflate_message(const gannet_inflate *inflate);

#endif
