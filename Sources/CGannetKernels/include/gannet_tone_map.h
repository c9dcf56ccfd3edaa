#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Entries of each table but the last, which stands at one: values between two are interpolated.
#define GANNET_TONE_MAP_STEPS 4096

/// How light brighter than white becomes sRGB. The tables have GANNET_TONE_MAP_STEPS + 1 entries, belong to the caller, and are only read.
typedef struct {
    /// By the signal: light, where 1 is the white of an image in standard range.
    const float *light;
    /// By the fourth root of the luminance: a factor for each pixel (the system gamma of HLG). NULL: none.
    const float *gamma;
    /// By the fourth root of the brightest channel's light over `peak`: a factor for each pixel, so that no channel is more than 1.
    const float *shrink;
    /// By the square root of the light: the signal of sRGB.
    const float *signal;
    /// Light that is brighter is as bright.
    float peak;
    /// A part of `peak`, 0 … 1, up to which the factor is 1.
    float knee;
    /// To the primaries of sRGB, by rows.
    float matrix[9];
    /// The luminance of the source's primaries.
    float luma[3];
} gannet_tone_map;

/// `count` pixels of four samples in place, of 16 bits or of 8. The fourth stays. Colours outside of sRGB keep hue and luminance, and
/// lose saturation.
void gannet_tone_map_row(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep);
