// XXH3 (library xxHash), for keys and checksums.
#ifndef GANNET_HASH_H
#define GANNET_HASH_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t high;
    uint64_t low;
} gannet_digest128;

/// `bytes` may be NULL if `count` is 0.
gannet_digest128 gannet_hash128(const uint8_t *bytes, size_t count);
uint64_t gannet_hash64(const uint8_t *bytes, size_t count, uint64_t seed);
/// The versions that gannet_hash64 chooses from; all return the same hash.
uint64_t gannet_hash64_plain(const uint8_t *bytes, size_t count, uint64_t seed);
#if defined(__x86_64__)
uint64_t gannet_hash64_avx2(const uint8_t *bytes, size_t count, uint64_t seed);
#endif

#endif
