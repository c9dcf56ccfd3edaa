// Alpha, depth, blending, colour matrices and tables, on random pixels.
#include "vectors.h"

#include <math.h>

#include "gannet_paint.h"
#include "gannet_pixels.h"

enum { MOST = 70 };

static void alpha_vectors(void) {
    group("pixels.premultiply8");
    for (size_t count = 0; count <= MOST; count++) {
        uint32_t *pixels = noise(count * 4);
        gannet_premultiply8(pixels, count);
        note(pixels, count * 4);
        end_vector();
    }
    group("pixels.unpremultiply8");
    for (size_t count = 0; count <= 2 * MOST; count++) {
        // Half of them with colours above their alpha.
        uint32_t *pixels = count % 2 == 0 ? premultiplied(count) : noise(count * 4);
        gannet_unpremultiply8(pixels, count);
        note(pixels, count * 4);
        end_vector();
    }
    group("pixels.premultiply16");
    for (size_t count = 0; count <= MOST; count++) {
        uint16_t *samples = noise(count * 8);
        gannet_premultiply16(samples, count);
        note(samples, count * 8);
        gannet_unpremultiply16(samples, count);
        note(samples, count * 8);
        samples = noise(count * 8);
        gannet_unpremultiply16(samples, count);
        note(samples, count * 8);
        end_vector();
    }
    group("pixels.is_opaque");
    for (size_t count = 0; count <= 9000; count = count * 5 / 4 + 1) {
        uint32_t *pixels = noise(count * 4);
        uint16_t *samples = noise(count * 8);
        for (size_t index = 0; index < count; index++) {
            pixels[index] |= 0xFF000000u;
            samples[index * 4 + 3] = 65535;
        }
        check(gannet_is_opaque8(pixels, count) && gannet_is_opaque16(samples, count), "opaque pixels are not");
        if (count > 0) {
            size_t place = below((uint32_t)count);
            pixels[place] &= 0xFEFFFFFFu;
            samples[place * 4 + 3] = 65534;
            check(!gannet_is_opaque8(pixels, count) && !gannet_is_opaque16(samples, count), "one pixel was passed over");
        }
        end_vector();
    }
}

static void depth_vectors(void) {
    group("pixels.depth");
    for (size_t count = 0; count <= MOST; count++) {
        const uint16_t *samples = noise(count * 2);
        uint8_t *rounded = odd_zeros(count), *cut = odd_zeros(count);
        uint16_t *wide = zeros(count * 2);
        gannet_narrow16(rounded, samples, count, false);
        gannet_narrow16(cut, samples, count, true);
        gannet_widen8(wide, rounded, count);
        note(rounded, count);
        note(cut, count);
        note(wide, count * 2);
        end_vector();
    }
}

static void order_vectors(void) {
    group("pixels.reorder");
    static const int8_t orders[][4] = {{2, 1, 0, -1}, {1, 2, 0, 2}, {2, 1, 0, 3}};
    for (int form = 0; form < 4; form++)
        for (size_t count = 0; count <= MOST; count++) {
            const size_t step = form < 2 ? 3 : 4;
            const uint8_t *source = odd_noise(count * step);
            uint8_t *out = odd_zeros(count * 4);
            gannet_reorder8(out, source, count, step, orders[form == 3 ? 2 : form & 1]);
            note(out, count * 4);
            end_vector();
        }
}

static void blend_vectors(void) {
    group("paint.blend");
    static const float opacities[] = {1, 0.5f, 0.31f, 0};
    for (int mode = gannet_blend_clear; mode <= gannet_blend_luminosity; mode++)
        for (int form = 0; form < 4; form++)
            for (size_t count = 0; count <= MOST; count += count < 10 ? 1 : 15) {
                uint32_t *backdrop = premultiplied(count);
                const size_t step = form & 1;
                const uint32_t *source = premultiplied(step == 0 ? 1 : count);
                const uint8_t *mask = form & 2 ? odd_noise(count) : NULL;
                gannet_blend(backdrop, source, step, mask, count, mode, opacities[count % 4]);
                note(backdrop, count * 4);
                for (size_t index = 0; index < count; index++) {
                    uint32_t p = backdrop[index], alpha = p >> 24;
                    check((p & 255) <= alpha && (p >> 8 & 255) <= alpha && (p >> 16 & 255) <= alpha, "a colour is above its alpha");
                }
                end_vector();
            }
}

static void paint_vectors(void) {
    group("paint.mask");
    for (size_t count = 0; count <= MOST; count++) {
        uint32_t *pixels = premultiplied(count);
        const uint8_t *mask = odd_noise(count);
        gannet_mask(pixels, mask, count);
        note(pixels, count * 4);
        gannet_mix(pixels, *premultiplied(1), mask, count);
        note(pixels, count * 4);
        end_vector();
    }
    group("paint.matrix");
    for (size_t count = 0; count <= MOST; count++) {
        uint32_t *pixels = premultiplied(count);
        float matrix[12];
        for (int index = 0; index < 12; index++) matrix[index] = (float)between(-2000, 2000) / 1000;
        // Results beyond every integer, and NaN.
        if (count % 5 == 4) matrix[below(12)] = 1e30f;
        if (count % 7 == 6) matrix[below(12)] = -INFINITY;
        if (count % 9 == 8) matrix[below(12)] = NAN;
        gannet_matrix(pixels, count, matrix);
        note(pixels, count * 4);
        end_vector();
    }
    group("paint.gray");
    for (size_t count = 0; count <= MOST; count++) {
        uint32_t *pixels = premultiplied(count);
        gannet_gray(pixels, count);
        note(pixels, count * 4);
        end_vector();
    }
    group("paint.unsharp");
    for (size_t count = 0; count <= MOST; count++) {
        uint32_t *pixels = premultiplied(count);
        const uint32_t *blurred = premultiplied(count);
        gannet_unsharp(pixels, blurred, count, (float)between(0, 5000) / 1000);
        note(pixels, count * 4);
        end_vector();
    }
}

static void table_vectors(void) {
    group("paint.tables");
    for (size_t count = 0; count <= MOST; count++) {
        uint32_t *pixels = premultiplied(count), *back = zeros(count * 4);
        uint16_t *wide = zeros(count * 8);
        gannet_lookup(pixels, count, odd_noise(256));
        note(pixels, count * 4);
        gannet_to_linear(wide, pixels, count, noise(512));
        note(wide, count * 8);
        gannet_from_linear(back, wide, count, odd_noise(65536));
        note(back, count * 4);
        end_vector();
    }
}

void pixel_vectors(void) {
    alpha_vectors();
    depth_vectors();
    order_vectors();
    blend_vectors();
    paint_vectors();
    table_vectors();
}
