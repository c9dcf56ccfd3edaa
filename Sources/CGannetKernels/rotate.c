#include "gannet_rotate.h"
#include <string.h>

typedef int32_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

static inline lanes load(const uint8_t *pixel) {
    bytes4 v;
    memcpy(&v, pixel, 4);
    return __builtin_convertvector(v, lanes);
}

static const uint8_t nothing[4] = {0, 0, 0, 0};

static inline const uint8_t *at(const gannet_picture *p, int64_t x, int64_t y) {
    if (x < 0 || y < 0 || x >= (int64_t)p->width || y >= (int64_t)p->height) return nothing;
    return p->pixels + (size_t)y * p->stride + (size_t)x * 4;
}

static inline uint32_t packed(lanes v) {
    int32_t alpha = v[3] < 0 ? 0 : v[3] > 255 ? 255 : v[3];
    uint32_t result = (uint32_t)alpha << 24;
    for (int c = 0; c < 3; c++) result |= (uint32_t)(v[c] < 0 ? 0 : v[c] > alpha ? alpha : v[c]) << (8 * c);
    return result;
}

/// 2 × 2 pixels, 8-bit fractions: weights add up to 65,536.
static inline uint32_t linear(lanes a, lanes b, lanes c, lanes d, int32_t fx, int32_t fy) {
    lanes top = a * (256 - fx) + b * fx, bottom = c * (256 - fx) + d * fx;
    lanes v = (top * (256 - fy) + bottom * fy + 32768) >> 16;
    // A mean of premultiplied pixels is premultiplied and inside the range: nothing to clamp.
    bytes4 narrow = __builtin_convertvector(v, bytes4);
    uint32_t result;
    memcpy(&result, &narrow, 4);
    return result;
}

/// Catmull-Rom at distance f / 256 from the second of four pixels; the weights add up to 2048.
static inline void cubic_weights(int32_t f, int32_t w[4]) {
    int32_t f2 = f * f, f3 = f2 * f;  // 16 and 24 fractional bits
    // Times 2: −f³ + 2f² − f; 3f³ − 5f² + 2; −3f³ + 4f² + f; f³ − f²
    w[0] = (-f3 + 2 * (f2 << 8) - (f << 16) + (1 << 13)) >> 14;
    w[2] = (-3 * f3 + 4 * (f2 << 8) + (f << 16) + (1 << 13)) >> 14;
    w[3] = (f3 - (f2 << 8) + (1 << 13)) >> 14;
    w[1] = 2048 - w[0] - w[2] - w[3];
}

static uint32_t cubic_pixel(const gannet_picture *p, int64_t x, int64_t y) {
    int32_t wx[4], wy[4];
    cubic_weights((int32_t)(x >> 8 & 255), wx);
    cubic_weights((int32_t)(y >> 8 & 255), wy);
    int64_t left = (x >> 16) - 1, top = (y >> 16) - 1;
    lanes sum = {0, 0, 0, 0};
    int inside = left >= 0 && top >= 0 && left + 3 < (int64_t)p->width && top + 3 < (int64_t)p->height;
    for (int row = 0; row < 4; row++) {
        lanes line = {0, 0, 0, 0};
        if (inside) {
            const uint8_t *pixels = p->pixels + (size_t)(top + row) * p->stride + (size_t)left * 4;
            line = load(pixels) * wx[0] + load(pixels + 4) * wx[1] + load(pixels + 8) * wx[2] + load(pixels + 12) * wx[3];
        } else {
            for (int column = 0; column < 4; column++) line += load(at(p, left + column, top + row)) * wx[column];
        }
        sum += (line >> 4) * wy[row];
    }
    return packed((sum + (1 << 17)) >> 18);
}

void gannet_sample_line(
    uint32_t *out, size_t count, const gannet_picture *p, int64_t x, int64_t y, int64_t dx, int64_t dy, int cubic) {
    const int64_t reach = cubic ? 2 : 1;
    for (size_t i = 0; i < count; i++, x += dx, y += dy) {
        int64_t left = x >> 16, top = y >> 16;
        if (left < -reach || top < -reach || left >= (int64_t)p->width + reach || top >= (int64_t)p->height + reach) {
            out[i] = 0;
        } else if (cubic) {
            out[i] = cubic_pixel(p, x, y);
        } else {
            int32_t fx = (int32_t)(x >> 8 & 255), fy = (int32_t)(y >> 8 & 255);
            if (left >= 0 && top >= 0 && left + 1 < (int64_t)p->width && top + 1 < (int64_t)p->height) {
                const uint8_t *pixels = p->pixels + (size_t)top * p->stride + (size_t)left * 4;
                const uint8_t *below = pixels + p->stride;
                out[i] = linear(load(pixels), load(pixels + 4), load(below), load(below + 4), fx, fy);
            } else {
                out[i] = linear(
                    load(at(p, left, top)), load(at(p, left + 1, top)), load(at(p, left, top + 1)),
                    load(at(p, left + 1, top + 1)), fx, fy);
            }
        }
    }
}
