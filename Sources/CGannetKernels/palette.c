#include "gannet_palette.h"

#include <string.h>

static int number_of(gannet_palette *palette, uint32_t color) {
    uint32_t place = color * 0x9E3779B1u >> 22;
    while (palette->numbers[place] && palette->keys[place] != color) place = (place + 1) & 1023;
    if (palette->numbers[place]) return palette->numbers[place] - 1;
    if (palette->count == 256) return -1;
    palette->keys[place] = color;
    palette->colors[palette->count] = color;
    palette->numbers[place] = (uint16_t)++palette->count;
    return (int)palette->count - 1;
}

bool gannet_palette_index(gannet_palette *palette, uint8_t *numbers, const uint32_t *pixels, size_t count) {
    uint32_t last = 0;
    int number = -1;
    for (size_t i = 0; i < count; i++) {
        if (number < 0 || pixels[i] != last) {
            last = pixels[i];
            number = number_of(palette, last);
            if (number < 0) return false;
            palette->runs++;
        }
        numbers[i] = (uint8_t)number;
    }
    return true;
}

void gannet_palette_expand(uint32_t *pixels, const uint8_t *numbers, size_t count, const uint32_t *colors) {
    for (size_t i = 0; i < count; i++) pixels[i] = colors[numbers[i]];
}

size_t gannet_palette_pack(uint8_t *runs, size_t room, const uint8_t *numbers, size_t count) {
    size_t used = 0;
    for (size_t i = 0; i < count;) {
        size_t length = 1;
        while (length < 256 && i + length < count && numbers[i + length] == numbers[i]) length++;
        if (room - used < 2) return 0;
        runs[used++] = numbers[i];
        runs[used++] = (uint8_t)(length - 1);
        i += length;
    }
    return used;
}

void gannet_palette_unpack(
    uint8_t *rows, size_t stride, size_t width, size_t height, const uint8_t *runs, size_t count, const uint32_t *colors) {
    size_t x = 0, y = 0;
    for (size_t i = 0; i + 1 < count && y < height; i += 2) {
        uint32_t color = colors[runs[i]];
        for (size_t left = (size_t)runs[i + 1] + 1; left && y < height;) {
            size_t part = left < width - x ? left : width - x;
            // Copied, because rows of bytes need not be aligned for words.
            uint8_t *to = rows + y * stride + x * 4;
            for (size_t j = 0; j < part; j++) memcpy(to + j * 4, &color, 4);
            left -= part;
            x += part;
            if (x == width) {
                x = 0;
                y++;
            }
        }
    }
}
