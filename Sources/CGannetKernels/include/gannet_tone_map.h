#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Entries of each table but the last, which stands at one: values between two are interpolated.
#define GANNET_TONE_MAP_STEPS 4096

/// How light brighter than white becomes sRGB, or PQ with less of it. The tables have GANNET_TONE_MAP_STEPS + 1 entries, belong to the caller, and are only read.
typedef struct {
    /// By the signal: light, where 1 is the white of an image in standard range.
    const float *light;
    /// By the fourth root of the luminance: a factor for each pixel (the system gamma of HLG). NULL: none.
    const float *gamma;
    /// By the fourth root of the brightest channel's light over `peak`: a factor for each pixel, so that no channel is more than 1.
    const float *shrink;
    /// Not NULL: video signals are shrunk by their luma, in place of light by its brightest channel (ITU-R BT.2446-1, method A). By the
    /// fourth root of a channel's light over `peak`: its signal.
    const float *video;
    /// By the luma of such signals: the new luma over it.
    const float *video_ratio;
    /// By the new signal: light.
    const float *video_light;
    /// By the square root of the light, or its fourth root in high range: the new signal.
    const float *signal;
    /// Light that is brighter is as bright.
    float peak;
    /// A part of `peak`, 0 … 1, up to which the factor is 1.
    float knee;
    /// To the primaries of BT.2020, by rows, for sources that have others.
    float wide[9];
    bool has_wide_primaries;
    /// From there to the new primaries.
    float matrix[9];
    /// The luminance of BT.2020's primaries.
    float luma[3];
    /// The luminance of the new ones.
    float gray[3];
    /// `signal` has more than white, and its steps are those of light that is far darker.
    bool is_high;
} gannet_tone_map;

/// `count` pixels of four samples in place, of 16 bits or of 8. The fourth stays. Colours outside of the new primaries keep hue and
/// luminance, and lose saturation.
void gannet_tone_map_row(const gannet_tone_map *map, void *pixels, size_t count, bool is_deep);

/// How a gain map makes an image brighter, or standard range of a brighter one (ISO 21496-1). The tables belong to the caller, and are only
/// read.
typedef struct {
    /// By the byte of each channel: light, where 1 is white. 256 entries each; to standard range GANNET_TONE_MAP_STEPS + 1, by the sample.
    const float *light[3];
    /// By the sample of each channel of the map, 0 … 1: the factor of light. GANNET_TONE_MAP_STEPS + 1 entries each.
    const float *ratio[3];
    /// By the fourth root of light over the brightest that there is: the signal of PQ. To standard range by the square root of light: that of
    /// sRGB. GANNET_TONE_MAP_STEPS + 1 entries.
    const float *signal;
    /// To the primaries that the ratios are for, and from there to those of the result, over the brightest light. By rows.
    float before[9], after[9];
    /// Added before the multiplication, and subtracted after it.
    float base_offset[3], alternate_offset[3];
    /// The image is the brighter one, and has 16 bits.
    bool to_standard;
    /// The luminance of the result's primaries, where that is standard range.
    float gray[3];
} gannet_gain;

/// The row `y` of an opaque image of 8 bits, or of 16 to standard range, with 16, changed by a map of the sizes given, which lies over all of
/// the image.
void gannet_gain_row(
    const gannet_gain *gain, uint16_t *target, const void *base, size_t width, size_t height, size_t y, const uint8_t *map,
    size_t map_stride, size_t map_width, size_t map_height);
