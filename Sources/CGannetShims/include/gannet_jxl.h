// libjxl 0.7 ends its process where it has no memory, and takes as much memory and time as frames want that nobody is told of: one that
// only later ones refer to may be thousands of times as large as the picture.
#ifndef GANNET_JXL_H
#define GANNET_JXL_H

#include <stdint.h>

#include "gannet_worker.h"

typedef struct {
    /// Of the file in memory.
    uint64_t bytes;
    /// That the worker may take beside what it has.
    uint64_t memory;
    /// Decoded are so many, as they are shown.
    uint32_t frames;
} gannet_jxl_request;

/// As ``gannet_worker_start``, with GANNET_JXL_WORKER: a process that decodes pictures and keeps nothing of them. Its file in memory has the
/// file's bytes.
int gannet_jxl_worker_start(gannet_worker *worker);
/// As ``gannet_worker_ask``. 0 says that the picture was decoded, or is damaged, with no more memory than that.
int gannet_jxl_worker_ask(
    const gannet_worker *worker, const gannet_jxl_request *request, int (*stop)(void *), void *context);

#endif
