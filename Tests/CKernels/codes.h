// Prefix codes, and streams that use them.
#ifndef GANNET_TEST_CODES_H
#define GANNET_TEST_CODES_H
#include <stddef.h>
#include <stdint.h>

/// Lengths of a random complete prefix code: `count` of them, at least 1, none above `longest`. The longest possible length occurs if
/// `count` is large enough.
void code_lengths(uint8_t *lengths, size_t count, unsigned longest);

typedef struct {
    uint8_t *stream;
    size_t stream_count;
    uint8_t *plain;
    size_t plain_count;
} packed;

/// A random zlib stream with stored, fixed and dynamic blocks, and the bytes that it unpacks to: at most `room`.
packed random_zlib_stream(size_t room);

#endif
