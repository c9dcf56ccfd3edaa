// Threads that work for the owner of a decode until it ends. Private to the JPEG kernels.
#ifndef JPEG_THREADS_H
#define JPEG_THREADS_H
#include <pthread.h>
#include <stddef.h>

// What is worth a thread: bytes for each to read, and MCUs of the image. Fuzzers and vectors of small files are built with GANNET_JPEG_EAGER.
#ifdef GANNET_JPEG_EAGER
enum { JPEG_LEAST_BYTES = 1 << 10, JPEG_LEAST_MCUS = 16 };
#else
enum { JPEG_LEAST_BYTES = 96 << 10, JPEG_LEAST_MCUS = 4096 };
#endif

/// The owner's included.
enum { JPEG_MOST_THREADS = 8 };

typedef struct {
    pthread_t threads[JPEG_MOST_THREADS - 1];
    int count;
} gannet_jpeg_threads;

/// Starts up to `most` threads, which take no signals, and says how many there are: the first one that the system refuses is the last one
/// that is tried. Each gets a context; these lie `size` bytes apart.
int gannet_jpeg_threads_start(gannet_jpeg_threads *threads, int most, void *(*work)(void *), void *contexts, size_t size);
/// Waits until all of them have ended.
void gannet_jpeg_threads_join(gannet_jpeg_threads *threads);

#endif
