// W3C Compositing and Blending Level 1: co = cs·αs·Fa + cb·αb·Fb, on premultiplied colours between 0 and 1.
#include "gannet_paint.h"
#include <math.h>
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

typedef struct { float r, g, b; } rgb;

INLINE float least(float a, float b) { return a < b ? a : b; }
INLINE float most(float a, float b) { return a > b ? a : b; }

/// B(cb, cs) for straight colours.
INLINE float separable(int mode, float b, float s) {
    switch (mode) {
    case gannet_blend_multiply: return b * s;
    case gannet_blend_screen: return b + s - b * s;
    case gannet_blend_overlay: return b <= 0.5f ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s);
    case gannet_blend_darken: return least(b, s);
    case gannet_blend_lighten: return most(b, s);
    case gannet_blend_color_dodge: return b <= 0 ? 0 : s >= 1 ? 1 : least(1, b / (1 - s));
    case gannet_blend_color_burn: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - least(1, (1 - b) / s);
    case gannet_blend_soft_light: {
        if (s <= 0.5f) return b - (1 - 2 * s) * b * (1 - b);
        float d = b <= 0.25f ? ((16 * b - 12) * b + 4) * b : sqrtf(b);
        return b + (2 * s - 1) * (d - b);
    }
    case gannet_blend_hard_light: return s <= 0.5f ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s);
    case gannet_blend_difference: return fabsf(b - s);
    case gannet_blend_exclusion: return b + s - 2 * b * s;
    default: return s;
    }
}

static float luminosity(rgb c) { return 0.3f * c.r + 0.59f * c.g + 0.11f * c.b; }
static float lowest(rgb c) { return least(c.r, least(c.g, c.b)); }
static float highest(rgb c) { return most(c.r, most(c.g, c.b)); }

static rgb with_luminosity(rgb c, float wanted) {
    float d = wanted - luminosity(c);
    c.r += d, c.g += d, c.b += d;
    float l = luminosity(c), low = lowest(c), high = highest(c);
    if (low < 0 && l > low) {
        float f = l / (l - low);
        c.r = l + (c.r - l) * f, c.g = l + (c.g - l) * f, c.b = l + (c.b - l) * f;
    }
    if (high > 1 && high > l) {
        float f = (1 - l) / (high - l);
        c.r = l + (c.r - l) * f, c.g = l + (c.g - l) * f, c.b = l + (c.b - l) * f;
    }
    return c;
}

static float saturation(rgb c) { return highest(c) - lowest(c); }

static rgb with_saturation(rgb c, float wanted) {
    float low = lowest(c), range = highest(c) - low;
    if (range <= 0) return (rgb){0, 0, 0};
    float f = wanted / range;
    return (rgb){(c.r - low) * f, (c.g - low) * f, (c.b - low) * f};
}

static rgb whole_color(int mode, rgb b, rgb s) {
    switch (mode) {
    case gannet_blend_hue: return with_luminosity(with_saturation(s, saturation(b)), luminosity(b));
    case gannet_blend_saturation: return with_luminosity(with_saturation(b, saturation(s)), luminosity(b));
    case gannet_blend_color: return with_luminosity(s, luminosity(b));
    default: return with_luminosity(b, luminosity(s));
    }
}

INLINE float factor_of_source(int mode, float backdrop_alpha) {
    switch (mode) {
    case gannet_blend_source: case gannet_blend_source_over: case gannet_blend_plus: return 1;
    case gannet_blend_destination_over: case gannet_blend_source_out: case gannet_blend_destination_atop:
    case gannet_blend_xor: return 1 - backdrop_alpha;
    case gannet_blend_source_in: case gannet_blend_source_atop: return backdrop_alpha;
    default: return 0;
    }
}

INLINE float factor_of_backdrop(int mode, float source_alpha) {
    switch (mode) {
    case gannet_blend_destination: case gannet_blend_destination_over: case gannet_blend_plus: return 1;
    case gannet_blend_source_over: case gannet_blend_destination_out: case gannet_blend_source_atop:
    case gannet_blend_xor: return 1 - source_alpha;
    case gannet_blend_destination_in: case gannet_blend_destination_atop: return source_alpha;
    default: return 0;
    }
}

INLINE uint32_t blend_pixel(int mode, uint32_t under, uint32_t over, float strength) {
    const float unit = 1.0f / 255;
    float ab = (float)(under >> 24) * unit, as = (float)(over >> 24) * unit * strength;
    float b[3], s[3], out[3], alpha;
    for (int c = 0; c < 3; c++) {
        b[c] = (float)(under >> (8 * c) & 255) * unit;
        s[c] = (float)(over >> (8 * c) & 255) * unit * strength;
    }
    if (mode < gannet_blend_multiply) {
        float fs = factor_of_source(mode, ab), fb = factor_of_backdrop(mode, as);
        alpha = as * fs + ab * fb;
        for (int c = 0; c < 3; c++) out[c] = s[c] * fs + b[c] * fb;
    } else {
        float us = as > 0 ? 1 / as : 0, ub = ab > 0 ? 1 / ab : 0;
        alpha = as + ab - as * ab;
        float mixed[3];
        if (mode >= gannet_blend_hue) {
            rgb m = whole_color(mode, (rgb){b[0] * ub, b[1] * ub, b[2] * ub}, (rgb){s[0] * us, s[1] * us, s[2] * us});
            mixed[0] = m.r, mixed[1] = m.g, mixed[2] = m.b;
        } else {
            for (int c = 0; c < 3; c++) mixed[c] = separable(mode, least(b[c] * ub, 1), least(s[c] * us, 1));
        }
        for (int c = 0; c < 3; c++) out[c] = s[c] * (1 - ab) + b[c] * (1 - as) + as * ab * mixed[c];
    }
    uint32_t a = (uint32_t)(least(most(alpha, 0), 1) * 255 + 0.5f), result = a << 24;
    for (int c = 0; c < 3; c++) {
        uint32_t v = (uint32_t)(least(most(out[c], 0), 1) * 255 + 0.5f);
        result |= (v > a ? a : v) << (8 * c);
    }
    return result;
}

INLINE void blend_all(
    int mode, uint32_t *backdrop, const uint32_t *source, size_t step, const uint8_t *mask, size_t count, float opacity) {
    for (size_t i = 0; i < count; i++)
        backdrop[i] = blend_pixel(mode, backdrop[i], source[i * step], mask ? opacity * (float)mask[i] / 255 : opacity);
}

// Each mode gets its own loop, without a branch on the mode inside.
#define LOOP(mode) case mode: blend_all(mode, backdrop, source, step, mask, count, opacity); break;

void gannet_blend(
    uint32_t *backdrop, const uint32_t *source, size_t step, const uint8_t *mask, size_t count, int mode, float opacity) {
    switch (mode) {
        LOOP(gannet_blend_clear)
        LOOP(gannet_blend_source)
        LOOP(gannet_blend_destination)
        LOOP(gannet_blend_source_over)
        LOOP(gannet_blend_destination_over)
        LOOP(gannet_blend_source_in)
        LOOP(gannet_blend_destination_in)
        LOOP(gannet_blend_source_out)
        LOOP(gannet_blend_destination_out)
        LOOP(gannet_blend_source_atop)
        LOOP(gannet_blend_destination_atop)
        LOOP(gannet_blend_xor)
        LOOP(gannet_blend_plus)
        LOOP(gannet_blend_multiply)
        LOOP(gannet_blend_screen)
        LOOP(gannet_blend_overlay)
        LOOP(gannet_blend_darken)
        LOOP(gannet_blend_lighten)
        LOOP(gannet_blend_color_dodge)
        LOOP(gannet_blend_color_burn)
        LOOP(gannet_blend_soft_light)
        LOOP(gannet_blend_hard_light)
        LOOP(gannet_blend_difference)
        LOOP(gannet_blend_exclusion)
    default:
        for (size_t i = 0; i < count; i++)
            backdrop[i] = blend_pixel(mode, backdrop[i], source[i * step], mask ? opacity * (float)mask[i] / 255 : opacity);
    }
}
