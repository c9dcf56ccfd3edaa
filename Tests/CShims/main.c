// The shims and their libraries without Swift: images are written and read back, and failures jump out of a library.
// Prints the number of checks; the exit status is 1 if one failed.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CGannetShims.h"

enum { WIDTH = 100, HEIGHT = 60, STRIDE = WIDTH * 4 };

static int checks, failed;
static uint8_t image[STRIDE * HEIGHT], other[STRIDE * HEIGHT];

static void check(bool condition, const char *rule) {
    checks++;
    if (condition) return;
    failed++;
    printf("failed: %s\n", rule);
}

static void draw(void) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uint8_t *pixel = image + y * STRIDE + x * 4;
            pixel[0] = (uint8_t)(x * 2);
            pixel[1] = (uint8_t)(y * 3);
            pixel[2] = (uint8_t)(x + y);
            pixel[3] = 255;
        }
}

/// The largest difference of a channel.
static int distance(const uint8_t *first, const uint8_t *second, size_t count) {
    int most = 0;
    for (size_t index = 0; index < count; index++) {
        int here = abs(first[index] - second[index]);
        if (here > most) most = here;
    }
    return most;
}

static int never(void *context) {
    (void)context;
    return 0;
}

static int always(void *context) {
    (void)context;
    return 1;
}

// JPEG

static gannet_jpeg_encoder *encoded(int is_progressive, size_t limit) {
    gannet_jpeg_encoder *encoder = gannet_jpeg_encoder_new(limit);
    if (gannet_jpeg_encoder_start(encoder, WIDTH, HEIGHT, 95, is_progressive, 1, 0) == GANNET_JPEG_OK
        && gannet_jpeg_encoder_write_rows(encoder, image, STRIDE, HEIGHT) == GANNET_JPEG_OK)
        gannet_jpeg_encoder_finish(encoder);
    return encoder;
}

static gannet_jpeg_decoder *opened(const uint8_t *bytes, size_t count, int (*stop)(void *)) {
    gannet_jpeg_decoder *decoder = gannet_jpeg_decoder_new(100, 1, stop, NULL);
    gannet_jpeg_decoder_feed(decoder, bytes, count, 1);
    check(gannet_jpeg_decoder_read_header(decoder) == GANNET_JPEG_OK, "a JPEG's header");
    return decoder;
}

static gannet_jpeg_result decode(gannet_jpeg_decoder *decoder) {
    gannet_jpeg_result result = gannet_jpeg_decoder_start(decoder, 8, 0);
    for (int done = 0, part = 0; result == GANNET_JPEG_OK && done < HEIGHT; done += part)
        result = gannet_jpeg_decoder_read_rows(decoder, other + (size_t)done * STRIDE, STRIDE, HEIGHT - done, &part);
    return result;
}

static void try_jpeg(void) {
    for (int is_progressive = 0; is_progressive < 2; is_progressive++) {
        gannet_jpeg_encoder *encoder = encoded(is_progressive, 1 << 20);
        size_t count = 0;
        const uint8_t *bytes = gannet_jpeg_encoder_bytes(encoder, &count);
        check(count > 500, "a JPEG is written");

        gannet_jpeg_decoder *decoder = opened(bytes, count, never);
        check(gannet_jpeg_decoder_has_many_scans(decoder) == is_progressive, "progressive or not");
        check(decode(decoder) == GANNET_JPEG_OK && distance(image, other, sizeof image) <= 8, "a JPEG comes back");
        gannet_jpeg_decoder_free(decoder);

        // Through the kernels: half of the size, and all scans side by side.
        decoder = opened(bytes, count, never);
        gannet_jpeg_shrink *shrink = NULL;
        check(gannet_jpeg_decoder_shrink(decoder, (const int[]){4, 0, 0}, &shrink) == GANNET_JPEG_OK, "a JPEG at half of its size");
        for (int y = 0; shrink != NULL && y < HEIGHT / 2; y++) {
            uint8_t row[STRIDE / 2];
            check(gannet_jpeg_shrink_row(shrink, 0, row), "a row at half of the size");
            check(distance(row + 40, image + 2 * y * STRIDE + 80, 4) <= 12, "its colours");
        }
        gannet_jpeg_shrink_destroy(shrink);
        gannet_jpeg_decoder_free(decoder);

        memset(other, 0, sizeof other);
        decoder = opened(bytes, count, never);
        gannet_jpeg_decoder_join_scans(decoder, 8, 1);
        check(decode(decoder) == GANNET_JPEG_OK && distance(image, other, sizeof image) <= 8, "a JPEG of joined scans");
        gannet_jpeg_decoder_free(decoder);

        // Failures jump out of the library.
        decoder = opened(bytes, count, always);
        check(decode(decoder) == GANNET_JPEG_FAILED, "a stop ends the session");
        check(gannet_jpeg_decoder_fault(decoder) == GANNET_JPEG_FAULT_STOPPED, "and is named");
        gannet_jpeg_decoder_free(decoder);
        gannet_jpeg_encoder_free(encoder);
    }
    gannet_jpeg_encoder *encoder = encoded(0, 1024);
    check(gannet_jpeg_encoder_is_over_limit(encoder), "a file over its limit");
    gannet_jpeg_encoder_free(encoder);
}

// TIFF, colours, SVG

static void try_tiff(void) {
    size_t count = 0;
    uint8_t *bytes = gannet_tiff_encode(image, STRIDE, WIDTH, HEIGHT, 0, 0, 6, 1 << 20, &count);
    check(bytes != NULL, "a TIFF is written");
    if (bytes == NULL) return;
    gannet_tiff *file = gannet_tiff_new(1 << 24, never, NULL);
    gannet_tiff_page page;
    gannet_tiff_lend(file, bytes, count);
    uint64_t offset = (uint64_t)bytes[4] | (uint64_t)bytes[5] << 8 | (uint64_t)bytes[6] << 16 | (uint64_t)bytes[7] << 24;
    check(gannet_tiff_select(file, offset, &page) == GANNET_TIFF_OK && page.width == WIDTH && page.height == HEIGHT, "a TIFF's page");
    uint32_t rows = 0;
    memset(other, 0, sizeof other);
    check(gannet_tiff_read(file, other, STRIDE, NULL, 0, 0, &rows) == GANNET_TIFF_OK && rows == HEIGHT, "a TIFF's rows");
    check(memcmp(image, other, sizeof image) == 0, "a TIFF comes back bit for bit");
    gannet_tiff_free(file);
    free(bytes);
}

static void try_colors(void) {
    gannet_lcms_transform *transform = NULL;
    check(gannet_lcms_from_cicp(1, 13, 0, &transform) == GANNET_LCMS_NOT_NEEDED, "sRGB needs no conversion");
    check(gannet_lcms_from_cicp(12, 13, 0, &transform) == GANNET_LCMS_READY, "Display P3 does");
    uint8_t pixels[8] = {200, 100, 50, 7, 90, 90, 90, 255};
    gannet_lcms_apply(transform, pixels, 2);
    check(pixels[0] > 205 && pixels[1] < 100 && pixels[3] == 7, "colours move out, alpha stays");
    check(abs(pixels[4] - 90) <= 1 && abs(pixels[6] - 90) <= 1, "grey stays grey");
    gannet_lcms_free(transform);
}

static void try_svg(void) {
    static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'><rect width='10' height='10' fill='#f00'/></svg>";
    gannet_svg_result result = GANNET_SVG_CORRUPT;
    gannet_svg *document = gannet_svg_new((const uint8_t *)text, sizeof text - 1, &result);
    double width = 0, height = 0;
    check(result == GANNET_SVG_OK, "an SVG is read");
    gannet_svg_size(document, &width, &height);
    check(width == 20 && height == 10, "an SVG's size");
    uint8_t pixels[20 * 10 * 4];
    check(gannet_svg_draw(document, pixels, 80, 20, 10, never, NULL) == GANNET_SVG_OK, "an SVG is drawn");
    check(memcmp(pixels + 4 * 5, "\xff\0\0\xff", 4) == 0 && memcmp(pixels + 4 * 15, "\0\0\0\0", 4) == 0, "an SVG's pixels");
    gannet_svg_free(document);
}

static void try_lottie(void) {
    static const char text[] =
        "{\"v\":\"5\",\"fr\":25,\"ip\":0,\"op\":2,\"w\":20,\"h\":10,\"layers\":[{\"ddd\":0,\"ty\":1,\"sw\":10,\"sh\":10,\"sc\":\"#ff8000\",\"ip\":0,"
        "\"op\":1,\"st\":0,\"ks\":{}}]}";
    gannet_lottie_load_plugin();
    check(gannet_lottie_open("{}") == NULL, "an object is no Lottie animation");
    gannet_lottie *animation = gannet_lottie_open(text);
    check(animation != NULL, "a Lottie animation is read");
    if (animation == NULL) return;
    uint32_t pixels[20 * 10] = {0};
    gannet_lottie_draw(animation, 0, (uint8_t *)pixels, 80, 20, 10);
    check(memcmp(pixels + 5, "\xff\x80\0\xff", 4) == 0 && pixels[15] == 0, "its first frame");
    memset(pixels, 0, sizeof pixels);
    gannet_lottie_draw(animation, 1, (uint8_t *)pixels, 80, 20, 10);
    check(pixels[5] == 0, "its second frame");
    gannet_lottie_free(animation);
}

int main(void) {
    draw();
    try_jpeg();
    try_tiff();
    try_colors();
    try_svg();
    try_lottie();
    printf("%d checks, %d passed\n", checks, checks - failed);
    return failed > 0;
}
