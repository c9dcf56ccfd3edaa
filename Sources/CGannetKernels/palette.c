#include "gannet_palette.h"

#include <string.h>

static uint32_t place_of(uint32_t color) { return color * 0x9E3779B1u >> (32 - GANNET_PALETTE_BITS); }

/// For a colour that is new, or not at its first place. −1: it is the 257th.
static int number_of(gannet_palette *palette, uint32_t color) {
    uint32_t place = place_of(color);
    while (palette->places[place] && (uint32_t)palette->places[place] != color) place = (place + 1) & ((1 << GANNET_PALETTE_BITS) - 1);
    if (palette->places[place]) return (int)(palette->places[place] >> 32) - 1;
    if (palette->count == 256) return -1;
    palette->colors[palette->count] = color;
    palette->places[place] = (uint64_t)++palette->count << 32 | color;
    return (int)palette->count - 1;
}

static inline int find(gannet_palette *palette, uint32_t color) {
    uint64_t found = palette->places[place_of(color)];
    // Nearly always, so that the processor looks for the next colours meanwhile.
    if (__builtin_expect((uint32_t)found == color && found >> 32 != 0, 1)) return (int)(found >> 32) - 1;
    return number_of(palette, color);
}

bool gannet_palette_index(gannet_palette *palette, uint8_t *numbers, const uint32_t *pixels, size_t count) {
    if (count == 0) return true;
    int number = find(palette, pixels[0]);
    if (number < 0) return false;
    numbers[0] = (uint8_t)number;
    uint32_t runs = 1;
    size_t i = 1;
    // Whether a pixel is that before it is as good as random in a gradient: eight are asked at once, and then each is looked for.
    for (; i + 8 <= count; i += 8) {
        uint32_t changes = 0;
        for (size_t j = i; j < i + 8; j++) changes += pixels[j] != pixels[j - 1];
        if (changes == 0) {
            memset(numbers + i, number, 8);
            continue;
        }
        runs += changes;
        int all = 0;
        for (size_t j = i; j < i + 8; j++) {
            number = find(palette, pixels[j]);
            all |= number;
            numbers[j] = (uint8_t)number;
        }
        if (all < 0) return false;
    }
    for (; i < count; i++) {
        runs += pixels[i] != pixels[i - 1];
        number = find(palette, pixels[i]);
        if (number < 0) return false;
        numbers[i] = (uint8_t)number;
    }
    palette->runs += runs;
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
