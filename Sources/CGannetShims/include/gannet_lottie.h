// Plain functions over rlottie: the text of an animation goes in, frames come out. rlottie draws with threads of its own, which stay.
#ifndef GANNET_LOTTIE_H
#define GANNET_LOTTIE_H
#include <stddef.h>
#include <stdint.h>

typedef struct gannet_lottie gannet_lottie;

/// Loads the library's plugin for images inside of animations, which it otherwise opens with the first of them. Starts no thread.
void gannet_lottie_load_plugin(void);

/// Reads an animation. `text` ends with a zero, and is only read during the call. NULL if the library does not take it; otherwise the
/// caller frees the result.
gannet_lottie *gannet_lottie_open(const char *text);
void gannet_lottie_free(gannet_lottie *animation);

/// Draws frame `index` over `width` × `height` pixels: premultiplied RGBA. `base` and `stride` are multiples of 4.
void gannet_lottie_draw(
    gannet_lottie *animation, size_t index, uint8_t *base, size_t stride, uint32_t width, uint32_t height);

#endif
