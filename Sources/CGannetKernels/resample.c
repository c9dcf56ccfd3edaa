#include "resample_plain.h"
#include "vectors.h"
#include <stdbool.h>

static void box_sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples) {
    box_sum_rows_from(0, sums, rows, stride, count, samples);
}
static void box_add_row(uint16_t *sums, const uint8_t *row, size_t samples) { box_add_row_from(0, sums, row, samples); }
static void box_finish(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows) {
    box_finish_plain(out, sums, width, factor, rows);
}
static void horizontal_u8(int16_t *const *outs, const uint8_t *const *rows, size_t count, const gannet_windows *windows) {
    for (size_t row = 0; row < count; row++) horizontal_u8_plain(outs[row], rows[row], windows);
}
static void horizontal_i16(int16_t *out, const int16_t *row, const gannet_windows *windows) {
    horizontal_i16_plain(out, row, windows);
}
static void vertical_i16(uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    vertical_i16_from(0, out, rows, weights, taps, samples);
}
static void horizontal_u16(float *out, const uint16_t *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}
static void vertical_u16(uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}

gannet_level gannet_level_best(void) {
#if GANNET_X86
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? gannet_level_avx2 : gannet_level_sse2;
#elif GANNET_NEON
    return gannet_level_neon;
#else
    return gannet_level_plain;
#endif
}

static const gannet_resample_kernels plain = {
    box_sum_rows, box_add_row, box_finish, horizontal_u8, horizontal_i16, vertical_i16, horizontal_u16, vertical_u16,
};

#if GANNET_X86
extern const gannet_resample_kernels gannet_resample_sse2, gannet_resample_avx2, gannet_resample_avx512;

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
        && __builtin_cpu_supports("avx512vnni");
}

const gannet_resample_kernels *gannet_resample_at(int level) {
    switch (level) {
    case gannet_level_plain: return &plain;
    case gannet_level_sse2: return &gannet_resample_sse2;
    case gannet_level_avx2: return gannet_level_best() == gannet_level_avx2 ? &gannet_resample_avx2 : NULL;
    case gannet_level_avx512: return has_avx512() ? &gannet_resample_avx512 : NULL;
    default: return NULL;
    }
}

const gannet_resample_kernels *gannet_resample_best(void) {
    for (int level = gannet_level_avx512; level > gannet_level_sse2; level--) {
        const gannet_resample_kernels *best = gannet_resample_at(level);
        if (best) return best;
    }
    return &gannet_resample_sse2;
}
#elif GANNET_NEON
extern const gannet_resample_kernels gannet_resample_neon;

const gannet_resample_kernels *gannet_resample_at(int level) {
    return level == gannet_level_plain ? &plain : level == gannet_level_neon ? &gannet_resample_neon : NULL;
}
const gannet_resample_kernels *gannet_resample_best(void) { return &gannet_resample_neon; }
#else
const gannet_resample_kernels *gannet_resample_at(int level) { return level == gannet_level_plain ? &plain : NULL; }
const gannet_resample_kernels *gannet_resample_best(void) { return &plain; }
#endif
