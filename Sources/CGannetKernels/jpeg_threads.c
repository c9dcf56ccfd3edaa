#include "jpeg_threads.h"

#include <signal.h>

int gannet_jpeg_threads_start(gannet_jpeg_threads *threads, int most, void *(*work)(void *), void *contexts, size_t size) {
    pthread_attr_t attributes;
    threads->count = 0;
    if (pthread_attr_init(&attributes) != 0) return 0;
    pthread_attr_setstacksize(&attributes, 256 << 10);
    // Signals are for the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (threads->count < most && threads->count < JPEG_MOST_THREADS - 1) {
        void *context = (char *)contexts + (size_t)threads->count * size;
        if (pthread_create(&threads->threads[threads->count], &attributes, work, context) != 0) break;
        threads->count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return threads->count;
}

void gannet_jpeg_threads_join(gannet_jpeg_threads *threads) {
    while (threads->count > 0) pthread_join(threads->threads[--threads->count], NULL);
}
