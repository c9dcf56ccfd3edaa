// Test vectors for the C kernels. A vector is one call with inputs that are the same on every machine; its result becomes a digest.
#ifndef GANNET_TEST_VECTORS_H
#define GANNET_TEST_VECTORS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Inputs

/// Pseudo-random numbers; each group of vectors begins with a seed made of its name. An expression may take one of them at most: in C
/// the order of two is the compiler's choice.
uint64_t random64(void);
/// A number below `limit`, which is at least 1.
uint32_t below(uint32_t limit);
/// A number from `low` to `high`, both included.
int32_t between(int32_t low, int32_t high);

/// Zeroed memory that lives until the end of the vector. A kernel that writes beside it fails its vector.
void *zeros(size_t bytes);
/// The same, filled with random bytes.
void *noise(size_t bytes);
/// The same, at an odd address: for rows of bytes, which need no alignment.
uint8_t *odd_zeros(size_t bytes);
uint8_t *odd_noise(size_t bytes);
/// Random premultiplied pixels; a third each is opaque, transparent, and neither.
uint32_t *premultiplied(size_t count);

// Results

/// Begins a group of vectors: a kernel, or several that belong together.
void group(const char *name);
/// Adds a result to the vector's digest.
void note(const void *bytes, size_t count);
void note_number(uint64_t number);
/// Fails the vector unless the condition holds; `rule` says what was broken.
void check(bool condition, const char *rule);
/// Ends the vector, and frees its memory.
void end_vector(void);

// The groups, one function for each file.
void resample_vectors(void);
void geometry_vectors(void);
void pixel_vectors(void);
void color_vectors(void);
void png_vectors(void);
void stream_vectors(void);
void jpeg_vectors(void);
void part_vectors(void);

#endif
