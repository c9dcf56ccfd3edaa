// Resampling of RGBA rows: box sums, weighted sums along a row, then weighted sums of rows.
// "8.6" is a signed 16-bit number with 6 fractional bits: 255 is 16320. Weights are signed with 14 fractional bits and add
// up to 16384. A sample is one channel of one pixel.
#ifndef GANNET_RESAMPLE_H
#define GANNET_RESAMPLE_H
#include "gannet_level.h"
#include <stddef.h>
#include <stdint.h>

/// Horizontal windows: output pixel `x` reads `taps` pixels from `starts[x]`, with weights from `weights + x * taps`.
/// `taps` is a multiple of 4; where a window is narrower, its other weights are 0, but its pixels are read nevertheless.
typedef struct {
    const int32_t *starts;
    const int16_t *weights;
    const float *float_weights;
    size_t taps;
    size_t count;
} gannet_windows;

typedef struct {
    /// sums[i] = rows[0][i] + … for `count` ≤ 256 rows, `stride` bytes apart.
    void (*box_sum_rows)(uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples);
    /// sums[i] += row[i].
    void (*box_add_row)(uint16_t *sums, const uint8_t *row, size_t samples);
    /// Mean of `factor` pixels at a time (the last group may be smaller) of sums over `rows` rows, as 8.6.
    void (*box_finish)(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows);
    /// Weighted sums along `count` ≤ 4 rows, bytes to 8.6.
    void (*horizontal_u8)(int16_t *const *outs, const uint8_t *const *rows, size_t count, const gannet_windows *windows);
    /// The same along one row from 8.6 to 8.6.
    void (*horizontal_i16)(int16_t *out, const int16_t *row, const gannet_windows *windows);
    /// out = Σ rows[k] · weights[k], 8.6 to bytes; no channel gets above alpha. `taps` is even, `samples` a multiple of 4.
    void (*vertical_i16)(uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples);
    /// The same for 16-bit channels, in floating point.
    void (*horizontal_u16)(float *out, const uint16_t *row, const gannet_windows *windows);
    void (*vertical_u16)(uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples);
} gannet_resample_kernels;

/// The best that this processor can do.
const gannet_resample_kernels *gannet_resample_best(void);
/// For tests: NULL where the processor or the architecture has no such level.
const gannet_resample_kernels *gannet_resample_at(int level);

#endif
