// Small and large blurs, turning, slanted lines.
#include "vectors.h"

#include "gannet_blur.h"
#include "gannet_convolve.h"
#include "gannet_pixels.h"
#include "gannet_rotate.h"

// Small blurs

/// Weights that add up to 16,384, those of a pair twice.
static int16_t *weights_of(size_t reach) {
    int16_t *weights = zeros((reach + 1) * 2);
    int32_t left = 16384;
    for (size_t k = reach; k > 0; k--) {
        weights[k] = (int16_t)below((uint32_t)left / 4 + 1);
        left -= 2 * weights[k];
    }
    weights[0] = (int16_t)left;
    return weights;
}

static void convolve_vectors(void) {
    group("convolve.vertical");
    for (size_t reach = 0; reach <= 12; reach++)
        for (size_t samples = 0; samples <= 100; samples += 4) {
            const int16_t *weights = weights_of(reach);
            const uint8_t *rows[25];
            for (size_t row = 0; row <= 2 * reach; row++) rows[row] = odd_noise(samples);
            int16_t *plain = zeros(samples * 2);
            gannet_convolve_at(gannet_level_plain)->vertical(plain, rows, weights, reach, samples);
            note(plain, samples * 2);
            for (int level = 1; level <= gannet_level_avx2; level++) {
                const gannet_convolve_kernels *kernels = gannet_convolve_at(level);
                if (kernels == NULL) continue;
                int16_t *out = zeros(samples * 2);
                kernels->vertical(out, rows, weights, reach, samples);
                check(memcmp(out, plain, samples * 2) == 0, "a level differs");
            }
            end_vector();
        }
    group("convolve.horizontal");
    for (size_t reach = 0; reach <= 12; reach++)
        for (size_t samples = 0; samples <= 100; samples += 4) {
            const int16_t *weights = weights_of(reach);
            int16_t *row = zeros((samples + 8 * reach) * 2);
            for (size_t index = 0; index < samples + 8 * reach; index++) row[index] = (int16_t)below(16321);
            uint8_t *plain = odd_zeros(samples);
            gannet_convolve_at(gannet_level_plain)->horizontal(plain, row + 4 * reach, weights, reach, samples);
            note(plain, samples);
            for (int level = 1; level <= gannet_level_avx2; level++) {
                const gannet_convolve_kernels *kernels = gannet_convolve_at(level);
                if (kernels == NULL) continue;
                uint8_t *out = odd_zeros(samples);
                kernels->horizontal(out, row + 4 * reach, weights, reach, samples);
                check(memcmp(out, plain, samples) == 0, "a level differs");
            }
            end_vector();
        }
}

// Large blurs

static gannet_box box_of(size_t radius) {
    // The width may be up to one pixel more on each side.
    float edge = (float)below(1000) / 1000, width = (float)(2 * radius + 1) + 2 * edge;
    return (gannet_box){radius, 1 / width, edge / width};
}

static void blur_vectors(void) {
    group("blur");
    static const size_t radii[] = {0, 1, 2, 5, 13, 40, 300};
    for (size_t lanes = 1; lanes <= gannet_blur_lanes; lanes += lanes < 4 ? 1 : 7)
        for (size_t length = 1; length <= 70; length += length < 4 ? 1 : 11)
            for (size_t index = 0; index < 7; index++) {
                uint16_t *scratch = zeros(2 * 128 * length * 2);
                size_t stride = lanes * 4 + 5;
                uint8_t *columns = odd_noise(stride * length);
                gannet_blur_columns(columns, stride, lanes, length, box_of(radii[index]), scratch);
                note(columns, stride * length);
                stride = length * 4 + 3;
                uint8_t *rows = odd_noise(stride * lanes);
                gannet_blur_rows(rows, stride, lanes, length, box_of(radii[index]), scratch);
                note(rows, stride * lanes);
                end_vector();
            }
}

// Turning

static void turn_vectors(void) {
    group("turn");
    static const size_t sizes[][2] = {{0, 3}, {1, 1}, {3, 2}, {4, 4}, {5, 9}, {8, 16}, {17, 9}, {16, 33}, {31, 32}, {33, 40}, {64, 37}, {70, 66}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (size_t pixel = 4; pixel <= 8; pixel += 4)
            for (int way = 0; way < 8; way++) {
                size_t width = sizes[size][0], height = sizes[size][1];
                size_t columns = way < 4 ? width : height, rows = way < 4 ? height : width;
                ptrdiff_t stride = (ptrdiff_t)(width * pixel + 1);
                const uint8_t *source = odd_noise((size_t)stride * height + 1), *corner = source;
                ptrdiff_t across = way < 4 ? (ptrdiff_t)pixel : stride, down = way < 4 ? stride : (ptrdiff_t)pixel;
                if (way & 1 && columns > 0) {
                    corner += (ptrdiff_t)(columns - 1) * across;
                    across = -across;
                }
                if (way & 2 && rows > 0) {
                    corner += (ptrdiff_t)(rows - 1) * down;
                    down = -down;
                }
                size_t out_stride = columns * pixel + 3;
                uint8_t *out = odd_zeros(out_stride * rows), *plain = odd_zeros(out_stride * rows);
                gannet_turn(out, (ptrdiff_t)out_stride, columns, rows, corner, across, down, pixel);
                gannet_turn_plain(plain, (ptrdiff_t)out_stride, columns, rows, corner, across, down, pixel);
                check(memcmp(out, plain, out_stride * rows) == 0, "a level differs");
                for (size_t y = 0; y < rows; y++)
                    for (size_t x = 0; x < columns; x++)
                        check(
                            memcmp(out + y * out_stride + x * pixel, corner + (ptrdiff_t)x * across + (ptrdiff_t)y * down, pixel) == 0,
                            "a pixel is not from its place");
                note(out, out_stride * rows);
                end_vector();
            }
}

// Slanted lines

static void line_vectors(void) {
    group("rotate.sample_line");
    static const size_t sizes[][2] = {{1, 1}, {2, 3}, {3, 5}, {4, 4}, {5, 4}, {40, 31}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (int turn = 0; turn < 40; turn++) {
            enum { count = 50 };
            size_t width = sizes[size][0], height = sizes[size][1], stride = width * 4 + 4;
            uint8_t *pixels = zeros(stride * (height - 1) + width * 4);
            for (size_t y = 0; y < height; y++) memcpy(pixels + y * stride, premultiplied(width), width * 4);
            gannet_bitmap picture = {pixels, stride, width, height};
            int64_t x = between(-200000, ((int32_t)width << 16) + 200000), y = between(-200000, ((int32_t)height << 16) + 200000);
            int64_t dx = between(-100000, 100000), dy = between(-100000, 100000);
            uint32_t *linear = zeros(count * 4), *cubic = zeros(count * 4);
            gannet_sample_line(linear, count, &picture, x, y, dx, dy, 0);
            gannet_sample_line(cubic, count, &picture, x, y, dx, dy, 1);
            for (int level = gannet_level_plain; level <= gannet_level_avx2; level++) {
                uint32_t *out = zeros(count * 4);
                if (gannet_sample_line_at((gannet_level)level, out, count, &picture, x, y, dx, dy))
                    check(memcmp(out, cubic, count * 4) == 0, "a level differs");
            }
            note(linear, count * 4);
            note(cubic, count * 4);
            end_vector();
        }
}

void geometry_vectors(void) {
    convolve_vectors();
    blur_vectors();
    turn_vectors();
    line_vectors();
}
