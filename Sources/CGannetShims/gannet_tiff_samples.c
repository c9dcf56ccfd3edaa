#if WITH_TIFF
#if !__has_include(<tiffio.h>)
#error "install libtiff-dev"
#endif
#include <math.h>
#include <string.h>

#include "gannet_lab.h"
#include "gannet_tiff_private.h"

static uint16_t from_double(const gannet_tiff_plan *plan, double value) {
    double part = (value - plan->lowest) / (plan->highest - plan->lowest);
    if (!(part > 0)) return 0;  // also for NaN
    return part >= 1 ? 65535 : (uint16_t)(part * 65535 + 0.5);
}

static double from_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double fraction = bits & 1023;
    double value = exponent == 0    ? ldexp(fraction, -24)
                   : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                    : ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static double from_24_bits(const uint8_t *in) {
    // In the byte order of this machine, as libtiff leaves them.
    uint32_t bits = (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16;
    int exponent = bits >> 16 & 127;
    double fraction = bits & 0xFFFF;
    double value = exponent == 0     ? ldexp(fraction, -78)
                   : exponent == 127 ? (fraction == 0 ? INFINITY : NAN)
                                     : ldexp(fraction + 65536, exponent - 79);
    return bits & 0x800000 ? -value : value;
}

static uint16_t from_light(const gannet_tiff_plan *plan, float light) {
    if (!(light > 0)) return 0;
    uint32_t bits;
    memcpy(&bits, &light, 4);
    const uint32_t index = bits >> 16;
    if (index >= 0x7F80) return 65535;
    if (light > *plan->peak) *plan->peak = light;
    const float part = (float)(bits & 0xFFFF) / 65536;
    return (uint16_t)(plan->signals[index] + (plan->signals[index + 1] - plan->signals[index]) * part + 0.5f);
}

// `alpha`: the sample of a pixel that is no light; -1: none is.
static void floats(const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint16_t *line, int alpha) {
    for (size_t index = 0; index < count; index++) {
        double value = 0;
        switch (plan->bits) {
        case 16: { uint16_t bits; memcpy(&bits, in + 2 * index, 2); value = from_half(bits); break; }
        case 24: value = from_24_bits(in + 3 * index); break;
        case 32: { float number; memcpy(&number, in + 4 * index, 4); value = number; break; }
        default: memcpy(&value, in + 8 * index, 8); break;
        }
        const int is_light = plan->signals != NULL && (int)(index % (size_t)plan->samples) != alpha;
        line[index] = is_light ? from_light(plan, (float)value) : from_double(plan, value);
    }
}

// Converts samples of 1 … 32 bits, most significant bit first, to 16 bits, with the largest value as 65,535. Palette indices
// stay.
static void packed(const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint16_t *line, uint64_t flip) {
    const int bits = plan->bits;
    const uint64_t largest = ((uint64_t)1 << bits) - 1;
    uint64_t held = 0;
    int available = 0;
    for (size_t index = 0; index < count; index++) {
        while (available < bits) {
            held = held << 8 | *in++;
            available += 8;
        }
        available -= bits;
        uint64_t value = (held >> available & largest) ^ flip;
        line[index] = plan->red != NULL ? (uint16_t)value : (uint16_t)((value * 65535 + largest / 2) / largest);
    }
}

// Converts samples to 16 bits each; palette indices stay.
static void numbers(const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint16_t *line, int alpha) {
    const int is_signed = plan->format == SAMPLEFORMAT_INT && !plan->is_raw;
    const uint16_t flip = is_signed ? 0x8000 : 0;
    if (plan->format == SAMPLEFORMAT_IEEEFP) {
        floats(plan, in, count, line, alpha);
        return;
    }
    switch (plan->bits) {
    case 8:
        if (plan->red != NULL)
            for (size_t index = 0; index < count; index++) line[index] = in[index];
        else
            for (size_t index = 0; index < count; index++) line[index] = (uint16_t)((in[index] ^ flip >> 8) * 257);
        break;
    case 16:
        for (size_t index = 0; index < count; index++) {
            uint16_t value;
            memcpy(&value, in + 2 * index, 2);
            line[index] = value ^ flip;
        }
        break;
    case 24:
        for (size_t index = 0; index < count; index++)
            line[index] = (uint16_t)(in[3 * index + 1] | in[3 * index + 2] << 8) ^ flip;
        break;
    case 32:
        for (size_t index = 0; index < count; index++) {
            uint32_t value;
            memcpy(&value, in + 4 * index, 4);
            line[index] = (uint16_t)(value >> 16) ^ flip;
        }
        break;
    case 64:
        for (size_t index = 0; index < count; index++) {
            uint64_t value;
            memcpy(&value, in + 8 * index, 8);
            line[index] = (uint16_t)(value >> 48) ^ flip;
        }
        break;
    default: packed(plan, in, count, line, is_signed ? (uint64_t)1 << (plan->bits - 1) : 0); break;
    }
}

static inline uint8_t narrow(const gannet_tiff_plan *plan, uint16_t value) {
    return plan->is_raw ? (uint8_t)(value >> 8) : (uint8_t)((value * 255u + 32895u) >> 16);
}

static inline void put(const gannet_tiff_plan *plan, uint8_t *out, size_t index, uint16_t value) {
    if (plan->is_deep) memcpy(out + 2 * index, &value, 2);
    else out[index] = narrow(plan, value);
}

static inline uint16_t get(const gannet_tiff_plan *plan, const uint8_t *out, size_t index) {
    if (!plan->is_deep) return (uint16_t)(out[index] * 257);
    uint16_t value;
    memcpy(&value, out + 2 * index, 2);
    return value;
}

// One of the two colour axes. It is signed in CIELab, and offset by half of its range in the others.
static double axis(const gannet_tiff_plan *plan, uint16_t value) {
    if (plan->lab == PHOTOMETRIC_CIELAB) return plan->bits == 8 ? (int8_t)(value >> 8) : (int16_t)value / 256.0;
    return (plan->bits == 8 ? value >> 8 : value / 256.0) - 128;
}

// Interprets four 16-bit channels: palette, L*a*b*, white is zero.
static void interpret(const gannet_tiff_plan *plan, uint16_t *channels) {
    if (plan->red != NULL) {
        uint16_t index = channels[0];
        channels[0] = (uint16_t)(plan->red[index] * plan->palette_scale);
        channels[1] = (uint16_t)(plan->green[index] * plan->palette_scale);
        channels[2] = (uint16_t)(plan->blue[index] * plan->palette_scale);
    } else if (plan->lab) {
        gannet_lab_to_rgb(channels[0] / 65535.0 * 100, axis(plan, channels[1]), axis(plan, channels[2]), channels);
    } else if (plan->inverts) {
        for (int channel = 0; channel < 3; channel++) channels[channel] = 65535 - channels[channel];
    }
}

void gannet_tiff_expand(const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint8_t *out, uint16_t *line) {
    const int samples = plan->samples;
    const int is_plain = plan->bits == 8 && plan->red == NULL && !plan->lab && !plan->is_deep && !plan->inverts
                         && (plan->format == SAMPLEFORMAT_UINT || plan->format == SAMPLEFORMAT_VOID
                             || (plan->is_raw && plan->format == SAMPLEFORMAT_INT));
    if (is_plain && samples == 3 && plan->source[0] == 0 && plan->source[1] == 1) {
        // Reads four bytes for three, except for the last pixel.
        for (size_t x = 0; x + 1 < count; x++) {
            uint32_t pixel;
            memcpy(&pixel, in + 3 * x, 4);
            pixel |= 0xFF000000u;
            memcpy(out + 4 * x, &pixel, 4);
        }
        if (count > 0) {
            memcpy(out + 4 * (count - 1), in + 3 * (count - 1), 3);
            out[4 * count - 1] = 255;
        }
        return;
    }
    if (is_plain && samples == 4 && plan->source[1] == 1 && plan->source[3] == 3) {
        memcpy(out, in, 4 * count);
        return;
    }
    if (is_plain && samples == 1) {
        for (size_t x = 0; x < count; x++) {
            uint32_t pixel = in[x] * 0x010101u | 0xFF000000u;
            memcpy(out + 4 * x, &pixel, 4);
        }
        return;
    }
    numbers(plan, in, count * (size_t)samples, line, plan->source[3]);
    for (size_t x = 0; x < count; x++) {
        uint16_t channels[4];
        for (int channel = 0; channel < 4; channel++)
            channels[channel] = plan->source[channel] < 0 ? 65535 : line[x * (size_t)samples + (size_t)plan->source[channel]];
        // A palette's alpha has as many bits as an index.
        if (plan->red != NULL && plan->source[3] >= 0) {
            uint32_t largest = (1u << plan->bits) - 1;
            channels[3] = (uint16_t)((channels[3] * 65535u + largest / 2) / largest);
        }
        interpret(plan, channels);
        for (int channel = 0; channel < 4; channel++) put(plan, out, 4 * x + (size_t)channel, channels[channel]);
    }
}

void gannet_tiff_expand_plane(
    const gannet_tiff_plan *plan, const uint8_t *in, size_t count, uint8_t *out, int channel, uint16_t *line) {
    gannet_tiff_plan one = *plan;
    // A plane of indices stays as it is until all planes are there.
    if (channel != 0) one.red = NULL;
    numbers(&one, in, count, line, channel == 3 ? 0 : -1);
    if (one.red != NULL && !plan->is_deep) {
        for (size_t x = 0; x < count; x++) out[4 * x] = (uint8_t)line[x];
        return;
    }
    for (size_t x = 0; x < count; x++) put(plan, out, 4 * x + (size_t)channel, line[x]);
}

void gannet_tiff_finish_planes(const gannet_tiff_plan *plan, size_t count, uint8_t *out) {
    for (size_t x = 0; x < count; x++) {
        uint16_t channels[4];
        for (int channel = 0; channel < 4; channel++) channels[channel] = get(plan, out, 4 * x + (size_t)channel);
        if (plan->red != NULL && !plan->is_deep) channels[0] = out[4 * x];
        // One plane of grey: the other channels were not filled.
        if (plan->source[1] == 0) channels[1] = channels[2] = channels[0];
        if (plan->source[3] < 0) channels[3] = 65535;
        interpret(plan, channels);
        for (int channel = 0; channel < 4; channel++) put(plan, out, 4 * x + (size_t)channel, channels[channel]);
    }
}

#endif
