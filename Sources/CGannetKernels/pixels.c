// Loops that compilers turn into vector code by themselves; on x86-64 a second time with AVX2.
#include "gannet_pixels.h"
#include "vectors.h"
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// Two channels at once in the halves of a word. x/255 rounded is (t + (t >> 8)) >> 8 with t = x + 128, for x ≤ 255².
INLINE uint32_t scaled_pair(uint32_t pair, uint32_t alpha) {
    uint32_t t = pair * alpha + 0x00800080u;
    return (t + ((t >> 8) & 0x00FF00FFu)) >> 8 & 0x00FF00FFu;
}

INLINE void premultiply8(uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t p = pixels[i], alpha = p >> 24;
        pixels[i] = scaled_pair(p & 0x00FF00FFu, alpha) | (scaled_pair(p >> 8 & 0x000000FFu, alpha) << 8) | alpha << 24;
    }
}

// Integers below 2²⁴ divided as floats: the quotient is never so close to the next integer that truncating goes wrong.
INLINE uint32_t divided(uint32_t color, uint32_t alpha) {
    int32_t value = (int32_t)((float)(int32_t)(color * 510 + alpha) / (float)(int32_t)(alpha * 2));
    return (uint32_t)(value > 255 ? 255 : value);
}

INLINE void unpremultiply8(uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t p = pixels[i], alpha = p >> 24, safe = alpha ? alpha : 1;
        uint32_t color =
            divided(p & 255, safe) | divided(p >> 8 & 255, safe) << 8 | divided(p >> 16 & 255, safe) << 16;
        pixels[i] = alpha ? color | alpha << 24 : 0;
    }
}

INLINE bool is_opaque8(const uint32_t *pixels, size_t count) {
    // In blocks, so that a transparent corner ends it early.
    for (size_t start = 0; start < count; start += 4096) {
        size_t end = count - start < 4096 ? count : start + 4096;
        uint32_t all = 0xFFFFFFFFu;
        for (size_t i = start; i < end; i++) all &= pixels[i];
        if (all >> 24 != 255) return false;
    }
    return true;
}

INLINE void narrow16(uint8_t *out, const uint16_t *samples, size_t count, bool cut) {
    // v · 255 / 65535 rounded is (v · 255 + 32895) >> 16.
    if (cut) {
        for (size_t i = 0; i < count; i++) out[i] = (uint8_t)(samples[i] >> 8);
    } else {
        for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((samples[i] * 255u + 32895u) >> 16);
    }
}

INLINE void widen8(uint16_t *out, const uint8_t *samples, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = (uint16_t)(samples[i] * 257u);
}

#if GANNET_X86
#define AVX2 __attribute__((target("avx2")))
AVX2 static void premultiply8_avx2(uint32_t *pixels, size_t count) { premultiply8(pixels, count); }
AVX2 static void unpremultiply8_avx2(uint32_t *pixels, size_t count) { unpremultiply8(pixels, count); }
AVX2 static bool is_opaque8_avx2(const uint32_t *pixels, size_t count) { return is_opaque8(pixels, count); }
AVX2 static void narrow16_avx2(uint8_t *out, const uint16_t *samples, size_t count, bool cut) {
    narrow16(out, samples, count, cut);
}
AVX2 static void widen8_avx2(uint16_t *out, const uint8_t *samples, size_t count) { widen8(out, samples, count); }
#define CHOOSE(name, ...) (__builtin_cpu_supports("avx2") ? name##_avx2(__VA_ARGS__) : name(__VA_ARGS__))
#else
// No NEON copies: the compiler uses NEON in all five loops. Clang 21 at -O2: unpremultiply 55 of 107 instructions (objdump).
#define CHOOSE(name, ...) name(__VA_ARGS__)
#endif

void gannet_premultiply8(uint32_t *pixels, size_t count) { CHOOSE(premultiply8, pixels, count); }
void gannet_unpremultiply8(uint32_t *pixels, size_t count) { CHOOSE(unpremultiply8, pixels, count); }
bool gannet_is_opaque8(const uint32_t *pixels, size_t count) { return CHOOSE(is_opaque8, pixels, count); }
void gannet_narrow16(uint8_t *out, const uint16_t *samples, size_t count, bool cut) {
    CHOOSE(narrow16, out, samples, count, cut);
}
void gannet_widen8(uint16_t *out, const uint8_t *samples, size_t count) { CHOOSE(widen8, out, samples, count); }

void gannet_premultiply16(uint16_t *samples, size_t count) {
    for (size_t i = 0; i < count; i++, samples += 4)
        for (size_t c = 0; c < 3; c++) samples[c] = (uint16_t)(((uint64_t)samples[c] * samples[3] + 32767) / 65535);
}

void gannet_unpremultiply16(uint16_t *samples, size_t count) {
    for (size_t i = 0; i < count; i++, samples += 4) {
        uint64_t alpha = samples[3];
        for (size_t c = 0; c < 3; c++) {
            uint64_t value = alpha ? (samples[c] * (uint64_t)65535 + alpha / 2) / alpha : 0;
            samples[c] = (uint16_t)(value > 65535 ? 65535 : value);
        }
    }
}

bool gannet_is_opaque16(const uint16_t *samples, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (samples[i * 4 + 3] != 65535) return false;
    return true;
}
