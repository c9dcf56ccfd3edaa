// L*a*b* of D50 (ICC.1:2022, annex A) to sRGB, for the shims whose files have it.
#ifndef GANNET_LAB_H
#define GANNET_LAB_H
#include <math.h>
#include <stdint.h>

static inline uint16_t gannet_lab_encoded(double light) {
    const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return value <= 0 ? 0 : value >= 1 ? 65535 : (uint16_t)(value * 65535 + 0.5);
}

static inline double gannet_lab_cubed(double value) {
    return value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841;
}

/// Three channels of 0 to 65,535. `lightness`: 0 to 100.
static inline void gannet_lab_to_rgb(double lightness, double a, double b, uint16_t *channels) {
    const double middle = (lightness + 16) / 116;
    const double x = 0.96422 * gannet_lab_cubed(middle + a / 500), y = gannet_lab_cubed(middle);
    const double z = 0.82521 * gannet_lab_cubed(middle - b / 200);
    channels[0] = gannet_lab_encoded(3.1338561 * x - 1.6168667 * y - 0.4906146 * z);
    channels[1] = gannet_lab_encoded(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z);
    channels[2] = gannet_lab_encoded(0.0719453 * x - 0.2289914 * y + 1.4052427 * z);
}

#endif
