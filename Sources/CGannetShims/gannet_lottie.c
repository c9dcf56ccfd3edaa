#if WITH_LOTTIE
// For pthread_setattr_default_np.
#define _GNU_SOURCE
#if !__has_include(<rlottie_capi.h>)
#error "install librlottie-dev"
#endif
#include "gannet_lottie.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <rlottie_capi.h>

struct gannet_lottie {
    Lottie_Animation *animation;
};

gannet_lottie *gannet_lottie_open(const char *text) {
    // A version that keeps animations finds them by this key: no two may have the same.
    static atomic_ullong opened;
    char key[32];
    snprintf(key, sizeof key, "gannet %llu", atomic_fetch_add(&opened, 1));
    gannet_lottie *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->animation = lottie_animation_from_data(text, key, "");
    if (self->animation != NULL) return self;
    free(self);
    return NULL;
}

void gannet_lottie_free(gannet_lottie *self) {
    if (self == NULL) return;
    lottie_animation_destroy(self->animation);
    free(self);
}

// One red pixel.
static const char with_an_image[] =
    "{\"v\":\"5\",\"fr\":1,\"ip\":0,\"op\":1,\"w\":1,\"h\":1,\"layers\":[],\"assets\":[{\"id\":\"a\",\"w\":1,\"h\":1,\"e\":1,"
    "\"p\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP4z8DwHwAFAAH/VscvDQAAAABJRU5ErkJggg"
    "==\"}]}";

void gannet_lottie_load_plugin(void) {
    // The library looks for its plugin once.
    gannet_lottie_free(gannet_lottie_open(with_an_image));
}

static const char with_a_path[] =
    "{\"v\":\"5\",\"fr\":1,\"ip\":0,\"op\":1,\"w\":8,\"h\":8,\"layers\":[{\"ddd\":0,\"ty\":1,\"sw\":4,\"sh\":4,\"sc\":\"#ff0000\",\"ip\":0,"
    "\"op\":1,\"st\":0,\"ks\":{}}]}";

// The library starts one thread for each processor with the first path that it draws. Stacks of the usual 8 MiB would take much of the
// address space that a worker may have.
static void start_threads(void) {
    pthread_attr_t usual, small;
    if (pthread_getattr_default_np(&usual) != 0) return;
    if (pthread_attr_init(&small) == 0) {
        pthread_attr_setstacksize(&small, 1 << 20);
        pthread_setattr_default_np(&small);
        pthread_attr_destroy(&small);
    }
    gannet_lottie *square = gannet_lottie_open(with_a_path);
    uint32_t pixels[8 * 8];
    if (square != NULL) lottie_animation_render(square->animation, 0, pixels, 8, 8, sizeof pixels / 8);
    gannet_lottie_free(square);
    pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&usual);
}

static uint32_t least(uint32_t left, uint32_t right) { return left < right ? left : right; }

// From one number for each pixel to its bytes in order. No colour is brighter than its alpha, whatever was rounded.
static void put_in_order(uint8_t *row, uint32_t width) {
    uint32_t *pixels = (uint32_t *)(void *)row;
    for (uint32_t x = 0; x < width; x++) {
        const uint32_t pixel = pixels[x], alpha = pixel >> 24;
        uint8_t *bytes = row + 4 * (size_t)x;
        bytes[0] = (uint8_t)least(pixel >> 16 & 255, alpha);
        bytes[1] = (uint8_t)least(pixel >> 8 & 255, alpha);
        bytes[2] = (uint8_t)least(pixel & 255, alpha);
        bytes[3] = (uint8_t)alpha;
    }
}

void gannet_lottie_draw(
    gannet_lottie *self, size_t index, uint8_t *base, size_t stride, uint32_t width, uint32_t height) {
    static pthread_once_t started = PTHREAD_ONCE_INIT;
    pthread_once(&started, start_threads);
    lottie_animation_render(self->animation, index, (uint32_t *)(void *)base, width, height, stride);
    for (uint32_t y = 0; y < height; y++) put_in_order(base + (size_t)y * stride, width);
}

#endif
