#if WITH_TIFF
#if !__has_include(<tiffio.h>)
#error "install libtiff-dev"
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gannet_tiff_private.h"

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

gannet_tiff_result gannet_tiff_fail(gannet_tiff *file, gannet_tiff_fault fault, const char *message) {
    if (file->fault == GANNET_TIFF_FAULT_NONE) file->fault = fault;
    if (message != NULL && (file->message[0] == 0 || fault != GANNET_TIFF_FAULT_CORRUPT))
        snprintf(file->message, sizeof file->message, "%s", message);
    return GANNET_TIFF_FAILED;
}

int gannet_tiff_is_stopped(gannet_tiff *file) {
    if (file->stop == NULL || file->stop(file->context) == 0) return 0;
    gannet_tiff_fail(file, GANNET_TIFF_FAULT_STOPPED, "stopped");
    return 1;
}

void gannet_tiff_lend_signals(gannet_tiff *file, const float *signals) { file->signals = signals; }
float gannet_tiff_peak(const gannet_tiff *file) { return file->peak; }

gannet_tiff_fault gannet_tiff_fault_of(const gannet_tiff *file) { return file->fault; }
const char *gannet_tiff_message(const gannet_tiff *file) { return file->message; }

// MARK: - Opening

gannet_tiff *gannet_tiff_new(size_t maximum_allocation, int (*stop)(void *), void *context) {
    gannet_tiff *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    file->maximum_allocation = maximum_allocation;
    file->stop = stop;
    file->context = context;
    return file;
}

void gannet_tiff_lend(gannet_tiff *file, const uint8_t *bytes, size_t count) {
    file->bytes = bytes;
    file->count = count;
}

void gannet_tiff_free(gannet_tiff *file) {
    if (file == NULL) return;
    if (file->tiff != NULL) TIFFClose(file->tiff);
    free(file);
}

// Opens the page by its offset, so that no chain of directories is walked.
static int open_file(gannet_tiff *file, uint64_t offset) {
    if (file->tiff != NULL) TIFFClose(file->tiff);
    file->tiff = NULL;
    file->position = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return 0;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)file->maximum_allocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, file);
    // Not memory-mapped: the library would keep a pointer to the bytes, which may be elsewhere the next time they are lent.
    file->tiff = TIFFClientOpenExt(
        "memory", "rm", (thandle_t)file, read_proc, write_proc, seek_proc, close_proc, size_proc, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return file->tiff != NULL
           && (TIFFCurrentDirOffset(file->tiff) == offset || TIFFSetSubDirectory(file->tiff, offset));
}

int gannet_tiff_number(TIFF *tiff, uint32_t tag, int fallback) {
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

/// Entries have 16 bits, but many old writers store 8-bit values: then no entry is larger.
static int palette_scale(const gannet_tiff_plan *plan) {
    for (size_t index = 0; index < (size_t)1 << plan->bits; index++)
        if ((plan->red[index] | plan->green[index] | plan->blue[index]) > 255) return 1;
    return 257;
}

/// Chooses the sample for each channel, and notes what the page needs. 0: unsupported.
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
        uint16_t *red = NULL, *green = NULL, *blue = NULL;
        // With separate planes, an index is kept in one byte until the other planes are there.
        const int most = gannet_tiff_number(file->tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_CONTIG ? 16 : 8;
        if (plan->bits > most || plan->format == SAMPLEFORMAT_IEEEFP
            || !TIFFGetField(file->tiff, TIFFTAG_COLORMAP, &red, &green, &blue))
            return 0;
        plan->red = red;
        plan->green = green;
        plan->blue = blue;
        plan->palette_scale = palette_scale(plan);
        colours = 1;
        break;
    }
    case PHOTOMETRIC_RGB:
        break;
    case PHOTOMETRIC_SEPARATED:
        if (gannet_tiff_number(file->tiff, TIFFTAG_INKSET, INKSET_CMYK) != INKSET_CMYK) return 0;
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
    // Not the default value: libtiff invents one if the tag is missing.
    if (!TIFFGetField(file->tiff, TIFFTAG_EXTRASAMPLES, &extras, &kinds)) extras = 0;
    for (int index = 0; index < extras && colours + index < samples && page->model != GANNET_TIFF_CMYK; index++) {
        if (kinds[index] == EXTRASAMPLE_UNSPECIFIED) continue;
        plan->source[3] = colours + index;
        page->has_alpha = 1;
        page->is_premultiplied = kinds[index] == EXTRASAMPLE_ASSOCALPHA;
        break;
    }
    // The required ExtraSamples tag is missing, as in OpenCV's files. All readers take the fourth sample as straight alpha.
    if (photometric == PHOTOMETRIC_RGB && extras == 0 && samples == 4) {
        plan->source[3] = 3;
        page->has_alpha = 1;
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

size_t gannet_tiff_chunk_bytes(const gannet_tiff *file) {
    if (TIFFIsTiled(file->tiff)) {
        tmsize_t tile = TIFFTileSize(file->tiff);
        return tile <= 0 ? SIZE_MAX : (size_t)tile;
    }
    tmsize_t strip = TIFFStripSize(file->tiff), row = TIFFScanlineSize(file->tiff);
    if (strip <= 0 || row <= 0) return SIZE_MAX;
    return (size_t)(strip <= whole_strip_bytes ? strip : row);
}

size_t gannet_tiff_line_bytes(const gannet_tiff *file) {
    uint32_t across = file->width;
    if (TIFFIsTiled(file->tiff)) TIFFGetField(file->tiff, TIFFTAG_TILEWIDTH, &across);
    return saturating(across, (uint64_t)file->plan.samples, 2);
}

size_t gannet_tiff_work_bytes(const gannet_tiff *file) {
    if (file->by_library) return saturating(file->width, file->height, 4);
    return added(gannet_tiff_chunk_bytes(file), gannet_tiff_line_bytes(file));
}

/// Replaces impossible coefficients with the defaults for files that have none (TIFF 6.0, section 21).
static void repair_coefficients(TIFF *tiff) {
    static const float usual[3] = {0.299f, 0.587f, 0.114f};
    float *stored = NULL;
    if (TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRCOEFFICIENTS, &stored) && stored != NULL && stored[1] > 0 && stored[0] >= 0
        && stored[2] >= 0 && stored[0] + stored[1] + stored[2] < 2)
        return;
    TIFFSetField(tiff, TIFFTAG_YCBCRCOEFFICIENTS, usual);
}

/// True for codecs whose decoders stay within their output buffer. JBIG's terminates the process if it gets no memory, and takes
/// its size from the data; nothing is known about other codecs that a libtiff may have.
static int is_known_compression(int compression) {
    static const uint16_t known[] = {
        COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
        COMPRESSION_LZW, COMPRESSION_OJPEG, COMPRESSION_JPEG, COMPRESSION_NEXT, COMPRESSION_THUNDERSCAN,
        COMPRESSION_PACKBITS, COMPRESSION_DEFLATE, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PIXARLOG,
        COMPRESSION_SGILOG, COMPRESSION_SGILOG24, COMPRESSION_LZMA, COMPRESSION_ZSTD, COMPRESSION_WEBP,
        COMPRESSION_LERC,
    };
    for (size_t index = 0; index < sizeof known / sizeof known[0]; index++)
        if (known[index] == compression) return TIFFIsCODECConfigured((uint16_t)compression);
    return 0;
}

gannet_tiff_result gannet_tiff_select(gannet_tiff *file, uint64_t offset, gannet_tiff_page *page) {
    *page = (gannet_tiff_page){0};
    file->plan = (gannet_tiff_plan){0};
    file->by_library = file->is_cmyk = 0;
    if (!open_file(file, offset)) return gannet_tiff_fail(file, GANNET_TIFF_FAULT_CORRUPT, "its directory cannot be read");
    TIFF *tiff = file->tiff;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &file->width) || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &file->height)
        || file->width == 0 || file->height == 0)
        return gannet_tiff_fail(file, GANNET_TIFF_FAULT_CORRUPT, "it says no size");
    const int samples = gannet_tiff_number(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    const int compression = gannet_tiff_number(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    uint16_t stored = 0;
    int photometric = TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &stored) ? stored
                      : samples >= 3                                   ? PHOTOMETRIC_RGB
                                                                       : PHOTOMETRIC_MINISBLACK;
    if (!is_known_compression(compression))
        return gannet_tiff_fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, "its compression is not read here");
    const int is_apart = gannet_tiff_number(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) != PLANARCONFIG_CONTIG;
    // With separate planes the codec sees one plane at a time, and cannot convert colours.
    if (compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR && !is_apart) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    page->width = file->width;
    page->height = file->height;
    page->orientation = gannet_tiff_number(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    page->bits = file->plan.bits = gannet_tiff_number(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &page->profile_bytes, &profile)) page->profile = profile;
    else page->profile_bytes = 0;
    gannet_tiff_plan *plan = &file->plan;
    plan->format = gannet_tiff_number(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    plan->samples = samples;
    plan->highest = 1;
    file->by_library = photometric == PHOTOMETRIC_YCBCR || photometric == PHOTOMETRIC_LOGL
                       || photometric == PHOTOMETRIC_LOGLUV || compression == COMPRESSION_OJPEG;
    if (file->by_library) {
        char why[1024] = "";
        if (photometric == PHOTOMETRIC_YCBCR) repair_coefficients(tiff);
        uint16_t across = 1, down = 1;
        if (photometric == PHOTOMETRIC_YCBCR && is_apart
            && TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, &across, &down) && (across != 1 || down != 1))
            return gannet_tiff_fail(
                file, GANNET_TIFF_FAULT_UNSUPPORTED, "its planes of colour are smaller than that of brightness");
        if (!TIFFRGBAImageOK(tiff, why)) return gannet_tiff_fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, why);
        page->model = GANNET_TIFF_RGB;
        page->bits = 8;
    } else {
        if (!is_known_depth(plan->bits, plan->format))
            return gannet_tiff_fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, "its samples are of a kind that is not known");
        if (plan->format == SAMPLEFORMAT_IEEEFP) {
            double low = 0, high = 1;
            plan->is_light = photometric == PHOTOMETRIC_RGB && page->profile == NULL;
            if (TIFFGetField(tiff, TIFFTAG_SMINSAMPLEVALUE, &low) && TIFFGetField(tiff, TIFFTAG_SMAXSAMPLEVALUE, &high)
                && high > low) {
                plan->lowest = low;
                plan->highest = high;
                plan->is_light = 0;
            }
        }
        if (!choose_channels(file, photometric, samples, page))
            return gannet_tiff_fail(file, GANNET_TIFF_FAULT_UNSUPPORTED, "its colours are of a kind that is not known");
    }
    // Premultiplied light cannot be turned into a signal.
    if (page->is_premultiplied) plan->is_light = 0;
    page->is_light = plan->is_light;
    file->is_cmyk = page->model == GANNET_TIFF_CMYK;
    page->work_bytes = gannet_tiff_work_bytes(file);
    page->has_parts = !file->by_library && (file->plan.samples == 1 || !is_apart);
    file->message[0] = 0;
    return GANNET_TIFF_OK;
}

#endif
