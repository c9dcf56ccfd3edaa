#if WITH_JXL
#include "gannet_jxl.h"

#include <jxl/decode.h>
#include <jxl/memory_manager.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char variable[] = "GANNET_JXL_WORKER";

typedef struct {
    gannet_jxl_request request;
    uint8_t reply;
} state;

static void forget(void *context, size_t x, size_t y, size_t count, const void *pixels) {
    (void)context;
    (void)x;
    (void)y;
    (void)count;
    (void)pixels;
}

/// libjxl 0.11 reports a file as damaged if there is no memory for it. Ending the process here keeps the two apart.
static void *allocate_or_end(void *context, size_t size) {
    (void)context;
    void *memory = malloc(size);
    if (memory == NULL && size > 0) _exit(1);
    return memory;
}

static void release(void *context, void *memory) {
    (void)context;
    free(memory);
}

static void decode(const uint8_t *bytes, size_t count, uint32_t frames) {
    const JxlMemoryManager manager = {NULL, allocate_or_end, release};
    JxlDecoder *decoder = JxlDecoderCreate(&manager);
    if (decoder == NULL) return;
    const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE) == JXL_DEC_SUCCESS
        && JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
        && JxlDecoderSetInput(decoder, bytes, count) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        for (uint32_t shown = 0; shown < frames;) {
            const JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
            if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
                if (JxlDecoderSetImageOutCallback(decoder, &format, forget, NULL) != JXL_DEC_SUCCESS) break;
            } else if (status == JXL_DEC_FULL_IMAGE) {
                shown++;
            } else {
                break;
            }
        }
    }
    JxlDecoderDestroy(decoder);
}

static size_t answer(void *context) {
    state *own = context;
    gannet_worker_allow_memory(own->request.memory);
    void *bytes = mmap(NULL, own->request.bytes, PROT_READ, MAP_SHARED, GANNET_WORKER_MEMORY, 0);
    if (bytes == MAP_FAILED) _exit(1);
    decode(bytes, own->request.bytes, own->request.frames);
    munmap(bytes, own->request.bytes);
    own->reply = 1;
    return sizeof own->reply;
}

__attribute__((constructor)) static void serve_if_started_for_it(void) {
    static state own;
    gannet_worker_serve(variable, &own.request, sizeof own.request, &own.reply, answer, &own);
}

int gannet_jxl_worker_start(gannet_worker *worker) { return gannet_worker_start(worker, variable); }

int gannet_jxl_worker_ask(
    const gannet_worker *worker, const gannet_jxl_request *request, int (*stop)(void *), void *context) {
    uint8_t reply = 0;
    return gannet_worker_ask(worker, request, sizeof *request, &reply, sizeof reply, stop, context);
}

#endif
