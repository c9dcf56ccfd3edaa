// LZW of GIF (GIF89a specification, appendix F): codes of 2 to 12 bits, lowest bit first, in pieces of any size.
#ifndef GANNET_GIF_LZW_H
#define GANNET_GIF_LZW_H
#include <stddef.h>
#include <stdint.h>

typedef struct gannet_gif_lzw gannet_gif_lzw;

typedef enum {
    /// The input was used up and the output is not full.
    GANNET_GIF_LZW_MORE = 0,
    /// The end code came, or the output is full.
    GANNET_GIF_LZW_DONE = 1,
    /// A code that cannot be.
    GANNET_GIF_LZW_CORRUPT = 2
} gannet_gif_lzw_status;

/// NULL if there is no memory or `code_bits` is not in 1 … 11. Holds 33 KiB.
gannet_gif_lzw *gannet_gif_lzw_create(unsigned code_bits);
void gannet_gif_lzw_destroy(gannet_gif_lzw *lzw);

/// Decodes `count` bytes. Pass the same output in each call: strings are copied from earlier output. Never writes at or beyond
/// `output + capacity`, and uses no output that was not written.
gannet_gif_lzw_status gannet_gif_lzw_feed(
    gannet_gif_lzw *lzw, const uint8_t *input, size_t count, uint8_t *output, size_t capacity);

/// Indices written so far.
size_t gannet_gif_lzw_written(const gannet_gif_lzw *lzw);

/// `pixels[i] = palette[indices[i]]`; `palette` has 256 entries.
void gannet_gif_expand(uint32_t *pixels, const uint8_t *indices, size_t count, const uint32_t *palette);

/// The same, but leaves pixels alone whose index is `transparent`.
void gannet_gif_blend(
    uint32_t *pixels, const uint8_t *indices, size_t count, const uint32_t *palette, uint8_t transparent);

/// Upper bound of what `gannet_gif_lzw_encode` writes for `count` indices.
size_t gannet_gif_lzw_bound(size_t count);

/// Writes the LZW stream of `count` indices, each below `1 << code_bits`, cut into sub-blocks with the closing empty one.
/// `output` holds at least `gannet_gif_lzw_bound(count)` bytes. Answers the bytes written; 0 if there is no memory.
size_t gannet_gif_lzw_encode(const uint8_t *indices, size_t count, unsigned code_bits, uint8_t *output);

#endif
