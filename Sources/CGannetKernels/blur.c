// A strip is 32 pixels wide and as long as the image; its numbers are bytes times 256. Rows are blurred by turning them into
// such a strip first, so that one loop, which runs along the strip with all its lanes in vectors, does both directions.
#include "gannet_blur.h"
#include "vectors.h"
#include <string.h>
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))
enum { samples = gannet_blur_lanes * 4 };

INLINE void pass(uint16_t *restrict out, const uint16_t *restrict in, size_t length, gannet_box box) {
    int32_t sum[samples];
    const size_t last = length - 1;
    for (size_t i = 0; i < samples; i++) {
        // Positions before the start repeat the first pixel, those behind the end the last one.
        sum[i] = (int32_t)(box.radius + 1) * in[i];
    }
    size_t inside = box.radius < last ? box.radius : last;
    for (size_t y = 1; y <= inside; y++)
        for (size_t i = 0; i < samples; i++) sum[i] += in[y * samples + i];
    for (size_t i = 0; i < samples; i++) sum[i] += (int32_t)(box.radius - inside) * in[last * samples + i];
    for (size_t y = 0; y < length; y++, out += samples) {
        const uint16_t *before = in + (y > box.radius ? y - box.radius - 1 : 0) * samples;
        const uint16_t *leaving = in + (y > box.radius ? y - box.radius : 0) * samples;
        const uint16_t *coming = in + (y + box.radius + 1 < last ? y + box.radius + 1 : last) * samples;
        for (size_t i = 0; i < samples; i++) {
            int32_t edges = before[i] + coming[i];
            out[i] = (uint16_t)(int32_t)((float)sum[i] * box.inner + (float)edges * box.edge + 0.5f);
            sum[i] += coming[i] - leaving[i];
        }
    }
}

INLINE void three_passes(uint16_t *a, uint16_t *b, size_t length, gannet_box box) {
    pass(b, a, length, box);
    pass(a, b, length, box);
    pass(b, a, length, box);
}

#if GANNET_X86
__attribute__((target("avx2"))) static void three_passes_avx2(uint16_t *a, uint16_t *b, size_t length, gannet_box box) {
    three_passes(a, b, length, box);
}
static void blur_strip(uint16_t *a, uint16_t *b, size_t length, gannet_box box) {
    if (__builtin_cpu_supports("avx2")) {
        three_passes_avx2(a, b, length, box);
    } else {
        three_passes(a, b, length, box);
    }
}
#else
// No NEON copy: every arm64 has NEON, and the compiler uses it here. Clang 21 at -O2: 694 of 1,222 instructions (objdump).
static void blur_strip(uint16_t *a, uint16_t *b, size_t length, gannet_box box) { three_passes(a, b, length, box); }
#endif

void gannet_blur_columns(uint8_t *pixels, size_t stride, size_t lanes, size_t height, gannet_box box, uint16_t *scratch) {
    uint16_t *a = scratch, *b = scratch + height * samples;
    for (size_t y = 0; y < height; y++) {
        uint16_t *out = a + y * samples;
        for (size_t i = 0; i < lanes * 4; i++) out[i] = (uint16_t)(pixels[y * stride + i] << 8);
        for (size_t i = lanes * 4; i < samples; i++) out[i] = 0;
    }
    blur_strip(a, b, height, box);
    for (size_t y = 0; y < height; y++)
        for (size_t i = 0; i < lanes * 4; i++) pixels[y * stride + i] = (uint8_t)((b[y * samples + i] + 128) >> 8);
}

void gannet_blur_rows(uint8_t *pixels, size_t stride, size_t lanes, size_t width, gannet_box box, uint16_t *scratch) {
    uint16_t *a = scratch, *b = scratch + width * samples;
    if (lanes < gannet_blur_lanes) memset(a, 0, width * samples * sizeof *a);
    // Sixteen pixels of each row at a time, so that a line of the cache is used up while it is there.
    for (size_t x = 0; x < width; x += 16) {
        size_t end = x + 16 < width ? x + 16 : width;
        for (size_t lane = 0; lane < lanes; lane++) {
            const uint8_t *row = pixels + lane * stride;
            for (size_t i = x; i < end; i++) {
                uint16_t *out = a + i * samples + lane * 4;
                for (size_t c = 0; c < 4; c++) out[c] = (uint16_t)(row[i * 4 + c] << 8);
            }
        }
    }
    blur_strip(a, b, width, box);
    for (size_t x = 0; x < width; x += 16) {
        size_t end = x + 16 < width ? x + 16 : width;
        for (size_t lane = 0; lane < lanes; lane++) {
            uint8_t *row = pixels + lane * stride;
            for (size_t i = x; i < end; i++) {
                const uint16_t *in = b + i * samples + lane * 4;
                for (size_t c = 0; c < 4; c++) row[i * 4 + c] = (uint8_t)((in[c] + 128) >> 8);
            }
        }
    }
}
