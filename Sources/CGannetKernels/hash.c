#include "gannet_hash.h"
#include "vectors.h"
#if !__has_include(<xxhash.h>)
#error "xxhash.h is missing: apt-get install libxxhash-dev"
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>

gannet_digest128 gannet_hash128(const uint8_t *bytes, size_t count) {
    static const uint8_t none[1] = {0};
    XXH128_hash_t h = XXH3_128bits(bytes ? bytes : none, count);
    gannet_digest128 result = {h.high64, h.low64};
    return result;
}

uint64_t gannet_hash64_plain(const uint8_t *bytes, size_t count, uint64_t seed) {
    static const uint8_t none[1] = {0};
    return XXH3_64bits_withSeed(bytes ? bytes : none, count, seed);
}

uint64_t gannet_hash64(const uint8_t *bytes, size_t count, uint64_t seed) {
    // No NEON variant: the library uses NEON wherever the compiler offers it.
#if GANNET_X86
    // Shorter input is not hashed in wide steps.
    if (count >= 1024 && __builtin_cpu_supports("avx2")) { return gannet_hash64_avx2(bytes, count, seed); }
#endif
    return gannet_hash64_plain(bytes, count, seed);
}
