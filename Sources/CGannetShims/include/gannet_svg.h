// Plain functions over librsvg: no casts, no GError, memory in and pixels out.
#ifndef GANNET_SVG_H
#define GANNET_SVG_H
#include <stddef.h>
#include <stdint.h>

#include "gannet_worker.h"

/// The result of an entry function.
typedef enum {
    GANNET_SVG_OK = 0,
    GANNET_SVG_CORRUPT,    // see gannet_svg_message
    GANNET_SVG_LIMIT,      // librsvg or libxml2 refused the document as too large or too deep
    GANNET_SVG_MEMORY,
    GANNET_SVG_STOPPED,    // the caller's stop function returned non-zero
    GANNET_SVG_DIED        // the worker process has ended
} gannet_svg_result;

typedef struct gannet_svg gannet_svg;

/// Reads a document without a base URL, so that it can refer to nothing outside itself. Never NULL unless there is no memory;
/// `*result` says whether it was read.
gannet_svg *gannet_svg_new(const uint8_t *bytes, size_t count, gannet_svg_result *result);
void gannet_svg_free(gannet_svg *document);
/// Size in CSS pixels: the document's, else that of its view box, else 300 or 150 for a side that is missing. 0 if it is not above 0.
void gannet_svg_size(gannet_svg *document, double *width, double *height);
/// Draws the document over all `width` × `height` pixels: four bytes each, red first, premultiplied; they are cleared first.
/// `stop` is called between drawing operations.
gannet_svg_result gannet_svg_draw(
    gannet_svg *document, uint8_t *base, size_t stride, int width, int height, int (*stop)(void *), void *context);
const char *gannet_svg_message(const gannet_svg *document);

typedef enum { GANNET_SVG_READ = 1, GANNET_SVG_DRAW } gannet_svg_kind;

typedef struct {
    gannet_svg_kind kind;
    /// Size of the drawing in pixels.
    int32_t width;
    int32_t height;
    /// Size of the file in memory: the document's, or 4 × width × height.
    uint64_t bytes;
    /// Memory that the worker may use in addition to what it has.
    uint64_t memory;
} gannet_svg_request;

typedef struct {
    gannet_svg_result result;
    double width;
    double height;
    char message[256];
} gannet_svg_reply;

/// A process that does the same for one document at a time, and may end without harm: as ``gannet_worker_start``, with
/// GANNET_SVG_WORKER. Its file in memory holds the document's bytes, or the pixels.
int gannet_svg_worker_start(gannet_worker *worker);
/// As ``gannet_worker_ask``.
gannet_svg_result gannet_svg_worker_ask(
    const gannet_worker *worker, const gannet_svg_request *request, gannet_svg_reply *reply, int (*stop)(void *),
    void *context);

/// Loads the files with which the C library reads the encodings of documents, for a process that can open none later.
void gannet_svg_load_encodings(void);
/// Lets go of the fonts of this thread, and of the thread that looks them up, which ends soon. The next document opens them again.
void gannet_svg_end_threads(void);

/// A gzip document that is decompressed from its start in pieces of any size.
typedef struct gannet_svg_unpacker gannet_svg_unpacker;
/// The bytes must outlive the unpacker. NULL if there is no memory.
gannet_svg_unpacker *gannet_svg_unpacker_new(const uint8_t *packed, size_t count);
void gannet_svg_unpacker_free(gannet_svg_unpacker *unpacker);
/// Writes up to `room` bytes, and their number to `*made`; fewer only at the end of the stream, or if the compressed bytes end or
/// are damaged. `*ended` is 1 if the stream ended properly, 0 if there is more, 2 if bytes are missing, 3 if they are damaged.
void gannet_svg_unpack(gannet_svg_unpacker *unpacker, uint8_t *target, size_t room, size_t *made, int *ended);

#endif
