// The loops in plain C: used as they are, for the ends of rows, and compiled again for better instruction sets.
#ifndef GANNET_RESAMPLE_PLAIN_H
#define GANNET_RESAMPLE_PLAIN_H
#include "gannet_resample.h"

// One rounding more or less must not depend on the instruction set.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

INLINE int16_t clamp_i16(int32_t v) { return (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v); }
INLINE int32_t clamp_to(int32_t v, int32_t top) { return v < 0 ? 0 : v > top ? top : v; }

INLINE void box_add_row_from(size_t i, uint16_t *sums, const uint8_t *row, size_t samples) {
    for (; i < samples; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
}

INLINE void box_sum_rows_from(
    size_t i, uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples) {
    for (; i < samples; i++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < count; k++) sum += rows[k * stride + i];
        sums[i] = (uint16_t)sum;
    }
}

INLINE void box_finish_plain(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows) {
    for (size_t x = 0; x < width; x += factor, out += 4) {
        size_t count = width - x < factor ? width - x : factor;
        uint32_t sum[4] = {0, 0, 0, 0};
        for (size_t k = 0; k < count; k++)
            for (size_t c = 0; c < 4; c++) sum[c] += sums[(x + k) * 4 + c];
        float scale = 64.0f / (float)(count * rows);
        for (size_t c = 0; c < 4; c++) out[c] = (int16_t)((float)sum[c] * scale + 0.5f);
    }
}

INLINE void horizontal_u8_plain(int16_t *out, const uint8_t *row, const gannet_windows *windows) {
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const uint8_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        int32_t sum[4] = {128, 128, 128, 128};
        for (size_t k = 0; k < windows->taps; k++)
            for (size_t c = 0; c < 4; c++) sum[c] += pixels[k * 4 + c] * weights[k];
        for (size_t c = 0; c < 4; c++) out[c] = clamp_i16(sum[c] >> 8);
    }
}

INLINE void horizontal_i16_plain(int16_t *out, const int16_t *row, const gannet_windows *windows) {
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        int32_t sum[4] = {8192, 8192, 8192, 8192};
        for (size_t k = 0; k < windows->taps; k++)
            for (size_t c = 0; c < 4; c++) sum[c] += pixels[k * 4 + c] * weights[k];
        for (size_t c = 0; c < 4; c++) out[c] = clamp_i16(sum[c] >> 14);
    }
}

INLINE void vertical_i16_from(
    size_t i, uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    for (; i < samples; i += 4) {
        int32_t sum[4] = {1 << 19, 1 << 19, 1 << 19, 1 << 19};
        for (size_t k = 0; k < taps; k++)
            for (size_t c = 0; c < 4; c++) sum[c] += rows[k][i + c] * weights[k];
        int32_t alpha = clamp_to(sum[3] >> 20, 255);
        for (size_t c = 0; c < 3; c++) out[i + c] = (uint8_t)clamp_to(sum[c] >> 20, alpha);
        out[i + 3] = (uint8_t)alpha;
    }
}

INLINE void horizontal_u16_plain(float *out, const uint16_t *row, const gannet_windows *windows) {
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const uint16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const float *weights = windows->float_weights + x * windows->taps;
        float sum[4] = {0, 0, 0, 0};
        for (size_t k = 0; k < windows->taps; k++)
            for (size_t c = 0; c < 4; c++) sum[c] += (float)pixels[k * 4 + c] * weights[k];
        for (size_t c = 0; c < 4; c++) out[c] = sum[c];
    }
}

INLINE void vertical_u16_plain(
    uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples) {
    enum { block = 64 };
    for (size_t start = 0; start < samples; start += block) {
        float sum[block];
        size_t count = samples - start < block ? samples - start : block;
        for (size_t i = 0; i < count; i++) sum[i] = 0.5f;
        for (size_t k = 0; k < taps; k++)
            for (size_t i = 0; i < count; i++) sum[i] += rows[k][start + i] * weights[k];
        for (size_t i = 0; i < count; i += 4) {
            int32_t alpha = clamp_to((int32_t)sum[i + 3], 65535);
            for (size_t c = 0; c < 3; c++) out[start + i + c] = (uint16_t)clamp_to((int32_t)sum[i + c], alpha);
            out[start + i + 3] = (uint16_t)alpha;
        }
    }
}

#endif
