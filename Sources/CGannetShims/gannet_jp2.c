#if WITH_JP2
#if !__has_include(<openjpeg.h>)
#error "install libopenjp2-7-dev"
#endif
#include "gannet_jp2.h"

#include <stdlib.h>
#include <string.h>

#include <openjpeg.h>

#include "gannet_lab.h"

// Bytes that the library reads ahead. It reads longer pieces, those of tiles, without this buffer.
enum { STEP = 16 * 1024 };

struct gannet_jp2 {
    const uint8_t *bytes;
    size_t count;
    size_t position;
    opj_image_t *image;
    uint32_t reduction;
    gannet_jp2_area area;
    int (*stop)(void *);
    void *context;
    int is_stopped;
    char message[200];
};

// MARK: Reading

static OPJ_SIZE_T read_bytes(void *target, OPJ_SIZE_T room, void *user) {
    gannet_jp2 *self = user;
    if (!self->is_stopped && self->stop(self->context) != 0) self->is_stopped = 1;
    const size_t left = self->count - self->position;
    if (self->is_stopped || left == 0) return (OPJ_SIZE_T)-1;
    const size_t taken = left < room ? left : room;
    memcpy(target, self->bytes + self->position, taken);
    self->position += taken;
    return taken;
}

static OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void *user) {
    gannet_jp2 *self = user;
    if (count < 0) return -1;
    const size_t left = self->count - self->position;
    const size_t taken = (uint64_t)count < left ? (size_t)count : left;
    self->position += taken;
    return (OPJ_OFF_T)taken;
}

static OPJ_BOOL seek_bytes(OPJ_OFF_T offset, void *user) {
    gannet_jp2 *self = user;
    if (offset < 0 || (uint64_t)offset > self->count) return OPJ_FALSE;
    self->position = (size_t)offset;
    return OPJ_TRUE;
}

static void keep_message(const char *message, void *user) {
    gannet_jp2 *self = user;
    if (self->message[0] != 0) return;
    strncpy(self->message, message, sizeof self->message - 1);
    self->message[strcspn(self->message, "\r\n")] = 0;
}

static void ignore(const char *message, void *user) { (void)message, (void)user; }

static gannet_jp2_result decode(gannet_jp2 *self, opj_codec_t *codec, opj_stream_t *stream, int threads, int is_tolerant) {
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_set_error_handler(codec, keep_message, self);
    opj_set_warning_handler(codec, ignore, NULL);
    opj_set_info_handler(codec, ignore, NULL);
    if (!opj_setup_decoder(codec, &parameters)) return GANNET_JP2_MEMORY;
    opj_decoder_set_strict_mode(codec, is_tolerant ? OPJ_FALSE : OPJ_TRUE);
    // It decodes with one thread where it cannot have more.
    if (threads > 1 && opj_has_thread_support()) opj_codec_set_threads(codec, threads);
    if (!opj_read_header(stream, codec, &self->image)) return GANNET_JP2_CORRUPT;
    if (self->reduction > 0 && !opj_set_decoded_resolution_factor(codec, self->reduction)) return GANNET_JP2_CORRUPT;
    // After the resolution, which its sizes depend on.
    const gannet_jp2_area area = self->area;
    if (area.right > 0
        && !opj_set_decode_area(
            codec, self->image, (OPJ_INT32)area.left, (OPJ_INT32)area.top, (OPJ_INT32)area.right, (OPJ_INT32)area.bottom))
        return GANNET_JP2_CORRUPT;
    if (!opj_decode(codec, stream, self->image)) return GANNET_JP2_CORRUPT;
    return GANNET_JP2_OK;
}

gannet_jp2 *gannet_jp2_decode(
    const uint8_t *bytes, size_t count, uint32_t reduction, gannet_jp2_area area, int threads, int is_tolerant,
    int (*stop)(void *), void *context, gannet_jp2_result *result) {
    *result = GANNET_JP2_MEMORY;
    gannet_jp2 *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->bytes = bytes;
    self->count = count;
    self->reduction = reduction;
    self->area = area;
    self->stop = stop;
    self->context = context;
    opj_codec_t *codec = opj_create_decompress(OPJ_CODEC_J2K);
    opj_stream_t *stream = opj_stream_create(STEP, OPJ_TRUE);
    if (codec != NULL && stream != NULL) {
        opj_stream_set_user_data(stream, self, NULL);
        opj_stream_set_user_data_length(stream, count);
        opj_stream_set_read_function(stream, read_bytes);
        opj_stream_set_skip_function(stream, skip_bytes);
        opj_stream_set_seek_function(stream, seek_bytes);
        *result = decode(self, codec, stream, threads, is_tolerant);
        if (self->is_stopped) *result = GANNET_JP2_STOPPED;
    }
    if (stream != NULL) opj_stream_destroy(stream);
    if (codec != NULL) opj_destroy_codec(codec);
    // Only lent for the call.
    self->bytes = NULL;
    self->count = 0;
    return self;
}

void gannet_jp2_free(gannet_jp2 *self) {
    if (self == NULL) return;
    if (self->image != NULL) opj_image_destroy(self->image);
    free(self);
}

const char *gannet_jp2_message(const gannet_jp2 *self) { return self->message; }

// MARK: Writing pixels

static uint32_t halved(uint32_t value, uint32_t times) {
    return times > 31 ? value > 0 : (uint32_t)(((uint64_t)value + (1u << times) - 1) >> times);
}

static uint32_t divided(uint32_t value, uint32_t by) { return (uint32_t)(((uint64_t)value + by - 1) / by); }

// A component's samples, and where they are in the reference grid, both as often halved as the image.
typedef struct {
    const int32_t *samples;
    const uint16_t *table;
    uint32_t width, height, dx, dy, left, top;
    int64_t offset, last;
    uint32_t shift;
} plane;

static int open_plane(const gannet_jp2 *self, const gannet_jp2_channel *channel, plane *plane) {
    if (channel->component >= self->image->numcomps || channel->entries == 0) return 0;
    const opj_image_comp_t *component = &self->image->comps[channel->component];
    if (component->data == NULL || component->w == 0 || component->h == 0 || component->dx == 0 || component->dy == 0) return 0;
    if (component->prec == 0 || component->prec > 31) return 0;
    plane->samples = component->data;
    plane->table = channel->table;
    plane->width = component->w;
    plane->height = component->h;
    plane->dx = component->dx;
    plane->dy = component->dy;
    plane->left = halved(divided(self->image->x0, component->dx), self->reduction);
    plane->top = halved(divided(self->image->y0, component->dy), self->reduction);
    plane->offset = component->sgnd ? (int64_t)1 << (component->prec - 1) : 0;
    plane->shift = component->prec > 16 ? component->prec - 16 : 0;
    plane->last = (int64_t)channel->entries - 1;
    return 1;
}

static uint32_t within(int64_t place, uint32_t count) {
    return place < 0 ? 0 : place >= count ? count - 1 : (uint32_t)place;
}

static const int32_t *row_of(const plane *plane, uint64_t y) {
    return plane->samples + (size_t)within((int64_t)(y / plane->dy) - plane->top, plane->height) * plane->width;
}

static uint16_t value_at(const plane *plane, const int32_t *row, uint64_t x) {
    const int64_t sample = row[within((int64_t)(x / plane->dx) - plane->left, plane->width)];
    const int64_t place = (sample + plane->offset) >> plane->shift;
    return plane->table[place < 0 ? 0 : place > plane->last ? plane->last : place];
}

static uint16_t clamped(double value, double most) {
    return value <= 0 ? 0 : value >= most ? (uint16_t)most : (uint16_t)(value + 0.5);
}

// IEC 61966-2-1, amendment 1: the matrix of ITU-R BT.601, all of the range.
static void convert_ycc(uint16_t pixel[4], double most) {
    const double half = most == 255 ? 128 : 32768;
    const double luma = pixel[0], blue = pixel[1] - half, red = pixel[2] - half;
    pixel[0] = clamped(luma + 1.402 * red, most);
    pixel[1] = clamped(luma - 0.344136 * blue - 0.714136 * red, most);
    pixel[2] = clamped(luma + 1.772 * blue, most);
}

static void convert_lab(uint16_t pixel[4], const gannet_jp2_lab *lab, int is_deep) {
    double value[3];
    for (int channel = 0; channel < 3; channel++)
        value[channel] = lab->least[channel] + lab->range[channel] * pixel[channel] / 65535;
    gannet_lab_to_rgb(value[0], value[1], value[2], pixel);
    for (int channel = 0; channel < 3 && !is_deep; channel++) pixel[channel] = (uint16_t)((pixel[channel] * 255u + 32767) / 65535);
}

int gannet_jp2_write(
    const gannet_jp2 *self, const gannet_jp2_channel channels[4], int is_ycc, const gannet_jp2_lab *lab, int is_deep, uint32_t left,
    uint32_t top, uint32_t skipped, uint8_t *base, size_t stride, uint32_t width, uint32_t height) {
    if (self->image == NULL) return 0;
    plane planes[4] = {{0}};
    const int has_alpha = channels[3].table != NULL;
    for (int channel = 0; channel < (has_alpha ? 4 : 3); channel++)
        if (!open_plane(self, &channels[channel], &planes[channel])) return 0;
    const uint16_t most = is_deep ? 65535 : 255;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *bytes = base + (size_t)y * stride;
        uint16_t *words = (uint16_t *)(void *)bytes;
        const int32_t *rows[4] = {NULL};
        for (int channel = 0; channel < (has_alpha ? 4 : 3); channel++)
            rows[channel] = row_of(&planes[channel], (uint64_t)top + ((uint64_t)y << skipped));
        for (uint32_t x = 0; x < width; x++) {
            uint16_t pixel[4] = {0, 0, 0, most};
            for (int channel = 0; channel < (has_alpha ? 4 : 3); channel++)
                pixel[channel] = value_at(&planes[channel], rows[channel], (uint64_t)left + ((uint64_t)x << skipped));
            if (is_ycc) convert_ycc(pixel, most);
            if (lab != NULL) convert_lab(pixel, lab, is_deep);
            for (int channel = 0; channel < 4; channel++) {
                if (is_deep) words[4 * (size_t)x + channel] = pixel[channel];
                else bytes[4 * (size_t)x + channel] = (uint8_t)pixel[channel];
            }
        }
    }
    return 1;
}

#endif
