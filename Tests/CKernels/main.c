// Runs every vector. Without an argument: a line for each group with its name, how many vectors it has, and their digest.
// With the name of a group: the digest of each of its vectors. Ends with 1 if a vector broke a rule.
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "CGannetKernels.h"

enum { WATCHED = 64, WATCH = 0xA5, MOST_BLOCKS = 256 };

static struct {
    uint8_t *memory;
    size_t bytes;
} blocks[MOST_BLOCKS];
static size_t block_count;

static const char *wanted;
static const char *name = "";
static uint64_t state, digest, vector_digest;
static size_t vectors, broken;
static bool is_right = true;

// Inputs

uint64_t random64(void) {
    // SplitMix64.
    uint64_t mixed = state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

uint32_t below(uint32_t limit) { return (uint32_t)((random64() >> 32) * limit >> 32); }
int32_t between(int32_t low, int32_t high) { return low + (int32_t)below((uint32_t)(high - low) + 1); }

static uint8_t *block(size_t before, size_t bytes) {
    // The address sanitizer already watches every byte.
#if defined(__SANITIZE_ADDRESS__)
    const size_t around = 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    const size_t around = 0;
#else
    const size_t around = WATCHED;
#endif
#else
    const size_t around = WATCHED;
#endif
    if (block_count == MOST_BLOCKS) abort();
    uint8_t *memory = malloc(around + before + bytes + around);
    if (memory == NULL) abort();
    memset(memory, WATCH, around + before + bytes + around);
    memset(memory + around + before, 0, bytes);
    blocks[block_count].memory = memory;
    blocks[block_count++].bytes = around == 0 ? 0 : before + bytes;
    return memory + around + before;
}

static void *filled(uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index += 8) {
        uint64_t eight = random64();
        memcpy(bytes + index, &eight, count - index < 8 ? count - index : 8);
    }
    return bytes;
}

void *zeros(size_t bytes) { return block(0, bytes); }
void *noise(size_t bytes) { return filled(block(0, bytes), bytes); }
uint8_t *odd_zeros(size_t bytes) { return block(1, bytes); }
uint8_t *odd_noise(size_t bytes) { return filled(block(1, bytes), bytes); }

uint32_t *premultiplied(size_t count) {
    uint32_t *pixels = zeros(count * 4);
    for (size_t index = 0; index < count; index++) {
        uint32_t kind = below(3), alpha = kind == 0 ? 255 : kind == 1 ? 0 : below(256);
        pixels[index] = alpha << 24;
        for (unsigned shift = 0; shift < 24; shift += 8) pixels[index] |= below(alpha + 1) << shift;
    }
    return pixels;
}

// Results

static uint64_t hashed(uint64_t digest, const void *bytes, size_t count) {
    // FNV-1a, 64 bits.
    for (size_t index = 0; index < count; index++) digest = (digest ^ ((const uint8_t *)bytes)[index]) * 0x100000001B3u;
    return digest;
}

static const uint64_t start = 0xCBF29CE484222325u;

static void end_group(void) {
    if (vectors > 0 && wanted == NULL) printf("%s %zu %016llx\n", name, vectors, (unsigned long long)digest);
}

void group(const char *of) {
    end_group();
    name = of;
    state = hashed(start, of, strlen(of));
    digest = vector_digest = start;
    vectors = 0;
}

void note(const void *bytes, size_t count) { vector_digest = hashed(vector_digest, bytes, count); }
void note_number(uint64_t number) { note(&number, sizeof number); }

void check(bool condition, const char *rule) {
    if (condition) return;
    fprintf(stderr, "%s, vector %zu: %s\n", name, vectors, rule);
    is_right = false;
}

void end_vector(void) {
    for (; block_count > 0; block_count--) {
        uint8_t *memory = blocks[block_count - 1].memory;
        size_t bytes = blocks[block_count - 1].bytes;
        for (size_t index = 0; index < WATCHED && bytes > 0; index++)
            check(memory[index] == WATCH && memory[WATCHED + bytes + index] == WATCH, "bytes around a result were written");
        free(memory);
    }
    note_number(is_right);
    if (!is_right) broken++;
    is_right = true;
    digest = hashed(digest, &vector_digest, sizeof vector_digest);
    if (wanted != NULL && strcmp(wanted, name) == 0) printf("%s %zu %016llx\n", name, vectors, (unsigned long long)vector_digest);
    vector_digest = start;
    vectors++;
}

int main(int count, char **arguments) {
    if (count > 1) wanted = arguments[1];
    resample_vectors();
    geometry_vectors();
    pixel_vectors();
    color_vectors();
    png_vectors();
    stream_vectors();
    jpeg_vectors();
    part_vectors();
    end_group();
    if (broken > 0) fprintf(stderr, "%zu vectors broke a rule.\n", broken);
    return broken > 0;
}
