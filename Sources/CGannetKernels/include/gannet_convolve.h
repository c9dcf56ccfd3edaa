// Symmetric weights around each pixel, for small blurs.
// "8.6" is a signed 16-bit number with 6 fractional bits. Weights are 0 … 16384; `weights[k]` is that of both pixels `k` away,
// `weights[0]` that of the pixel itself, and all of them, those of a pair twice, add up to 16384.
#ifndef GANNET_CONVOLVE_H
#define GANNET_CONVOLVE_H
#include "gannet_level.h"
#include <stddef.h>
#include <stdint.h>

typedef struct {
    /// Bytes to 8.6: `rows` holds the addresses of 2 · reach + 1 rows, from top to bottom.
    void (*vertical)(int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t reach, size_t samples);
    /// 8.6 to bytes along a row; `reach` pixels before and after it are read. No channel gets above alpha.
    void (*horizontal)(uint8_t *out, const int16_t *row, const int16_t *weights, size_t reach, size_t samples);
} gannet_convolve_kernels;

/// NULL where the processor or the architecture has no such level.
const gannet_convolve_kernels *gannet_convolve_at(int level);

#endif
