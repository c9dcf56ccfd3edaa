// libjxl 0.7 terminates its process when it runs out of memory. It also spends as much memory and time as hidden frames demand: a
// frame that only later frames refer to may be thousands of times as large as the image.
#ifndef GANNET_JXL_H
#define GANNET_JXL_H

#include <stdint.h>

#include "gannet_worker.h"

typedef struct {
    /// Size of the file in memory.
    uint64_t bytes;
    /// Memory that the worker may use in addition to what it has.
    uint64_t memory;
    /// Number of frames to decode, counted as they are shown.
    uint32_t frames;
} gannet_jxl_request;

/// As ``gannet_worker_start``, with GANNET_JXL_WORKER. The process decodes images and discards the pixels. Its file in memory
/// holds the encoded bytes.
int gannet_jxl_worker_start(gannet_worker *worker);
/// As ``gannet_worker_ask``. 0 means that the image was decoded, or found to be damaged, within the memory limit.
int gannet_jxl_worker_ask(
    const gannet_worker *worker, const gannet_jxl_request *request, int (*stop)(void *), void *context);

#endif
