#include "gannet_palette.h"

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
        }
        numbers[i] = (uint8_t)number;
    }
    return true;
}

void gannet_palette_expand(uint32_t *pixels, const uint8_t *numbers, size_t count, const uint32_t *colors) {
    for (size_t i = 0; i < count; i++) pixels[i] = colors[numbers[i]];
}
