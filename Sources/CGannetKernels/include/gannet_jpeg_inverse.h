// Inverse cosine transforms of 1, 2, 4 or 8 samples in either direction.
#ifndef GANNET_JPEG_INVERSE_H
#define GANNET_JPEG_INVERSE_H
#include <stddef.h>
#include <stdint.h>

/// Makes `across` × `down` samples of the lowest coefficients of a block.
typedef void gannet_jpeg_inverse(const int16_t *block, const uint16_t *steps, uint8_t *samples, size_t stride);

/// In plain C, for every processor. NULL: no such size.
gannet_jpeg_inverse *gannet_jpeg_inverse_plain(int across, int down);
/// The quickest for this processor. NULL: no such size.
gannet_jpeg_inverse *gannet_jpeg_inverse_for(int across, int down);

// Their names are across x down. Those of the processor's own instructions exist.
gannet_jpeg_inverse gannet_jpeg_inverse_4x4_sse2, gannet_jpeg_inverse_4x8_sse2, gannet_jpeg_inverse_8x4_sse2,
    gannet_jpeg_inverse_8x8_sse2;
gannet_jpeg_inverse gannet_jpeg_inverse_4x4_neon, gannet_jpeg_inverse_4x8_neon, gannet_jpeg_inverse_8x4_neon,
    gannet_jpeg_inverse_8x8_neon;

#endif
