#include "gannet_tone_map.h"

#include <math.h>

#include "vectors.h"

#define INLINE static inline __attribute__((always_inline))

// The same bits on every processor.
#pragma STDC FP_CONTRACT OFF

// Without branches: neighbours differ, and are not foreseen. Unlike fminf, these are one instruction.
INLINE float smaller(float a, float b) { return a < b ? a : b; }
INLINE float larger(float a, float b) { return a > b ? a : b; }

/// `place` 0 … 1.
INLINE float at(const float *table, float place) {
    float step = place * GANNET_TONE_MAP_STEPS;
    int index = (int)smaller(step, GANNET_TONE_MAP_STEPS - 1);
    return table[index] + (table[index + 1] - table[index]) * (step - (float)index);
}

INLINE float fourth_root(float value) { return sqrtf(sqrtf(value)); }

/// Signals of 0 … 1 in; signals of 0 … 1 out.
INLINE void map_pixel(const gannet_tone_map *map, float *rgb) {
    for (int i = 0; i < 3; i++) rgb[i] = at(map->light, rgb[i]);
    float factor = 1;
    if (map->gamma) {
        factor = at(map->gamma, smaller(fourth_root(map->luma[0] * rgb[0] + map->luma[1] * rgb[1] + map->luma[2] * rgb[2]), 1));
    }
    float brightest = larger(rgb[0], larger(rgb[1], rgb[2])) * factor / map->peak;
    if (brightest > map->knee) factor *= at(map->shrink, fourth_root(smaller(brightest, 1))) / larger(brightest, 1);
    for (int i = 0; i < 3; i++) rgb[i] *= factor;
    float out[3];
    for (int i = 0; i < 3; i++) {
        const float *row = map->matrix + 3 * i;
        out[i] = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
    }
    float gray = smaller(larger(0.2126f * out[0] + 0.7152f * out[1] + 0.0722f * out[2], 0), 1);
    float most = larger(out[0], larger(out[1], out[2])), least = smaller(out[0], smaller(out[1], out[2]));
    // The part of each channel's distance from grey that sRGB has room for.
    if (most > 1 || least < 0) {
        float part = 1;
        if (most > 1) part = most > gray ? (1 - gray) / (most - gray) : 0;
        if (least < 0) part = smaller(part, gray / (gray - least));
        for (int i = 0; i < 3; i++) out[i] = gray + part * (out[i] - gray);
    }
    for (int i = 0; i < 3; i++) rgb[i] = at(map->signal, sqrtf(smaller(larger(out[i], 0), 1)));
}

INLINE void map_row(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep) {
    float rgb[3];
    if (is_deep) {
        for (uint16_t *pixel = pixels, *end = pixel + 4 * count; pixel < end; pixel += 4) {
            for (int i = 0; i < 3; i++) rgb[i] = (float)pixel[i] * (1.0f / 65535);
            map_pixel(map, rgb);
            for (int i = 0; i < 3; i++) pixel[i] = (uint16_t)(int)(rgb[i] * 65535 + 0.5f);
        }
    } else {
        for (uint8_t *pixel = pixels, *end = pixel + 4 * count; pixel < end; pixel += 4) {
            for (int i = 0; i < 3; i++) rgb[i] = (float)pixel[i] * (1.0f / 255);
            map_pixel(map, rgb);
            for (int i = 0; i < 3; i++) pixel[i] = (uint8_t)(int)(rgb[i] * 255 + 0.5f);
        }
    }
}

#if GANNET_X86
// The same numbers with shorter instructions: half the time.
__attribute__((target("avx2"))) static void map_row_avx2(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep) {
    map_row(map, pixels, count, is_deep);
}
#endif

void gannet_tone_map_row(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        map_row_avx2(map, pixels, count, is_deep);
        return;
    }
#endif
    map_row(map, pixels, count, is_deep);
}
