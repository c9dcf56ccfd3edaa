// Resampling: every level that this processor has against the plain one.
#include "vectors.h"

#include "gannet_resample.h"


/// Runs the best level, and compares every other one with it.
#define EVERY_LEVEL(out_type, out_count, call)                                                                     \
    {                                                                                                              \
        const size_t size = (out_count) * sizeof(out_type);                                                        \
        out_type *out = zeros(size);                                                                               \
        const gannet_resample_kernels *kernels = gannet_resample_best();                                           \
        call;                                                                                                      \
        note(out, size);                                                                                           \
        const out_type *best = out;                                                                                \
        for (int level = gannet_level_plain; level <= gannet_level_avx512; level++) {                              \
            kernels = gannet_resample_at(level);                                                                            \
            if (kernels == NULL) continue;                                                                         \
            out = zeros(size);                                                                                     \
            call;                                                                                                  \
            check(size == 0 || memcmp(out, best, size) == 0, "a level differs");                                   \
        }                                                                                                          \
        end_vector();                                                                                              \
    }

static void box_vectors(void) {
    group("resample.box_sum_rows");
    static const size_t counts[] = {0, 1, 2, 3, 7, 31, 256};
    for (size_t samples = 0; samples <= 148; samples += 4)
        for (size_t index = 0; index < 7; index++) {
            size_t count = counts[index], stride = samples + 3;
            const uint8_t *rows = odd_noise(stride * count + samples);
            EVERY_LEVEL(uint16_t, samples, kernels->box_sum_rows(out, rows, stride, count, samples))
        }
    group("resample.box_add_row");
    for (size_t samples = 0; samples <= 148; samples += 4) {
        const uint8_t *first = odd_noise(samples), *second = odd_noise(samples);
        EVERY_LEVEL(uint16_t, samples, {
            kernels->box_add_row(out, first, samples);
            kernels->box_add_row(out, second, samples);
        })
    }
    group("resample.box_finish");
    for (size_t width = 1; width <= 40; width += width < 12 ? 1 : 7)
        for (size_t factor = 1; factor <= 12; factor++)
            for (size_t rows = 1; rows <= 256; rows *= 3) {
                uint16_t *sums = zeros(width * 8);
                for (size_t index = 0; index < width * 4; index++) sums[index] = (uint16_t)below((uint32_t)rows * 255 + 1);
                EVERY_LEVEL(int16_t, (width + factor - 1) / factor * 4, kernels->box_finish(out, sums, width, factor, rows))
            }
}

/// Weights whose magnitudes add up to 30,000 at most, so that no sum of products is over 32 bits.
static int16_t *weights_of(size_t windows, size_t taps) {
    int16_t *weights = zeros(windows * taps * 2);
    for (size_t window = 0; window < windows; window++) {
        int32_t left = 30000;
        for (size_t k = 0; k < taps; k++) {
            int32_t weight = between(-left / 4, left * 3 / 4);
            weights[window * taps + (k * 5 + window) % taps] = (int16_t)weight;
            left -= weight < 0 ? -weight : weight;
        }
    }
    return weights;
}

static gannet_windows windows_of(size_t count, size_t taps, size_t width) {
    int32_t *starts = zeros(count * sizeof *starts);
    float *float_weights = zeros(count * taps * sizeof *float_weights);
    gannet_windows windows = {starts, weights_of(count, taps), float_weights, taps, count};
    for (size_t index = 0; index < count; index++) starts[index] = between(0, (int32_t)(width - taps));
    for (size_t index = 0; index < count * taps; index++) float_weights[index] = (float)windows.weights[index] / 16384;
    return windows;
}

static void horizontal_vectors(void) {
    for (int kind = 0; kind < 3; kind++) {
        group(kind == 0 ? "resample.horizontal_u8" : kind == 1 ? "resample.horizontal_i16" : "resample.horizontal_u16");
        for (size_t taps = 4; taps <= 24; taps += 4)
            for (size_t count = 0; count <= 18; count++) {
                const size_t width = taps + count * 2;
                gannet_windows windows = windows_of(count, taps, width);
                if (kind == 0) {
                    const size_t rows = 1 + count % 4;
                    const uint8_t *in[4];
                    for (size_t row = 0; row < rows; row++) in[row] = odd_noise(width * 4);
                    EVERY_LEVEL(int16_t, rows * count * 4, {
                        int16_t *outs[4];
                        for (size_t row = 0; row < rows; row++) outs[row] = out + row * count * 4;
                        kernels->horizontal_u8(outs, in, rows, &windows);
                    })
                } else if (kind == 1) {
                    const int16_t *row = noise(width * 8);
                    EVERY_LEVEL(int16_t, count * 4, kernels->horizontal_i16(out, row, &windows))
                } else {
                    const uint16_t *row = noise(width * 8);
                    EVERY_LEVEL(float, count * 4, kernels->horizontal_u16(out, row, &windows))
                }
            }
    }
}

static void vertical_vectors(void) {
    group("resample.vertical_i16");
    for (size_t taps = 2; taps <= 20; taps += 2)
        for (size_t samples = 0; samples <= 104; samples += 4) {
            const int16_t *rows[20], *weights = weights_of(1, taps);
            for (size_t k = 0; k < taps; k++) rows[k] = noise(samples * 2);
            EVERY_LEVEL(uint8_t, samples, kernels->vertical_i16(out, rows, weights, taps, samples))
        }
    group("resample.vertical_u16");
    for (size_t taps = 1; taps <= 9; taps++)
        for (size_t samples = 0; samples <= 140; samples += 4) {
            const float *rows[9];
            const float *weights = windows_of(1, taps, taps).float_weights;
            for (size_t k = 0; k < taps; k++) {
                float *row = zeros(samples * 4);
                for (size_t index = 0; index < samples; index++) row[index] = (float)between(-4000, 70000) / 3;
                rows[k] = row;
            }
            EVERY_LEVEL(uint16_t, samples, kernels->vertical_u16(out, rows, weights, taps, samples))
        }
}

void resample_vectors(void) {
    box_vectors();
    horizontal_vectors();
    vertical_vectors();
}
