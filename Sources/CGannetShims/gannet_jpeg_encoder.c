#if WITH_JPEG
#include "gannet_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
// After jpeglib.h, whose types it needs.
#include <jerror.h>

struct gannet_jpeg_encoder {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
    uint8_t *bytes;
    size_t capacity;
    size_t count;
    size_t maximum;
    int is_over_limit;
};

static gannet_jpeg_encoder *owner(j_common_ptr info) { return info->client_data; }

static void error_exit(j_common_ptr info) {
    gannet_jpeg_encoder *encoder = owner(info);
    info->err->format_message(info, encoder->message);
    longjmp(encoder->jump, 1);
}

static void emit_message(j_common_ptr info, int level) {
    if (level < 0) info->err->num_warnings++;
}

static void output_message(j_common_ptr info) { (void)info; }

static void init_destination(j_compress_ptr info) {
    gannet_jpeg_encoder *encoder = owner((j_common_ptr)info);
    encoder->destination.next_output_byte = encoder->bytes;
    encoder->destination.free_in_buffer = encoder->capacity;
}

static boolean empty_output_buffer(j_compress_ptr info) {
    // Called with a full buffer, whatever the two fields say.
    gannet_jpeg_encoder *encoder = owner((j_common_ptr)info);
    if (encoder->capacity >= encoder->maximum) {
        encoder->is_over_limit = 1;
        snprintf(encoder->message, sizeof encoder->message, "the file is over its limit");
        longjmp(encoder->jump, 1);
    }
    size_t used = encoder->capacity;
    size_t capacity = used > encoder->maximum / 2 ? encoder->maximum : used * 2;
    uint8_t *bytes = realloc(encoder->bytes, capacity);
    if (bytes == NULL) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    encoder->bytes = bytes;
    encoder->capacity = capacity;
    encoder->destination.next_output_byte = bytes + used;
    encoder->destination.free_in_buffer = capacity - used;
    return TRUE;
}

static void term_destination(j_compress_ptr info) {
    gannet_jpeg_encoder *encoder = owner((j_common_ptr)info);
    encoder->count = encoder->capacity - encoder->destination.free_in_buffer;
}

/// The library's first failure returns here. A separate function, so that its caller's register variables survive the jump.
static int create(gannet_jpeg_encoder *encoder) {
    if (setjmp(encoder->jump)) return 0;
    jpeg_create_compress(&encoder->info);
    return 1;
}

gannet_jpeg_encoder *gannet_jpeg_encoder_new(size_t maximum_bytes) {
    gannet_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return NULL;
    encoder->maximum = maximum_bytes < 1024 ? 1024 : maximum_bytes;
    encoder->capacity = encoder->maximum < 65536 ? encoder->maximum : 65536;
    encoder->bytes = malloc(encoder->capacity);
    encoder->info.err = jpeg_std_error(&encoder->errors);
    encoder->errors.error_exit = error_exit;
    encoder->errors.emit_message = emit_message;
    encoder->errors.output_message = output_message;
    encoder->info.client_data = encoder;
    if (encoder->bytes == NULL || !create(encoder)) {
        jpeg_destroy((j_common_ptr)&encoder->info);  // looks at the memory manager alone, which may be missing
        free(encoder->bytes);
        free(encoder);
        return NULL;
    }
    encoder->destination.init_destination = init_destination;
    encoder->destination.empty_output_buffer = empty_output_buffer;
    encoder->destination.term_destination = term_destination;
    encoder->info.dest = &encoder->destination;
    return encoder;
}

void gannet_jpeg_encoder_free(gannet_jpeg_encoder *encoder) {
    if (encoder == NULL) return;
    jpeg_destroy_compress(&encoder->info);  // frees, and cannot fail
    free(encoder->bytes);
    free(encoder);
}

gannet_jpeg_result gannet_jpeg_encoder_start(
    gannet_jpeg_encoder *encoder, int width, int height, int quality, int is_progressive, int is_optimised,
    int is_gray) {
    if (setjmp(encoder->jump)) return GANNET_JPEG_FAILED;
    struct jpeg_compress_struct *info = &encoder->info;
    info->image_width = (JDIMENSION)width;
    info->image_height = (JDIMENSION)height;
    info->input_components = 4;
    info->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(info);
    if (is_gray) jpeg_set_colorspace(info, JCS_GRAYSCALE);
    jpeg_set_quality(info, quality, TRUE);
    info->optimize_coding = is_optimised ? TRUE : FALSE;
    info->dct_method = JDCT_ISLOW;
    if (quality >= 90) {
        info->comp_info[0].h_samp_factor = 1;
        info->comp_info[0].v_samp_factor = 1;
    }
    if (is_progressive) jpeg_simple_progression(info);
    jpeg_start_compress(info, TRUE);
    return GANNET_JPEG_OK;
}

gannet_jpeg_result gannet_jpeg_encoder_write_marker(
    gannet_jpeg_encoder *encoder, int marker, const uint8_t *bytes, size_t count) {
    if (setjmp(encoder->jump)) return GANNET_JPEG_FAILED;
    jpeg_write_marker(&encoder->info, marker, bytes, (unsigned)count);
    return GANNET_JPEG_OK;
}

gannet_jpeg_result gannet_jpeg_encoder_write_rows(
    gannet_jpeg_encoder *encoder, const uint8_t *base, size_t stride, int count) {
    if (setjmp(encoder->jump)) return GANNET_JPEG_FAILED;
    for (int row = 0; row < count; row++) {
        // The library takes a pointer to mutable samples, but only reads them.
        JSAMPROW samples = (JSAMPROW)(uintptr_t)(base + (size_t)row * stride);
        jpeg_write_scanlines(&encoder->info, &samples, 1);
    }
    return GANNET_JPEG_OK;
}

gannet_jpeg_result gannet_jpeg_encoder_finish(gannet_jpeg_encoder *encoder) {
    if (setjmp(encoder->jump)) return GANNET_JPEG_FAILED;
    jpeg_finish_compress(&encoder->info);
    return GANNET_JPEG_OK;
}

const uint8_t *gannet_jpeg_encoder_bytes(const gannet_jpeg_encoder *encoder, size_t *count) {
    *count = encoder->count;
    return encoder->bytes;
}

int gannet_jpeg_encoder_is_over_limit(const gannet_jpeg_encoder *encoder) { return encoder->is_over_limit; }
const char *gannet_jpeg_encoder_message(const gannet_jpeg_encoder *encoder) { return encoder->message; }

#endif
