#if WITH_RAW
// For RTLD_DEFAULT.
#define _GNU_SOURCE
#if !__has_include(<libraw/libraw.h>)
#error "install libraw-dev"
#endif
#include "gannet_raw.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libraw/libraw.h>

struct gannet_raw {
    libraw_data_t *data;
    int (*stop)(void *);
    void *context;
    int is_stopped;
    int is_short;
    int is_damaged;
    char message[96];
};

// MARK: Calls from the library

static int go_on(void *user, enum LibRaw_progress stage, int iteration, int expected) {
    (void)stage, (void)iteration, (void)expected;
    gannet_raw *self = user;
    if (!self->is_stopped && self->stop(self->context) != 0) self->is_stopped = 1;
    return self->is_stopped;
}

// Offsets in files are 64 bits wide since version 0.22.
#if LIBRAW_MAJOR_VERSION == 0 && LIBRAW_MINOR_VERSION < 22
typedef int raw_offset;
#else
typedef INT64 raw_offset;
#endif

static void note_damage(void *user, const char *file, const raw_offset offset) {
    (void)file;
    gannet_raw *self = user;
    if (offset < 0) self->is_short = 1;
    self->is_damaged = 1;
}

// MARK: Opening

// Debian's LibRaw is built with OpenMP, whose threads would not end with the decode.
static void use_one_thread(void) {
    void (*set_threads)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    if (set_threads != NULL) set_threads(1);
}

#if LIBRAW_MAJOR_VERSION == 0 && LIBRAW_MINOR_VERSION < 21
#define LIBRAW_OPTIONS_NO_DATAERR_CALLBACK LIBRAW_OPIONS_NO_DATAERR_CALLBACK
#endif

static void set_options(libraw_data_t *data, uint64_t maximum_bytes) {
    const uint64_t megabytes = maximum_bytes >> 20;
    const unsigned most = megabytes < 1 ? 1 : megabytes > 1 << 20 ? 1 << 20 : (unsigned)megabytes;
#if LIBRAW_MAJOR_VERSION == 0 && LIBRAW_MINOR_VERSION < 21
    data->params.max_raw_memory_mb = most;
    data->params.raw_processing_options |= LIBRAW_PROCESSING_CAMERAWB_FALLBACK_TO_DAYLIGHT;
    data->params.use_rawspeed = 0;
#else
    data->rawparams.max_raw_memory_mb = most;
    data->rawparams.options |= LIBRAW_RAWOPTIONS_CAMERAWB_FALLBACK_TO_DAYLIGHT;
    data->rawparams.use_rawspeed = 0;
#endif
    // Nothing may depend on what is in the picture: a small size must look like a large one.
    data->params.use_camera_wb = 1;
    data->params.use_auto_wb = 0;
    data->params.no_auto_bright = 1;
    // sRGB.
    data->params.output_color = 1;
    data->params.output_bps = 16;
    // Orientation is the caller's.
    data->params.user_flip = 0;
    // PPG: less than half of the time that AHD takes.
    data->params.user_qual = 2;
}

static gannet_raw_result result_of(gannet_raw *self, int code) {
    if (code == LIBRAW_SUCCESS) return GANNET_RAW_OK;
    strncpy(self->message, libraw_strerror(code), sizeof self->message - 1);
    if (self->is_stopped) return GANNET_RAW_STOPPED;
    switch (code) {
    case LIBRAW_FILE_UNSUPPORTED:
    case LIBRAW_NOT_IMPLEMENTED:
    case LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE: return GANNET_RAW_UNSUPPORTED;
    case LIBRAW_TOO_BIG: return GANNET_RAW_LARGE;
    case LIBRAW_UNSUFFICIENT_MEMORY:
    case LIBRAW_MEMPOOL_OVERFLOW: return GANNET_RAW_MEMORY;
    default: return self->is_short ? GANNET_RAW_TRUNCATED : GANNET_RAW_CORRUPT;
    }
}

static gannet_raw_result open_file(gannet_raw *self, const uint8_t *bytes, size_t count, uint64_t maximum_bytes) {
    use_one_thread();
    self->data = libraw_init(LIBRAW_OPTIONS_NO_DATAERR_CALLBACK);
    if (self->data == NULL) return GANNET_RAW_MEMORY;
    libraw_set_progress_handler(self->data, go_on, self);
    libraw_set_dataerror_handler(self->data, note_damage, self);
    set_options(self->data, maximum_bytes);
    // Version 0.20 takes them as if it would change them, and does not.
    const int code = libraw_open_buffer(self->data, (void *)(uintptr_t)bytes, count);
    // Damage of metadata; that of the pixels is what counts.
    self->is_damaged = 0;
    if (code == LIBRAW_SUCCESS && self->data->idata.raw_count == 0) return result_of(self, LIBRAW_FILE_UNSUPPORTED);
    return result_of(self, code);
}

// MARK: Facts

static uint32_t orientation_of(int flip) {
    // Of dcraw's numbers: 1 mirrors, 2 turns upside down, 4 swaps rows and columns.
    static const uint8_t orientations[8] = {1, 2, 4, 3, 5, 8, 6, 7};
    switch ((flip + 3600) % 360) {
    case 90: return 6;
    case 180: return 3;
    case 270: return 8;
    default: return orientations[flip & 7];
    }
}

static uint32_t bits_of(const libraw_data_t *data) {
    uint32_t bits = 8;
    while (bits < 16 && data->color.maximum >> bits != 0) bits++;
    // Of Canon's CR3 the library learns it with the pixels. No camera's mosaic has 8 bits.
    return bits == 8 && data->idata.filters != 0 ? 14 : bits;
}

static uint64_t larger(uint64_t left, uint64_t right) { return left > right ? left : right; }

// The library's copy of the sensor.
static uint64_t sensor_bytes(libraw_data_t *data) {
    const libraw_image_sizes_t *sizes = &data->sizes;
    const uint64_t width = larger(sizes->raw_width, (uint64_t)sizes->width + sizes->left_margin);
    const uint64_t height = larger(sizes->raw_height, (uint64_t)sizes->height + sizes->top_margin);
    uint64_t each = data->idata.filters != 0 || data->idata.colors == 1 ? 2 : 8;
    libraw_decoder_info_t decoder = {0};
    // Those decode to floating point first.
    if (libraw_get_decoder_info(data, &decoder) == LIBRAW_SUCCESS && (decoder.decoder_flags & LIBRAW_DECODER_OWNALLOC) != 0)
        each *= 3;
    return width * (height + 8) * each;
}

// Sets the size, and returns the bytes of a decode.
static uint64_t measure(libraw_data_t *data, int is_half, uint64_t sensor, uint32_t *width, uint32_t *height) {
    data->params.half_size = is_half;
    const uint64_t square = (uint64_t)data->sizes.width * data->sizes.height;
    libraw_adjust_sizes_info_only(data);
    *width = data->sizes.iwidth;
    *height = data->sizes.iheight;
    const int shrinks = is_half && data->idata.filters != 0;
    const uint64_t frame = 8 * (shrinks ? square / 4 + data->sizes.width + data->sizes.height : square);
    // Turned by 45°, or stretched, into a second one.
    const int moves = data->sizes.pixel_aspect != 1 || (!shrinks && (uint64_t)*width * *height != square);
    // Its own state, and tiles of the interpolation.
    const uint64_t rest = data->idata.filters == LIBRAW_XTRANS ? 20 << 20 : 4 << 20;
    return sensor + frame + (moves ? 8 * (uint64_t)*width * *height : 0) + rest;
}

gannet_raw_result gannet_raw_read(
    const uint8_t *bytes, size_t count, int (*stop)(void *), void *context, gannet_raw_facts *facts) {
    memset(facts, 0, sizeof *facts);
    gannet_raw self = {.stop = stop, .context = context};
    const gannet_raw_result result = open_file(&self, bytes, count, UINT64_MAX);
    if (result == GANNET_RAW_OK) {
        facts->orientation = orientation_of(self.data->sizes.flip);
        facts->bits = bits_of(self.data);
        const uint64_t sensor = sensor_bytes(self.data);
        facts->half_work_bytes = measure(self.data, 1, sensor, &facts->half_width, &facts->half_height);
        facts->work_bytes = measure(self.data, 0, sensor, &facts->width, &facts->height);
    }
    memcpy(facts->message, self.message, sizeof facts->message);
    if (self.data != NULL) libraw_close(self.data);
    return result;
}

// MARK: Decoding

gannet_raw *gannet_raw_decode(
    const uint8_t *bytes, size_t count, int is_half, uint64_t maximum_bytes, int is_tolerant, int (*stop)(void *), void *context,
    gannet_raw_result *result) {
    *result = GANNET_RAW_MEMORY;
    gannet_raw *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->stop = stop;
    self->context = context;
    *result = open_file(self, bytes, count, maximum_bytes);
    if (*result != GANNET_RAW_OK) return self;
    self->data->params.half_size = is_half;
    // A DNG states its white. Otherwise the brightest sample corrects what the library has measured of a camera.
    if (self->data->idata.dng_version != 0) self->data->params.adjust_maximum_thr = 0;
    *result = result_of(self, libraw_unpack(self->data));
    if (*result == GANNET_RAW_OK && self->is_damaged && !is_tolerant)
        *result = self->is_short ? GANNET_RAW_TRUNCATED : GANNET_RAW_CORRUPT;
    if (*result != GANNET_RAW_OK) return self;
    *result = result_of(self, libraw_dcraw_process(self->data));
    // Only lent for the call.
    libraw_recycle_datastream(self->data);
    if (*result == GANNET_RAW_OK && self->data->image == NULL) *result = GANNET_RAW_CORRUPT;
    return self;
}

void gannet_raw_free(gannet_raw *self) {
    if (self == NULL) return;
    if (self->data != NULL) libraw_close(self->data);
    free(self);
}

const char *gannet_raw_message(const gannet_raw *self) { return self->message; }

int gannet_raw_is_damaged(const gannet_raw *self) { return self->is_damaged; }

// MARK: Writing pixels

// A factor: a DNG says how many stops brighter it is to be shown (BaselineExposure).
static double exposure(const libraw_data_t *data) {
    const double stops = data->color.dng_levels.baseline_exposure;
    return data->idata.dng_version != 0 && stops >= -10 && stops <= 10 ? exp2(stops) : 1;
}

// IEC 61966-2-1.
static void fill_curve(uint16_t curve[65536], double factor) {
    for (int place = 0; place < 65536; place++) {
        const double linear = fmin(place * factor / 65535, 1);
        const double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
        curve[place] = (uint16_t)(value * 65535 + 0.5);
    }
}

static uint32_t within(uint32_t place, uint32_t count) { return place < count ? place : count - 1; }

// Up to a row or a column, by which the library's own sums differ.
static int is_near(uint32_t left, uint32_t right) { return left <= right + 1 && right <= left + 1; }

int gannet_raw_write(const gannet_raw *self, int is_deep, uint8_t *base, size_t stride, uint32_t width, uint32_t height) {
    const libraw_data_t *data = self->data;
    const uint32_t columns = data->sizes.width, rows = data->sizes.height;
    if (data->image == NULL || columns == 0 || rows == 0 || !is_near(columns, width) || !is_near(rows, height)) return 0;
    uint16_t *curve = malloc(65536 * sizeof *curve);
    if (curve == NULL) return 0;
    fill_curve(curve, exposure(data));
    const int is_gray = data->idata.colors == 1;
    for (uint32_t y = 0; y < height; y++) {
        const ushort(*row)[4] = (const ushort(*)[4])data->image + (size_t)within(y, rows) * columns;
        uint8_t *bytes = base + (size_t)y * stride;
        uint16_t *words = (uint16_t *)(void *)bytes;
        for (uint32_t x = 0; x < width; x++) {
            const ushort *pixel = row[within(x, columns)];
            for (int channel = 0; channel < 4; channel++) {
                const uint16_t value = channel == 3 ? 65535 : curve[pixel[is_gray ? 0 : channel]];
                if (is_deep) words[4 * (size_t)x + channel] = value;
                else bytes[4 * (size_t)x + channel] = (uint8_t)((value * 255u + 32767) / 65535);
            }
        }
    }
    free(curve);
    return 1;
}

#endif
