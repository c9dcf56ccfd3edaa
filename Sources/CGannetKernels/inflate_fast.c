#include "inflate_private.h"

static inline uint64_t load64(const uint8_t *bytes) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
#else
    uint64_t value = 0;
    for (int index = 7; index >= 0; index--) value = value << 8 | bytes[index];
    return value;
#endif
}

int gannet_inflate_fast(gannet_inflate *inflate, const uint8_t **input, const uint8_t *input_end) {
    const uint8_t *in = *input;
    const uint8_t *last = input_end - 16;
    uint64_t bits = inflate->bits;
    unsigned count = inflate->bit_count;
    uint8_t *out = inflate->bytes + inflate->end;
    uint8_t *limit = inflate->bytes + window + chunk;
    const uint8_t *low = inflate->bytes + inflate->low;
    const uint32_t *literal = inflate->literal;
    const uint32_t *distance = inflate->distance;
    int result = 0;
#define REFILL() (bits |= load64(in) << count, in += (63 - count) >> 3, count |= 56)
#define TAKE(n) (bits >>= (n), count -= (n))
    while (in <= last && out < limit) {
        REFILL();
        uint32_t entry = literal[bits & ((1 << literal_bits) - 1)];
        // Two literals that are found at once leave bits enough for a length: 56 − 22 ≥ 15 + 5.
        if (entry & is_literal) {
            TAKE(entry & 31);
            *out++ = (uint8_t)(entry >> 16);
            entry = literal[bits & ((1 << literal_bits) - 1)];
            if (entry & is_literal) {
                TAKE(entry & 31);
                *out++ = (uint8_t)(entry >> 16);
                entry = literal[bits & ((1 << literal_bits) - 1)];
                if (entry & is_literal) {
                    TAKE(entry & 31);
                    *out++ = (uint8_t)(entry >> 16);
                    continue;
                }
            }
        }
        if (entry & is_special) {
            if (entry & is_second) {
                TAKE(literal_bits);
                entry = literal[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
                if (entry & is_literal) {
                    TAKE(entry & 31);
                    *out++ = (uint8_t)(entry >> 16);
                    continue;
                }
            }
            if (entry & is_end) {
                TAKE(entry & 31);
                result = 1;
                break;
            }
            if (entry & is_invalid) {
                result = -1;
                break;
            }
        }
        TAKE(entry & 31);
        unsigned extra = entry >> 8 & 15;
        size_t length = (entry >> 16) + (bits & ((1u << extra) - 1));
        TAKE(extra);
        REFILL();
        entry = distance[bits & ((1 << distance_bits) - 1)];
        if (entry & is_second) {
            TAKE(distance_bits);
            entry = distance[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
        }
        if (entry & is_invalid) {
            result = -1;
            break;
        }
        TAKE(entry & 31);
        extra = entry >> 8 & 15;
        size_t back = (entry >> 16) + (bits & ((1u << extra) - 1));
        TAKE(extra);
        if (back > (size_t)(out - low)) {
            result = -1;
            break;
        }
        copy(out, back, length);
        out += length;
    }
#undef REFILL
#undef TAKE
    // Bytes that were read ahead but not used are returned, if they are from this input; the rest above `count` is cleared.
    size_t unused = count >> 3;
    if (unused > (size_t)(in - *input)) unused = (size_t)(in - *input);
    in -= unused;
    count -= 8 * (unsigned)unused;
    *input = in;
    inflate->bits = bits & ((1ull << count) - 1);
    inflate->bit_count = count;
    inflate->end = (size_t)(out - inflate->bytes);
    return result;
}
