// Rows of luma and chroma to pixels.
#include "vectors.h"

#include "gannet_jpeg_colors.h"
#include "gannet_ycc.h"

static void ycc_vectors(void) {
    group("ycc.row");
    // BT.601, BT.709, BT.2020.
    static const double shares[][2] = {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}};
    for (int standard = 0; standard < 3; standard++)
        for (int full = 0; full < 2; full++) {
            gannet_ycc matrix = gannet_ycc_make(shares[standard][0], shares[standard][1], full);
            for (int form = 0; form < 6; form++)
                for (size_t count = 0; count <= 40; count++) {
                    // Chroma as wide as luma, half as wide, or none; with and without alpha.
                    int halved = form % 3 == 1;
                    size_t chroma = halved ? (count + 1) / 2 : count;
                    const uint8_t *y = odd_noise(count), *alpha = form < 3 ? NULL : odd_noise(count);
                    const uint8_t *cb = form % 3 == 2 ? NULL : odd_noise(chroma), *cr = form % 3 == 2 ? NULL : odd_noise(chroma);
                    uint8_t *rgba = odd_zeros(count * 4);
                    gannet_ycc_row(rgba, y, cb, cr, alpha, count, halved, &matrix);
                    note(rgba, count * 4);
                    end_vector();
                }
        }
    group("ycc.make");
    for (int standard = 0; standard < 3; standard++)
        for (int full = 0; full < 2; full++) {
            gannet_ycc matrix = gannet_ycc_make(shares[standard][0], shares[standard][1], full);
            note(&matrix, sizeof matrix);
            end_vector();
        }
    group("ycc.rgb_row");
    for (int with_alpha = 0; with_alpha < 2; with_alpha++)
        for (size_t count = 0; count <= 40; count++) {
            const uint8_t *red = odd_noise(count), *green = odd_noise(count), *blue = odd_noise(count);
            uint8_t *rgba = odd_zeros(count * 4);
            gannet_rgb_row(rgba, red, green, blue, with_alpha ? odd_noise(count) : NULL, count);
            note(rgba, count * 4);
            end_vector();
        }
}

static void jpeg_color_vectors(void) {
    group("jpeg.colors");
    for (size_t count = 0; count <= 70; count++) {
        const uint8_t *first = odd_noise(count), *second = odd_noise(count), *third = odd_noise(count);
        uint8_t *pixels = odd_zeros(count * 4);
        gannet_jpeg_pixels_of_ycc(first, second, third, pixels, count);
        note(pixels, count * 4);
        gannet_jpeg_pixels_of_rgb(first, second, third, pixels, count);
        note(pixels, count * 4);
        gannet_jpeg_pixels_of_gray(first, pixels, count);
        note(pixels, count * 4);
        end_vector();
    }
    // Every pair of chroma.
    for (int luma = 0; luma < 256; luma += 51) {
        uint8_t *row = odd_zeros(65536 * 3), *pixels = odd_zeros(65536 * 4);
        for (size_t index = 0; index < 65536; index++) {
            row[index] = (uint8_t)luma;
            row[65536 + index] = (uint8_t)index;
            row[131072 + index] = (uint8_t)(index >> 8);
        }
        gannet_jpeg_pixels_of_ycc(row, row + 65536, row + 131072, pixels, 65536);
        note(pixels, 65536 * 4);
        end_vector();
    }
}

void color_vectors(void) {
    ycc_vectors();
    jpeg_color_vectors();
}
