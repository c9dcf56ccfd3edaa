// Rows of PNG files: filters, unfiltering, expanding, frames over each other.
#include "vectors.h"

#include "png_filter.h"
#include "png_unfilter.h"

static const unsigned pixel_sizes[] = {1, 2, 3, 4, 6, 8};

static void unfilter_vectors(void) {
    group("png.unfilter_rows");
    for (int index = 0; index < 6; index++)
        for (size_t pixels = 0; pixels <= 44; pixels += pixels < 20 ? 1 : 6)
            for (unsigned way = 0; way < 9; way++) {
                // Ways 0 to 4: one filter. Then mixed filters; way 7 has an invalid one, and way 8 rows that end within a pixel.
                unsigned bpp = pixel_sizes[index];
                size_t count = pixels * bpp + (way == 8 ? bpp - 1 : 0), rows = 1 + below(9), size = rows * (count + 1);
                uint8_t *data = odd_noise(size), *plain = odd_zeros(size);
                for (size_t y = 0; y < rows; y++) data[y * (count + 1)] = (uint8_t)(way < 5 ? way : below(5));
                if (way == 7) data[below((uint32_t)rows) * (count + 1)] = 5;
                memcpy(plain, data, size);
                const uint8_t *prior = way % 2 == 0 ? odd_noise(count) : odd_zeros(count);
                size_t done = gannet_png_unfilter_rows(data, prior, count, rows, bpp);
                size_t plain_done = gannet_png_unfilter_rows_plain(plain, prior, count, rows, bpp);
                check(done == plain_done && memcmp(data, plain, size) == 0, "a level differs");
                note_number(done);
                note(data, size);
                end_vector();
            }
}

static void filter_vectors(void) {
    group("png.filter_row");
    for (int index = 0; index < 6; index++)
        for (size_t pixels = 0; pixels <= 44; pixels += pixels < 10 ? 1 : 7)
            for (unsigned allowed = 1; allowed < 32; allowed += allowed < 4 ? 1 : 9) {
                unsigned bpp = pixel_sizes[index];
                size_t count = pixels * bpp;
                uint8_t *row = odd_noise(count);
                // Smooth rows, so that the filters compete.
                for (size_t i = bpp; i < count; i++) row[i] = (uint8_t)(row[i - bpp] + (row[i] & 15));
                const uint8_t *prior = odd_noise(count);
                uint8_t *filtered = odd_zeros(count + 1);
                gannet_png_filter_row(filtered, row, prior, count, bpp, allowed, odd_zeros(2 * count));
                note(filtered, count + 1);
                check(gannet_png_unfilter_row(filtered + 1, prior, count, bpp, filtered[0]), "a filter that does not exist");
                check(memcmp(filtered + 1, row, count) == 0, "another row comes back");
                end_vector();
            }
}

static void expand_vectors(void) {
    group("png.expand");
    for (size_t pixels = 0; pixels <= 60; pixels++) {
        const uint8_t *row = odd_noise(pixels * 4);
        uint8_t *to = odd_zeros(pixels * 4);
        gannet_png_expand_rgb8(to, row, pixels);
        note(to, pixels * 4);
        if (pixels > 0) gannet_png_expand_rgb8_key(to, row, pixels, row[0], row[1], row[2]);
        note(to, pixels * 4);
        gannet_png_expand_gray_alpha8(to, row, pixels);
        note(to, pixels * 4);
        gannet_png_premultiply8(to, row, pixels);
        note(to, pixels * 4);
        // In place: the row is at the end of the memory that the pixels get.
        memcpy(to + pixels, row, pixels * 3);
        gannet_png_expand_rgb8(to, to + pixels, pixels);
        note(to, pixels * 4);
        gannet_png_premultiply8(to, to, pixels);
        note(to, pixels * 4);
        end_vector();
    }
    group("png.expand_table");
    for (unsigned depth = 1; depth <= 8; depth *= 2)
        for (size_t pixels = 0; pixels <= 60; pixels++) {
            uint8_t *to = odd_zeros(pixels * 4);
            const uint32_t *table = noise(1024);
            gannet_png_expand_table(to, odd_noise((pixels * depth + 7) / 8), pixels, depth, table);
            note(to, pixels * 4);
            end_vector();
        }
    group("png.expand_16");
    for (unsigned channels = 1; channels <= 4; channels++)
        for (size_t pixels = 0; pixels <= 40; pixels++) {
            uint8_t *row = odd_noise(pixels * channels * 2), *narrow = odd_zeros(pixels * 4);
            uint16_t *to = zeros(pixels * 8);
            uint16_t key[3] = {0, 0, 0};
            if (pixels > 2 && channels % 2 == 1) memset(row + 2 * channels, 0, 2 * channels);
            gannet_png_expand_16(to, row, pixels, channels, channels % 2 == 1, key);
            note(to, pixels * 8);
            gannet_png_narrow(narrow, to, pixels * 4, pixels % 2 == 0);
            note(narrow, pixels * 4);
            gannet_png_premultiply16(to, pixels);
            note(to, pixels * 8);
            end_vector();
        }
}

static void frame_vectors(void) {
    group("png.blend");
    for (size_t step = 1; step <= 8; step *= 2)
        for (int blends = 0; blends < 2; blends++)
            for (size_t pixels = 0; pixels <= 40; pixels += pixels < 9 ? 1 : 6) {
                uint8_t *to = odd_noise(pixels * step * 4);
                uint16_t *deep = noise(pixels * step * 8), *from = noise(pixels * 8);
                uint32_t *over = noise(pixels * 4);
                for (size_t index = 0; index < pixels; index++) {
                    if (index % 3 == 0) over[index] &= 0xFFFFFFu;
                    if (index % 3 == 1) over[index] |= 0xFF000000u;
                    if (index % 3 == 0) from[index * 4 + 3] = 0;
                    if (index % 3 == 1) from[index * 4 + 3] = 65535;
                }
                gannet_png_blend8(to, (const uint8_t *)over, pixels, step, blends != 0);
                gannet_png_blend16(deep, from, pixels, step, blends != 0);
                note(to, pixels * step * 4);
                note(deep, pixels * step * 8);
                end_vector();
            }
}

void png_vectors(void) {
    unfilter_vectors();
    filter_vectors();
    expand_vectors();
    frame_vectors();
}
