#if WITH_COLORMANAGEMENT
#if !__has_include(<lcms2.h>)
#error "install liblcms2-dev"
#endif
#include "gannet_lcms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2.h>

struct gannet_lcms_transform {
    cmsContext context;
    cmsHTRANSFORM handle;
    gannet_lcms_model model;
    int is_deep;
};

static int matches(cmsColorSpaceSignature space, gannet_lcms_model model) {
    switch (model) {
    case GANNET_LCMS_RGB: return space == cmsSigRgbData;
    case GANNET_LCMS_GRAY: return space == cmsSigGrayData;
    case GANNET_LCMS_CMYK: return space == cmsSigCmykData;
    }
    return 0;
}

static cmsUInt32Number input_format(gannet_lcms_model model, int is_deep) {
    switch (model) {
    case GANNET_LCMS_GRAY: return is_deep ? TYPE_GRAY_16 : TYPE_GRAY_8;
    case GANNET_LCMS_CMYK: return TYPE_CMYK_8;
    default: return is_deep ? TYPE_RGBA_16 : TYPE_RGBA_8;
    }
}

// Whether a conversion changes no 8-bit colour by more than one step, tried on a grid.
static int is_identity(cmsContext context, cmsHPROFILE profile, cmsHPROFILE target) {
    enum { steps = 9 };
    static const cmsUInt8Number levels[steps] = {0, 16, 48, 80, 112, 144, 184, 224, 255};
    cmsHTRANSFORM handle = cmsCreateTransformTHR(
        context, profile, TYPE_RGB_8, target, TYPE_RGB_8, INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);
    if (handle == NULL) return 0;
    int same = 1;
    for (int red = 0; red < steps && same; red++) {
        for (int green = 0; green < steps && same; green++) {
            for (int blue = 0; blue < steps && same; blue++) {
                cmsUInt8Number in[3] = {levels[red], levels[green], levels[blue]};
                cmsUInt8Number out[3] = {0, 0, 0};
                cmsDoTransform(handle, in, out, 1);
                for (int channel = 0; channel < 3; channel++)
                    if (abs(in[channel] - out[channel]) > 1) same = 0;
            }
        }
    }
    cmsDeleteTransform(handle);
    return same;
}

static gannet_lcms_outcome make(
    cmsContext context, cmsHPROFILE profile, gannet_lcms_model model, int is_deep, gannet_lcms_transform **transform) {
    cmsHPROFILE target = cmsCreate_sRGBProfileTHR(context);
    if (target == NULL) return GANNET_LCMS_BROKEN;
    gannet_lcms_outcome outcome = GANNET_LCMS_BROKEN;
    if (model == GANNET_LCMS_RGB && is_identity(context, profile, target)) {
        outcome = GANNET_LCMS_NOT_NEEDED;
    } else {
        cmsHTRANSFORM handle = cmsCreateTransformTHR(
            context, profile, input_format(model, is_deep), target, is_deep ? TYPE_RGBA_16 : TYPE_RGBA_8,
            INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE);
        gannet_lcms_transform *made = handle == NULL ? NULL : malloc(sizeof *made);
        if (made != NULL) {
            *made = (gannet_lcms_transform){context, handle, model, is_deep};
            *transform = made;
            outcome = GANNET_LCMS_READY;
        } else if (handle != NULL) {
            cmsDeleteTransform(handle);
        }
    }
    cmsCloseProfile(target);
    return outcome;
}

// A separate context keeps the errors of a broken profile away from other users of the library.
static gannet_lcms_outcome finish(
    cmsContext context, cmsHPROFILE profile, gannet_lcms_model model, int is_deep, gannet_lcms_transform **transform) {
    gannet_lcms_outcome outcome = make(context, profile, model, is_deep, transform);
    cmsCloseProfile(profile);
    if (outcome != GANNET_LCMS_READY) cmsDeleteContext(context);
    return outcome;
}

static uint32_t number_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Only these tags can hold chains of steps ("mpet"), of any length, all of which are applied to each colour. Without them the
// profile's tables or curves are used, as in programs that do not know such chains.
static void hide_chains(uint8_t *profile, size_t count) {
    enum { table = 128, entry = 12 };
    if (count < table + 4) return;
    const size_t room = (count - table - 4) / entry, said = number_at(profile + table);
    for (size_t index = 0; index < (said < room ? said : room); index++) {
        uint8_t *name = profile + table + 4 + index * entry;
        if ((memcmp(name, "D2B", 3) == 0 || memcmp(name, "B2D", 3) == 0) && name[3] >= '0' && name[3] <= '3')
            // A unique name for each: the library refuses tables in which a name occurs twice.
            memcpy(name, (uint8_t[]){'n', 'o', (uint8_t)(index >> 8), (uint8_t)index}, 4);
    }
}

gannet_lcms_outcome gannet_lcms_from_icc(
    const uint8_t *bytes, size_t count, gannet_lcms_model model, int is_deep, gannet_lcms_transform **transform) {
    if (count < 128 || count > UINT32_MAX || (model == GANNET_LCMS_CMYK && is_deep)) return GANNET_LCMS_BROKEN;
    uint8_t *copy = malloc(count);
    if (copy == NULL) return GANNET_LCMS_BROKEN;
    memcpy(copy, bytes, count);
    hide_chains(copy, count);
    cmsContext context = cmsCreateContext(NULL, NULL);
    // The library makes its own copy.
    cmsHPROFILE profile = context == NULL ? NULL : cmsOpenProfileFromMemTHR(context, copy, (cmsUInt32Number)count);
    free(copy);
    if (context == NULL) return GANNET_LCMS_BROKEN;
    if (profile == NULL || !matches(cmsGetColorSpace(profile), model) || cmsGetDeviceClass(profile) == cmsSigLinkClass
        || cmsGetDeviceClass(profile) == cmsSigNamedColorClass) {
        if (profile != NULL) cmsCloseProfile(profile);
        cmsDeleteContext(context);
        return GANNET_LCMS_BROKEN;
    }
    return finish(context, profile, model, is_deep, transform);
}

// ITU-T H.273, table 2: chromaticities of red, green, blue and white.
static int primaries_of(int code, cmsCIExyY *white, cmsCIExyYTRIPLE *primaries) {
    static const struct {
        int code;
        double red[2], green[2], blue[2], white[2];
    } table[] = {
        {1, {0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}, {0.3127, 0.3290}},
        {2, {0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}, {0.3127, 0.3290}},
        {4, {0.67, 0.33}, {0.21, 0.71}, {0.14, 0.08}, {0.310, 0.316}},
        {5, {0.64, 0.33}, {0.29, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}},
        {6, {0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, {0.3127, 0.3290}},
        {7, {0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, {0.3127, 0.3290}},
        {8, {0.681, 0.319}, {0.243, 0.692}, {0.145, 0.049}, {0.310, 0.316}},
        {9, {0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, {0.3127, 0.3290}},
        {11, {0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.314, 0.351}},
        {12, {0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.3127, 0.3290}},
        {22, {0.630, 0.340}, {0.295, 0.605}, {0.155, 0.077}, {0.3127, 0.3290}},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        if (table[index].code != code) continue;
        *white = (cmsCIExyY){table[index].white[0], table[index].white[1], 1};
        primaries->Red = (cmsCIExyY){table[index].red[0], table[index].red[1], 1};
        primaries->Green = (cmsCIExyY){table[index].green[0], table[index].green[1], 1};
        primaries->Blue = (cmsCIExyY){table[index].blue[0], table[index].blue[1], 1};
        return 1;
    }
    return 0;
}

// Light of 203 cd/m² is the white of an SDR image (ITU-R BT.2408); brighter light is clipped.
static double pq_light(double signal) {
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128, c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;
    double root = pow(signal, 1 / m2);
    double top = root > c1 ? root - c1 : 0;
    return fmin(1, pow(top / (c2 - c3 * root), 1 / m1) * 10000 / 203);
}

// The signal 0.75 is the white of an SDR image (ITU-R BT.2408); the system gamma is omitted.
static double hlg_light(double signal) {
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    double light = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
    double white = (exp((0.75 - c) / a) + b) / 12;
    return fmin(1, light / white);
}

// ITU-T H.273, table 3. BT.709's camera curve is shown on the same displays as sRGB, and is read as sRGB.
static cmsToneCurve *curve_of(cmsContext context, int code) {
    switch (code) {
    case 1: case 2: case 6: case 13: case 14: case 15: {
        const cmsFloat64Number parameters[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
        return cmsBuildParametricToneCurve(context, 4, parameters);
    }
    case 4: return cmsBuildGamma(context, 2.2);
    case 5: return cmsBuildGamma(context, 2.8);
    case 8: return cmsBuildGamma(context, 1);
    case 17: return cmsBuildGamma(context, 2.6);
    case 16: case 18: {
        enum { entries = 4096 };
        cmsFloat32Number *table = malloc(entries * sizeof *table);
        if (table == NULL) return NULL;
        for (int index = 0; index < entries; index++) {
            double signal = (double)index / (entries - 1);
            table[index] = (cmsFloat32Number)(code == 16 ? pq_light(signal) : hlg_light(signal));
        }
        cmsToneCurve *curve = cmsBuildTabulatedToneCurveFloat(context, entries, table);
        free(table);
        return curve;
    }
    default: return NULL;
    }
}

gannet_lcms_outcome gannet_lcms_from_cicp(int primaries, int transfer, int is_deep, gannet_lcms_transform **transform) {
    cmsCIExyY white;
    cmsCIExyYTRIPLE triple;
    if (!primaries_of(primaries, &white, &triple)) return GANNET_LCMS_UNKNOWN;
    cmsContext context = cmsCreateContext(NULL, NULL);
    if (context == NULL) return GANNET_LCMS_BROKEN;
    cmsToneCurve *curve = curve_of(context, transfer);
    if (curve == NULL) {
        cmsDeleteContext(context);
        return GANNET_LCMS_UNKNOWN;
    }
    cmsToneCurve *curves[3] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfileTHR(context, &white, &triple, curves);
    cmsFreeToneCurve(curve);
    if (profile == NULL) {
        cmsDeleteContext(context);
        return GANNET_LCMS_BROKEN;
    }
    return finish(context, profile, GANNET_LCMS_RGB, is_deep, transform);
}

void gannet_lcms_apply(const gannet_lcms_transform *transform, void *pixels, size_t count) {
    enum { block = 512 };
    while (count > 0) {
        size_t now = count < block ? count : block;
        if (transform->model == GANNET_LCMS_GRAY && transform->is_deep) {
            uint16_t gray[block];
            uint16_t *row = pixels;
            for (size_t x = 0; x < now; x++) gray[x] = row[4 * x];
            cmsDoTransform(transform->handle, gray, pixels, (cmsUInt32Number)now);
        } else if (transform->model == GANNET_LCMS_GRAY) {
            uint8_t gray[block];
            uint8_t *row = pixels;
            for (size_t x = 0; x < now; x++) gray[x] = row[4 * x];
            cmsDoTransform(transform->handle, gray, pixels, (cmsUInt32Number)now);
        } else {
            cmsDoTransform(transform->handle, pixels, pixels, (cmsUInt32Number)now);
        }
        if (transform->model == GANNET_LCMS_CMYK) {
            uint8_t *row = pixels;
            for (size_t x = 0; x < now; x++) row[4 * x + 3] = 255;
        }
        pixels = (uint8_t *)pixels + now * (transform->is_deep ? 8 : 4);
        count -= now;
    }
}

void gannet_lcms_free(gannet_lcms_transform *transform) {
    if (transform == NULL) return;
    cmsDeleteTransform(transform->handle);
    cmsDeleteContext(transform->context);
    free(transform);
}

#endif
