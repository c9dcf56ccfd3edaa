#if WITH_TIFF
#if !__has_include(<tiffio.h>)
#error "install libtiff-dev"
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gannet_tiff_private.h"

// Strips up to this size are decoded in one go, which is faster; larger ones row by row.
enum { whole_strip_bytes = 16 << 20 };

struct gannet_tiff {
    TIFF *tiff;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    size_t maximum_allocation;
    int (*stop)(void *);
    void *context;
    gannet_tiff_fault fault;
    char message[256];
    gannet_tiff_plan plan;
    uint32_t width;
    uint32_t height;
    int by_library;  // the library's own conversion to RGBA is used
    int is_cmyk;
};

// MARK: - Memory as a file

static tmsize_t read_proc(thandle_t handle, void *out, tmsize_t size) {
    gannet_tiff *file = (gannet_tiff *)handle;
    if (size <= 0 || file->position >= file->count) return 0;
    size_t left = file->count - file->position;
    size_t length = (size_t)size < left ? (size_t)size : left;
    memcpy(out, file->bytes + file->position, length);
    file->position += length;
    return (tmsize_t)length;
}

static tmsize_t write_proc(thandle_t handle, void *in, tmsize_t size) {
    (void)handle, (void)in, (void)size;
    return -1;
}

static toff_t seek_proc(thandle_t handle, toff_t offset, int whence) {
    gannet_tiff *file = (gannet_tiff *)handle;
    toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->count;
    file->position = (size_t)(base + offset);
    return (toff_t)file->position;
}

static int close_proc(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_proc(thandle_t handle) { return ((gannet_tiff *)handle)->count; }

static int map_proc(thandle_t handle, void **base, toff_t *size) {
    gannet_tiff *file = (gannet_tiff *)handle;
    *base = (void *)(uintptr_t)file->bytes;
    *size = file->count;
    return 1;
}

static void unmap_proc(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

// MARK: - Errors

static int keep_error(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    gannet_tiff *file = context;
    if (file->message[0] == 0) vsnprintf(file->message, sizeof file->message, format, arguments);
    return 1;
}

static int drop_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)context, (void)module, (void)format, (void)arguments;
    return 1;
}

static gannet_tiff_result fail(gannet_tiff *file, gannet_tiff_fault fault, const char *message) {
    if (file->fault == GANNET_TIFF_FAULT_NONE) file->fault = fault;
    if (message != NULL && (file->message[0] == 0 || fault != GANNET_TIFF_FAULT_CORRUPT))
        snprintf(file->message, sizeof file->message, "%s", message);
    return GANNET_TIFF_FAILED;
}

static int is_stopped(gannet_tiff *file) {
    if (file->stop == NULL || file->stop(file->context) == 0) return 0;
    fail(file, GANNET_TIFF_FAULT_STOPPED, "stopped");
    return 1;
}

gannet_tiff_fault gannet_tiff_fault_of(const gannet_tiff *file) { return file->fault; }
const char *gannet_tiff_message(const gannet_tiff *file) { return file->message; }

// MARK: - Opening

gannet_tiff *gannet_tiff_new(
    const uint8_t *bytes, size_t count, size_t maximum_allocation, int (*stop)(void *), void *context) {
    gannet_tiff *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    file->bytes = bytes;
    file->count = count;
    file->maximum_allocation = maximum_allocation;
    file->stop = stop;
    file->context = context;
    return file;
}

void gannet_tiff_free(gannet_tiff *file) {
    if (file == NULL) return;
    if (file->tiff != NULL) TIFFClose(file->tiff);
    free(file);
}

// Goes to the page by its place, so that no chain of directories is walked.
static int open_file(gannet_tiff *file, uint64_t offset) {
    if (file->tiff != NULL) TIFFClose(file->tiff);
    file->tiff = NULL;
    file->position = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return 0;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)file->maximum_allocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, file);
    file->tiff = TIFFClientOpenExt(
        "memory", "r", (thandle_t)file, read_proc, write_proc, seek_proc, close_proc, size_proc, map_proc, unmap_proc,
        options);
    TIFFOpenOptionsFree(options);
    return file->tiff != NULL
           && (TIFFCurrentDirOffset(file->tiff) == offset || TIFFSetSubDirectory(file->tiff, offset));
}

static int number(TIFF *tiff, uint32_t tag, int fallback) {
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

/// Which sample each channel takes, and what the page needs. 0: unsupported.
static int choose_channels(gannet_tiff *file, int photometric, int samples, gannet_tiff_page *page) {
    gannet_tiff_plan *plan = &file->plan;
    int colours = 3;
    page->model = GANNET_TIFF_RGB;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        colours = 1;
        page->model = GANNET_TIFF_GRAY;
        plan->inverts = photometric == PHOTOMETRIC_MINISWHITE;
        break;
    case PHOTOMETRIC_PALETTE: {
        uint16_t *red, *green, *blue;
        if (plan->bits > 8 || plan->format == SAMPLEFORMAT_IEEEFP
            || !TIFFGetField(file->tiff, TIFFTAG_COLORMAP, &red, &green, &blue))
            return 0;
        plan->red = red;
        plan->green = green;
        plan->blue = blue;
        colours = 1;
        break;
    }
    case PHOTOMETRIC_RGB:
        break;
    case PHOTOMETRIC_SEPARATED:
        if (number(file->tiff, TIFFTAG_INKSET, INKSET_CMYK) != INKSET_CMYK) return 0;
        colours = 4;
        page->model = GANNET_TIFF_CMYK;
        break;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB:
        if (plan->bits != 8 && plan->bits != 16) return 0;
        plan->lab = photometric;
        page->was_lab = 1;
        break;
    default: return 0;
    }
    if (samples < colours) return 0;
    for (int channel = 0; channel < 4; channel++)
        plan->source[channel] = channel < colours ? channel : colours == 1 && channel < 3 ? 0 : -1;
    uint16_t extras = 0;
    uint16_t *kinds = NULL;
    TIFFGetFieldDefaulted(file->tiff, TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    for (int index = 0; index < extras && colours + index < samples && page->model != GANNET_TIFF_CMYK; index++) {
        if (kinds[index] == EXTRASAMPLE_UNSPECIFIED) continue;
        plan->source[3] = colours + index;
        page->has_alpha = 1;
        page->is_premultiplied = kinds[index] == EXTRASAMPLE_ASSOCALPHA;
        break;
    }
    return 1;
}

static int is_known_depth(int bits, int format) {
    switch (format) {
    case SAMPLEFORMAT_IEEEFP: return bits == 16 || bits == 24 || bits == 32 || bits == 64;
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_INT:
    case SAMPLEFORMAT_VOID: return (bits >= 1 && bits <= 32) || bits == 64;
    default: return 0;
    }
}

static size_t saturating(uint64_t a, uint64_t b, uint64_t c) {
    unsigned __int128 product = (unsigned __int128)a * b * c;
    return product > SIZE_MAX ? SIZE_MAX : (size_t)product;
}

static size_t added(size_t a, size_t b) { return a + b < a ? SIZE_MAX : a + b; }

/// Decoded bytes of a strip or tile, or of a row of a strip that is too large.
static size_t chunk_bytes(const gannet_tiff *file) {
    if (TIFFIsTiled(file->tiff)) {
        tmsize_t tile = TIFFTileSize(file->tiff);
        return tile <= 0 ? SIZE_MAX : (size_t)tile;
    }
    tmsize_t strip = TIFFStripSize(file->tiff), row = TIFFScanlineSize(file->tiff);
    if (strip <= 0 || row <= 0) return SIZE_MAX;
    return (size_t)(strip <= whole_strip_bytes ? strip : row);
}

/// One row of samples of 16 bits.
static size_t line_bytes(const gannet_tiff *file) {
    uint32_t across = file->width;
    if (TIFFIsTiled(file->tiff)) TIFFGetField(file->tiff, TIFFTAG_TILEWIDTH, &across);
    return saturating(across, (uint64_t)file->plan.samples, 2);
}

static size_t work_bytes(const gannet_tiff *file) {
    if (file->by_library) return saturating(file->width, file->height, 4);
    return added(chunk_bytes(file), line_bytes(file));
}

gannet_tiff_result gannet_tiff_select(gannet_tiff *file, uint64_t offset, gannet_tiff_page *page) {
    *page = (gannet_tiff_page){0};
    file->plan = (gannet_tiff_plan){0};
    file->by_library = file->is_cmyk = 0;
    if (!open_file(file, offset)) return fail(file, GANNET_TIFF_FAULT_CORRUPT, "its directory cannot be read");
    TIFF *tiff = file->tiff;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &file->width) || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &file->height)
        || file->width == 0 || file->height == 0)
        return fail(file, GANNET_TIFF_FAULT_CORRUPT, "it says no size");
    const int samples = number(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    const int compression = number(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    uint16_t stored = 0;
    int photometric = TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &stored) ? stored
                      : samples >= 3                                   ? PHOTOMETRIC_RGB
                                                                       : PHOTOMETRIC_MINISBLACK;
    if (!TIFFIsCODECConfigured((uint16_t)compression))
        return fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, "libtiff here does not know its compression");
    if (compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    page->width = file->width;
    page->height = file->height;
    page->orientation = number(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    page->bits = file->plan.bits = number(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &page->profile_bytes, &profile)) page->profile = profile;
    else page->profile_bytes = 0;
    gannet_tiff_plan *plan = &file->plan;
    plan->format = number(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    plan->samples = samples;
    plan->highest = 1;
    file->by_library = photometric == PHOTOMETRIC_YCBCR || photometric == PHOTOMETRIC_LOGL
                       || photometric == PHOTOMETRIC_LOGLUV || compression == COMPRESSION_OJPEG;
    if (file->by_library) {
        char why[1024] = "";
        if (!TIFFRGBAImageOK(tiff, why)) return fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, why);
        page->model = GANNET_TIFF_RGB;
        page->bits = 8;
    } else {
        if (!is_known_depth(plan->bits, plan->format))
            return fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, "its samples are of a kind that is not known");
        if (plan->format == SAMPLEFORMAT_IEEEFP) {
            double low = 0, high = 1;
            if (TIFFGetField(tiff, TIFFTAG_SMINSAMPLEVALUE, &low) && TIFFGetField(tiff, TIFFTAG_SMAXSAMPLEVALUE, &high)
                && high > low) {
                plan->lowest = low;
                plan->highest = high;
            }
        }
        if (!choose_channels(file, photometric, samples, page))
            return fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, "its colours are of a kind that is not known");
    }
    file->is_cmyk = page->model == GANNET_TIFF_CMYK;
    page->work_bytes = work_bytes(file);
    file->message[0] = 0;
    return GANNET_TIFF_OK;
}

// MARK: - Reading

static gannet_tiff_result read_by_library(gannet_tiff *file, uint8_t *base, size_t stride, int is_deep, uint32_t *rows) {
    char why[1024] = "";
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, file->tiff, 1, why)) return fail(file, GANNET_TIFF_FAULT_CORRUPT, why);
    image.req_orientation = image.orientation;  // turned later, as all pictures are
    uint32_t *raster = malloc((size_t)file->width * file->height * 4);
    int is_whole = raster != NULL && !is_stopped(file) && TIFFRGBAImageGet(&image, raster, file->width, file->height);
    TIFFRGBAImageEnd(&image);
    if (is_whole) {
        for (uint32_t y = 0; y < file->height; y++) {
            const uint32_t *row = raster + (size_t)y * file->width;
            uint8_t *out = base + y * stride;
            for (uint32_t x = 0; x < file->width; x++) {
                const uint8_t pixel[4] = {
                    (uint8_t)TIFFGetR(row[x]), (uint8_t)TIFFGetG(row[x]), (uint8_t)TIFFGetB(row[x]), 255};
                for (int channel = 0; channel < 4; channel++) {
                    uint16_t deep = (uint16_t)(pixel[channel] * 257);
                    if (is_deep) memcpy(out + 8 * (size_t)x + 2 * channel, &deep, 2);
                    else out[4 * (size_t)x + (size_t)channel] = pixel[channel];
                }
            }
        }
        *rows = file->height;
    }
    free(raster);
    if (is_whole) return GANNET_TIFF_OK;
    return fail(file, raster == NULL ? GANNET_TIFF_FAULT_MEMORY : GANNET_TIFF_FAULT_CORRUPT, "its pixels cannot be read");
}

typedef struct {
    uint8_t *chunk;
    uint16_t *line;
    uint8_t *base;
    size_t stride;
    size_t pixel_bytes;
} target;

static void expand(gannet_tiff *file, const target *to, const uint8_t *in, uint32_t x, uint32_t y, size_t count, int channel) {
    uint8_t *out = to->base + y * to->stride + x * to->pixel_bytes;
    if (channel < 0) gannet_tiff_expand(&file->plan, in, count, out, to->line);
    else gannet_tiff_expand_plane(&file->plan, in, count, out, channel, to->line);
}

static int read_strips(gannet_tiff *file, const target *to, int plane, int channel, uint32_t *rows) {
    TIFF *tiff = file->tiff;
    const size_t row_bytes = (size_t)TIFFScanlineSize(tiff);
    const int is_by_row = TIFFStripSize(tiff) > whole_strip_bytes;
    uint32_t in_strip = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &in_strip);
    if (in_strip == 0 || in_strip > file->height) in_strip = file->height;
    for (uint32_t y = 0; y < file->height;) {
        if ((!is_by_row || y % 16 == 0) && is_stopped(file)) return 0;
        uint32_t now = is_by_row ? 1 : file->height - y < in_strip ? file->height - y : in_strip;
        if (is_by_row) {
            if (TIFFReadScanline(tiff, to->chunk, y, (uint16_t)plane) < 0) return 0;
        } else {
            tmsize_t wanted = (tmsize_t)(now * row_bytes);
            tmsize_t came = TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, (uint16_t)plane), to->chunk, wanted);
            if (came < wanted) return 0;
        }
        for (uint32_t row = 0; row < now; row++)
            expand(file, to, to->chunk + row * row_bytes, 0, y + row, file->width, channel);
        y += now;
        *rows = y;
    }
    return 1;
}

static int read_tiles(gannet_tiff *file, const target *to, int plane, int channel, uint32_t *rows) {
    TIFF *tiff = file->tiff;
    uint32_t across = 0, down = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
    if (across == 0 || down == 0) return 0;
    const tmsize_t bytes = TIFFTileSize(tiff);
    const size_t row_bytes = (size_t)TIFFTileRowSize(tiff);
    for (uint64_t y = 0; y < file->height; y += down) {
        uint32_t high = file->height - y < down ? (uint32_t)(file->height - y) : down;
        for (uint64_t x = 0; x < file->width; x += across) {
            if (is_stopped(file)) return 0;
            uint32_t tile = TIFFComputeTile(tiff, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane);
            if (TIFFReadEncodedTile(tiff, tile, to->chunk, bytes) < bytes) return 0;
            size_t wide = file->width - x < across ? (size_t)(file->width - x) : across;
            for (uint32_t row = 0; row < high; row++)
                expand(file, to, to->chunk + row * row_bytes, (uint32_t)x, (uint32_t)y + row, wide, channel);
        }
        *rows = (uint32_t)y + high;
    }
    return 1;
}

static int read_planes(gannet_tiff *file, const target *to, uint32_t *rows) {
    const int is_tiled = TIFFIsTiled(file->tiff);
    const int is_apart =
        file->plan.samples > 1 && number(file->tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    if (!is_apart) return is_tiled ? read_tiles(file, to, 0, -1, rows) : read_strips(file, to, 0, -1, rows);
    uint32_t whole = file->height;
    file->plan.samples = 1;
    for (int channel = 0; channel < 4; channel++) {
        int plane = file->plan.source[channel];
        // Grey: one plane for three channels.
        if (plane < 0 || (channel > 0 && plane == 0)) continue;
        uint32_t came = 0;
        int goes_on = is_tiled ? read_tiles(file, to, plane, channel, &came) : read_strips(file, to, plane, channel, &came);
        if (came < whole) whole = came;
        if (!goes_on) return 0;
    }
    for (uint32_t y = 0; y < file->height; y++)
        gannet_tiff_finish_planes(&file->plan, file->width, to->base + y * to->stride);
    *rows = whole;
    return 1;
}

gannet_tiff_result gannet_tiff_read(
    gannet_tiff *file, uint8_t *base, size_t stride, int is_deep, int is_raw, uint32_t *rows) {
    *rows = 0;
    if (file->by_library) return read_by_library(file, base, stride, is_deep, rows);
    file->plan.is_deep = is_deep && !file->is_cmyk;
    file->plan.is_raw = is_raw;
    if (work_bytes(file) > file->maximum_allocation)
        return fail(file, GANNET_TIFF_FAULT_MEMORY, "its strips or tiles are too large");
    // Zeros, so that what a codec leaves out is not somebody else's memory.
    target to = {calloc(1, chunk_bytes(file) + 1), malloc(line_bytes(file) + 2), base, stride, file->plan.is_deep ? 8 : 4};
    int is_whole = to.chunk != NULL && to.line != NULL && read_planes(file, &to, rows);
    gannet_tiff_fault fault = to.chunk == NULL || to.line == NULL ? GANNET_TIFF_FAULT_MEMORY : GANNET_TIFF_FAULT_CORRUPT;
    free(to.chunk);
    free(to.line);
    return is_whole ? GANNET_TIFF_OK : fail(file, fault, "its pixels cannot be read");
}

#endif
