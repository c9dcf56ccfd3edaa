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

/// By a matrix.
INLINE void turn(const float *matrix, const float *from, float *to) {
    for (int i = 0; i < 3; i++) to[i] = matrix[3 * i] * from[0] + matrix[3 * i + 1] * from[1] + matrix[3 * i + 2] * from[2];
}

/// What a pixel is made of: constants, so that each has its own loop.
typedef enum { TO_STANDARD, TO_HIGH, BY_VIDEO } mapping;

/// Less saturation, where a channel would not fit: the part of each channel's distance from `gray` (0 … 1) that there is room for.
INLINE void fit(float *rgb, float gray) {
    float most = larger(rgb[0], larger(rgb[1], rgb[2])), least = smaller(rgb[0], smaller(rgb[1], rgb[2]));
    if (most <= 1 && least >= 0) return;
    float part = 1;
    if (most > 1) part = most > gray ? (1 - gray) / (most - gray) : 0;
    if (least < 0) part = smaller(part, gray / (gray - least));
    for (int i = 0; i < 3; i++) rgb[i] = gray + part * (rgb[i] - gray);
}

/// Light of BT.2020 in, of which 1 is `peak` after `factor`; light in standard range out.
INLINE void shrink_video(const gannet_tone_map *map, float *rgb, float factor) {
    // Light that is brighter than the file says keeps its colour.
    factor /= larger(larger(rgb[0], larger(rgb[1], rgb[2])) * factor / map->peak, 1);
    for (int i = 0; i < 3; i++) {
        rgb[i] = at(map->video, fourth_root(smaller(larger(rgb[i] * factor / map->peak, 0), 1)));
    }
    float luma = smaller(map->luma[0] * rgb[0] + map->luma[1] * rgb[1] + map->luma[2] * rgb[2], 1);
    float ratio = at(map->video_ratio, luma);
    // The report takes a little of the colour, and of the luma of what is red.
    float color = ratio / 1.1f;
    float gray = luma * ratio - larger(0.1f * color * (rgb[0] - luma) / (2 - 2 * map->luma[0]), 0);
    for (int i = 0; i < 3; i++) rgb[i] = gray + color * (rgb[i] - luma);
    fit(rgb, smaller(larger(gray, 0), 1));
    for (int i = 0; i < 3; i++) rgb[i] = at(map->video_light, smaller(larger(rgb[i], 0), 1));
}

/// Signals of 0 … 1 in; signals of 0 … 1 out.
INLINE void map_pixel(const gannet_tone_map *map, float *rgb, mapping how) {
    for (int i = 0; i < 3; i++) rgb[i] = at(map->light, rgb[i]);
    if (!map->has_wide_primaries) {
        float own[3] = {rgb[0], rgb[1], rgb[2]};
        turn(map->wide, own, rgb);
    }
    float factor = 1;
    if (map->gamma) {
        factor = at(map->gamma, smaller(fourth_root(map->luma[0] * rgb[0] + map->luma[1] * rgb[1] + map->luma[2] * rgb[2]), 1));
    }
    if (how == BY_VIDEO) {
        shrink_video(map, rgb, factor);
    } else {
        float brightest = larger(rgb[0], larger(rgb[1], rgb[2])) * factor / map->peak;
        if (brightest > map->knee) factor *= at(map->shrink, fourth_root(smaller(brightest, 1))) / larger(brightest, 1);
        for (int i = 0; i < 3; i++) rgb[i] *= factor;
    }
    float out[3];
    turn(map->matrix, rgb, out);
    fit(out, smaller(larger(map->gray[0] * out[0] + map->gray[1] * out[1] + map->gray[2] * out[2], 0), 1));
    for (int i = 0; i < 3; i++) {
        float root = sqrtf(smaller(larger(out[i], 0), 1));
        rgb[i] = at(map->signal, how == TO_HIGH ? sqrtf(root) : root);
    }
}

INLINE void map_row(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep, mapping how) {
    float rgb[3];
    if (is_deep) {
        for (uint16_t *pixel = pixels, *end = pixel + 4 * count; pixel < end; pixel += 4) {
            for (int i = 0; i < 3; i++) rgb[i] = (float)pixel[i] * (1.0f / 65535);
            map_pixel(map, rgb, how);
            for (int i = 0; i < 3; i++) pixel[i] = (uint16_t)(int)(rgb[i] * 65535 + 0.5f);
        }
    } else {
        for (uint8_t *pixel = pixels, *end = pixel + 4 * count; pixel < end; pixel += 4) {
            for (int i = 0; i < 3; i++) rgb[i] = (float)pixel[i] * (1.0f / 255);
            map_pixel(map, rgb, how);
            for (int i = 0; i < 3; i++) pixel[i] = (uint8_t)(int)(rgb[i] * 255 + 0.5f);
        }
    }
}

INLINE void map_rows(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep) {
    if (map->video) {
        map_row(map, pixels, count, is_deep, BY_VIDEO);
    } else if (map->is_high) {
        map_row(map, pixels, count, is_deep, TO_HIGH);
    } else {
        map_row(map, pixels, count, is_deep, TO_STANDARD);
    }
}

/// Between which two samples of a map a pixel lies, and how far from the first; 0 and the last reach to the edges.
INLINE float place(size_t pixel, size_t count, size_t samples, size_t *first, size_t *second) {
    float where = ((float)pixel + 0.5f) * (float)samples / (float)count - 0.5f;
    where = smaller(larger(where, 0), (float)(samples - 1));
    *first = (size_t)where;
    *second = *first + 1 < samples ? *first + 1 : *first;
    return where - (float)*first;
}

INLINE void gain_pixels(
    const gannet_gain *gain, uint16_t *target, const void *base, size_t width, size_t height, size_t y, const uint8_t *map,
    size_t map_stride, size_t map_width, size_t map_height, bool to_standard) {
    const uint8_t *bytes = base;
    const uint16_t *samples = base;
    size_t top, bottom;
    float down = place(y, height, map_height, &top, &bottom);
    const uint8_t *upper = map + top * map_stride, *lower = map + bottom * map_stride;
    for (size_t x = 0; x < width; x++, bytes += 4, samples += 4, target += 4) {
        size_t left, right;
        float across = place(x, width, map_width, &left, &right);
        float light[3], turned[3];
        for (int i = 0; i < 3; i++) {
            light[i] = to_standard ? at(gain->light[i], (float)samples[i] * (1.0f / 65535)) : gain->light[i][bytes[i]];
        }
        turn(gain->before, light, turned);
        for (int i = 0; i < 3; i++) {
            float first = (float)upper[4 * left + i] + ((float)upper[4 * right + i] - (float)upper[4 * left + i]) * across;
            float second = (float)lower[4 * left + i] + ((float)lower[4 * right + i] - (float)lower[4 * left + i]) * across;
            float sample = (first + (second - first) * down) * (1.0f / 255);
            light[i] = (turned[i] + gain->base_offset[i]) * at(gain->ratio[i], smaller(sample, 1)) - gain->alternate_offset[i];
        }
        turn(gain->after, light, turned);
        if (to_standard) {
            fit(turned, smaller(larger(gain->gray[0] * turned[0] + gain->gray[1] * turned[1] + gain->gray[2] * turned[2], 0), 1));
        }
        for (int i = 0; i < 3; i++) {
            float root = sqrtf(smaller(larger(turned[i], 0), 1));
            float signal = at(gain->signal, to_standard ? root : sqrtf(root));
            target[i] = (uint16_t)(int)(signal * 65535 + 0.5f);
        }
        target[3] = 65535;
    }
}

INLINE void gain_row(
    const gannet_gain *gain, uint16_t *target, const void *base, size_t width, size_t height, size_t y, const uint8_t *map,
    size_t map_stride, size_t map_width, size_t map_height) {
    if (gain->to_standard) {
        gain_pixels(gain, target, base, width, height, y, map, map_stride, map_width, map_height, true);
    } else {
        gain_pixels(gain, target, base, width, height, y, map, map_stride, map_width, map_height, false);
    }
}

#if GANNET_X86
// The same numbers with shorter instructions: half the time.
__attribute__((target("avx2"))) static void map_row_avx2(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep) {
    map_rows(map, pixels, count, is_deep);
}

__attribute__((target("avx2"))) static void gain_row_avx2(
    const gannet_gain *gain, uint16_t *target, const void *base, size_t width, size_t height, size_t y, const uint8_t *map,
    size_t map_stride, size_t map_width, size_t map_height) {
    gain_row(gain, target, base, width, height, y, map, map_stride, map_width, map_height);
}
#endif

void gannet_tone_map_row(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        map_row_avx2(map, pixels, count, is_deep);
        return;
    }
#endif
    map_rows(map, pixels, count, is_deep);
}

void gannet_gain_row(
    const gannet_gain *gain, uint16_t *target, const void *base, size_t width, size_t height, size_t y, const uint8_t *map,
    size_t map_stride, size_t map_width, size_t map_height) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        gain_row_avx2(gain, target, base, width, height, y, map, map_stride, map_width, map_height);
        return;
    }
#endif
    gain_row(gain, target, base, width, height, y, map, map_stride, map_width, map_height);
}
