// A separate process for librsvg, which terminates its process on some documents and draws for hours on others.
#if WITH_SVG
#include "gannet_svg.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char variable[] = "GANNET_SVG_WORKER";

typedef struct {
    gannet_svg_request request;
    gannet_svg_reply reply;
    gannet_svg *document;
} state;

static void *mapped(uint64_t bytes, int protection) {
    void *base = mmap(NULL, bytes, protection, MAP_SHARED, GANNET_WORKER_MEMORY, 0);
    return base == MAP_FAILED ? NULL : base;
}

static void carry_out(const gannet_svg_request *request, gannet_svg **document, gannet_svg_reply *reply) {
    reply->result = GANNET_SVG_MEMORY;
    gannet_worker_allow_memory(request->memory);
    if (request->kind == GANNET_SVG_READ) {
        gannet_svg_free(*document);
        *document = NULL;
        uint8_t *bytes = mapped(request->bytes, PROT_READ);
        if (bytes == NULL) return;
        *document = gannet_svg_new(bytes, request->bytes, &reply->result);
        munmap(bytes, request->bytes);
        if (*document != NULL) gannet_svg_size(*document, &reply->width, &reply->height);
    } else if (*document != NULL) {
        uint8_t *base = mapped(request->bytes, PROT_READ | PROT_WRITE);
        if (base == NULL) return;
        reply->result = gannet_svg_draw(
            *document, base, 4 * (size_t)request->width, request->width, request->height, NULL, NULL);
        munmap(base, request->bytes);
    }
    if (*document != NULL) snprintf(reply->message, sizeof reply->message, "%s", gannet_svg_message(*document));
}

static size_t answer(void *context) {
    state *own = context;
    memset(&own->reply, 0, sizeof own->reply);
    carry_out(&own->request, &own->document, &own->reply);
    return sizeof own->reply;
}

__attribute__((constructor)) static void serve_if_started_for_it(void) {
    static state own;
    gannet_worker_serve(variable, &own.request, sizeof own.request, &own.reply, answer, &own);
}

int gannet_svg_worker_start(gannet_worker *worker) { return gannet_worker_start(worker, variable); }

gannet_svg_result gannet_svg_worker_ask(
    const gannet_worker *worker, const gannet_svg_request *request, gannet_svg_reply *reply, int (*stop)(void *),
    void *context) {
    switch (gannet_worker_ask(worker, request, sizeof *request, reply, sizeof *reply, stop, context)) {
        case 0: break;
        case 1: return GANNET_SVG_STOPPED;
        default: return GANNET_SVG_DIED;
    }
    reply->message[sizeof reply->message - 1] = 0;
    return reply->result;
}

#endif
