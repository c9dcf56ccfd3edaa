// Bytes of pixels in another order.
#include "gannet_pixels.h"
#include "vectors.h"

void gannet_reorder8_plain(uint8_t *out, const uint8_t *source, size_t count, size_t step, const int8_t order[4]) {
    for (size_t i = 0; i < count; i++, out += 4, source += step)
        for (int byte = 0; byte < 4; byte++) out[byte] = order[byte] < 0 ? 255 : source[order[byte]];
}

#if GANNET_X86 || GANNET_NEON
/// Of four pixels, which byte of the source each byte is, beyond 127 for none; and the bytes that have no source.
static void masks(size_t step, const int8_t order[4], uint8_t places[16], uint8_t full[16]) {
    for (size_t byte = 0; byte < 16; byte++) {
        int8_t own = order[byte % 4];
        places[byte] = own < 0 ? 0x80 : (uint8_t)(byte / 4 * step + (size_t)own);
        full[byte] = own < 0 ? 0xFF : 0;
    }
}
#endif

#if GANNET_X86
__attribute__((target("avx2"))) static void reorder_avx2(
    uint8_t *out, const uint8_t *source, size_t count, size_t step, const int8_t order[4]) {
    uint8_t places[16], full[16];
    masks(step, order, places, full);
    const __m256i spread = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)places));
    const __m256i rest = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)full));
    size_t i = 0;
    // Eight pixels. Of three bytes each, 28 bytes are read, so two pixels more must lie behind them.
    for (; i + 10 <= count; i += 8) {
        const uint8_t *from = source + i * step;
        __m256i both = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)from)), _mm_loadu_si128((const __m128i *)(from + 4 * step)), 1);
        _mm256_storeu_si256((__m256i *)(out + i * 4), _mm256_or_si256(_mm256_shuffle_epi8(both, spread), rest));
    }
    gannet_reorder8_plain(out + i * 4, source + i * step, count - i, step, order);
}
#elif GANNET_NEON
static void reorder_neon(uint8_t *out, const uint8_t *source, size_t count, size_t step, const int8_t order[4]) {
    uint8_t places[16], full[16];
    masks(step, order, places, full);
    const uint8x16_t spread = vld1q_u8(places), rest = vld1q_u8(full);
    size_t i = 0;
    // Four pixels. Of three bytes each, 16 bytes are read, so two pixels more must lie behind them.
    for (; i + 6 <= count; i += 4)
        vst1q_u8(out + i * 4, vorrq_u8(vqtbl1q_u8(vld1q_u8(source + i * step), spread), rest));
    gannet_reorder8_plain(out + i * 4, source + i * step, count - i, step, order);
}
#endif

void gannet_reorder8(uint8_t *out, const uint8_t *source, size_t count, size_t step, const int8_t order[4]) {
#if GANNET_X86
    if (__builtin_cpu_supports("avx2")) {
        reorder_avx2(out, source, count, step, order);
        return;
    }
#elif GANNET_NEON
    reorder_neon(out, source, count, step, order);
    return;
#endif
    gannet_reorder8_plain(out, source, count, step, order);
}
