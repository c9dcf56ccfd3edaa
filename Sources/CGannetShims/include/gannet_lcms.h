// Little CMS: its pixel formats are macros that Swift cannot import.
#ifndef GANNET_LCMS_H
#define GANNET_LCMS_H
#include <stddef.h>
#include <stdint.h>

/// The colour model of an image before the conversion.
typedef enum {
    GANNET_LCMS_RGB = 0,
    GANNET_LCMS_GRAY = 1,   // in pixels of four equal channels, the first of which is read
    GANNET_LCMS_CMYK = 2    // four bytes, 0 is no ink
} gannet_lcms_model;

typedef enum {
    GANNET_LCMS_READY = 0,
    GANNET_LCMS_NOT_NEEDED = 1,   // the profile is sRGB, or as close as 8 bits can tell
    GANNET_LCMS_BROKEN = 2,       // the profile cannot be read, or is for another model
    GANNET_LCMS_UNKNOWN = 3       // unknown code points
} gannet_lcms_outcome;

/// A conversion to sRGB. May be used by several threads at once.
typedef struct gannet_lcms_transform gannet_lcms_transform;

/// From an ICC profile. `is_deep`: 16 bits for each channel, native byte order; else 8. `*transform` is set only if the outcome
/// is READY.
gannet_lcms_outcome gannet_lcms_from_icc(
    const uint8_t *profile, size_t count, gannet_lcms_model model, int is_deep, gannet_lcms_transform **transform);
/// From code points of ITU-T H.273, for full-range RGB.
gannet_lcms_outcome gannet_lcms_from_cicp(
    int primaries, int transfer, int is_deep, gannet_lcms_transform **transform);
/// Converts `count` pixels of four channels in place, straight or opaque. Alpha stays; for inks it becomes the maximum.
void gannet_lcms_apply(const gannet_lcms_transform *transform, void *pixels, size_t count);
void gannet_lcms_free(gannet_lcms_transform *transform);

#endif
