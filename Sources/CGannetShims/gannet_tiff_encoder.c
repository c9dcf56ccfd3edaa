#if WITH_TIFF
#if !__has_include(<tiffio.h>)
#error "install libtiff-dev"
#endif
#include <stdlib.h>
#include <string.h>

#include "gannet_tiff_private.h"

typedef struct {
    uint8_t *bytes;
    size_t capacity;
    size_t count;
    size_t position;
    size_t maximum;
} sink;

static tmsize_t read_proc(thandle_t handle, void *out, tmsize_t size) {
    sink *to = (sink *)handle;
    if (size <= 0 || to->position >= to->count) return 0;
    size_t length = (size_t)size < to->count - to->position ? (size_t)size : to->count - to->position;
    memcpy(out, to->bytes + to->position, length);
    to->position += length;
    return (tmsize_t)length;
}

static tmsize_t write_proc(thandle_t handle, void *in, tmsize_t size) {
    sink *to = (sink *)handle;
    if (size <= 0) return 0;
    if (to->position > to->maximum || (size_t)size > to->maximum - to->position) return -1;
    size_t end = to->position + (size_t)size;
    if (end > to->capacity) {
        size_t capacity = end < 4096 ? 4096 : end + end / 2;
        uint8_t *grown = realloc(to->bytes, capacity);
        if (grown == NULL) return -1;
        to->bytes = grown;
        to->capacity = capacity;
    }
    // A seek beyond the end leaves a gap of zeros.
    if (to->position > to->count) memset(to->bytes + to->count, 0, to->position - to->count);
    memcpy(to->bytes + to->position, in, (size_t)size);
    to->position = end;
    if (end > to->count) to->count = end;
    return size;
}

static toff_t seek_proc(thandle_t handle, toff_t offset, int whence) {
    sink *to = (sink *)handle;
    toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? to->position : to->count;
    to->position = (size_t)(base + offset);
    return (toff_t)to->position;
}

static int close_proc(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_proc(thandle_t handle) { return ((sink *)handle)->count; }

static int drop(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)context, (void)module, (void)format, (void)arguments;
    return 1;
}

static void pack(const uint8_t *in, uint8_t *out, uint32_t width, size_t sample, size_t samples) {
    if (samples == 4) {
        memcpy(out, in, width * 4 * sample);
        return;
    }
    for (uint32_t x = 0; x < width; x++) memcpy(out + x * 3 * sample, in + x * 4 * sample, 3 * sample);
}

static int write_page(
    TIFF *tiff, const uint8_t *base, size_t stride, uint32_t width, uint32_t height, int is_deep, int has_alpha, int level) {
    const size_t sample = is_deep ? 2 : 1, samples = has_alpha ? 4 : 3;
    const size_t row_bytes = width * sample * samples;
    uint32_t in_strip = row_bytes > 65536 ? 1 : (uint32_t)(65536 / row_bytes);
    if (in_strip > height) in_strip = height;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * sample));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, (int)samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, in_strip);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, level);
    if (has_alpha) {
        uint16_t kind = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    uint8_t *strip = malloc(row_bytes * in_strip);
    int goes_on = strip != NULL;
    for (uint32_t y = 0; goes_on && y < height; y += in_strip) {
        uint32_t now = height - y < in_strip ? height - y : in_strip;
        for (uint32_t row = 0; row < now; row++)
            pack(base + (y + row) * stride, strip + row * row_bytes, width, sample, samples);
        goes_on = TIFFWriteEncodedStrip(tiff, y / in_strip, strip, (tmsize_t)(row_bytes * now)) >= 0;
    }
    free(strip);
    return goes_on && TIFFWriteDirectory(tiff);
}

uint8_t *gannet_tiff_encode(
    const uint8_t *base, size_t stride, uint32_t width, uint32_t height, int is_deep, int has_alpha, int level,
    size_t maximum_bytes, size_t *count) {
    sink to = {NULL, 0, 0, 0, maximum_bytes};
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, drop, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop, NULL);
    TIFF *tiff = TIFFClientOpenExt(
        "memory", "wl", (thandle_t)&to, read_proc, write_proc, seek_proc, close_proc, size_proc, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (tiff == NULL) {
        free(to.bytes);
        return NULL;
    }
    int is_whole = write_page(tiff, base, stride, width, height, is_deep, has_alpha, level);
    TIFFClose(tiff);
    if (!is_whole) {
        free(to.bytes);
        return NULL;
    }
    *count = to.count;
    return to.bytes;
}

#endif
