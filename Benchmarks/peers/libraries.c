// Times the system's libraries themselves, one thread, decoding into used memory: what no wrapper of theirs can beat.
//
//     cc -O2 -o libraries Benchmarks/peers/libraries.c -lgif -lwebp -lavif -lheif -ljxl -ltiff
//     libraries gif|webp|avif|heic|jxl|tiff CASE FILE [RUNS]
//
// Prints one JSON object a line, as Benchmarks/README.md says.
#include <avif/avif.h>
#include <gif_lib.h>
#include <jxl/decode.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <time.h>
#include <webp/decode.h>

static const char *path;
static unsigned char *data;
static size_t size;
static unsigned char *pixels;
static size_t capacity;

static unsigned char *room(size_t bytes) {
    if (bytes > capacity) {
        pixels = realloc(pixels, bytes);
        capacity = bytes;
        memset(pixels, 1, bytes);
    }
    return pixels;
}

static int decode_webp(void) {
    int width, height;
    if (!WebPGetInfo(data, size, &width, &height)) return 0;
    unsigned char *out = room((size_t)width * height * 4);
    return WebPDecodeRGBAInto(data, size, out, (size_t)width * height * 4, width * 4) != NULL;
}

static int decode_avif(void) {
    avifDecoder *decoder = avifDecoderCreate();
    decoder->maxThreads = 1;
    int done = avifDecoderSetIOMemory(decoder, data, size) == AVIF_RESULT_OK && avifDecoderParse(decoder) == AVIF_RESULT_OK
               && avifDecoderNextImage(decoder) == AVIF_RESULT_OK;
    if (done) {
        avifRGBImage rgb;
        avifRGBImageSetDefaults(&rgb, decoder->image);
        rgb.depth = 8;
        rgb.rowBytes = rgb.width * 4;
        rgb.pixels = room((size_t)rgb.rowBytes * rgb.height);
        done = avifImageYUVToRGB(decoder->image, &rgb) == AVIF_RESULT_OK;
    }
    avifDecoderDestroy(decoder);
    return done;
}

static int decode_heic(void) {
    struct heif_context *context = heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    heif_context_set_max_decoding_threads(context, 0);
    int done = heif_context_read_from_memory_without_copy(context, data, size, NULL).code == heif_error_Ok
               && heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok
               && heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, NULL).code == heif_error_Ok;
    if (image) heif_image_release(image);
    if (handle) heif_image_handle_release(handle);
    heif_context_free(context);
    return done;
}

static int decode_jxl(void) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    JxlBasicInfo info;
    JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, data, size);
    int done = 0;
    for (;;) {
        JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
        if (status == JXL_DEC_BASIC_INFO) {
            JxlDecoderGetBasicInfo(decoder, &info);
        } else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
            size_t bytes = (size_t)info.xsize * info.ysize * 4;
            JxlDecoderSetImageOutBuffer(decoder, &format, room(bytes), bytes);
        } else {
            done = status == JXL_DEC_FULL_IMAGE;
            break;
        }
    }
    JxlDecoderDestroy(decoder);
    return done;
}

// From the file, which the system has in memory.
static int decode_tiff(void) {
    TIFF *file = TIFFOpen(path, "r");
    uint32_t width = 0, height = 0;
    if (!file) return 0;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    uint32_t *out = (uint32_t *)room((size_t)width * height * 4);
    int done = TIFFReadRGBAImageOriented(file, width, height, out, ORIENTATION_TOPLEFT, 1);
    TIFFClose(file);
    return done;
}

static size_t position;

static int read_gif(GifFileType *file, GifByteType *target, int count) {
    (void)file;
    if (count > (int)(size - position)) count = (int)(size - position);
    memcpy(target, data + position, count);
    position += count;
    return count;
}

// Unpacks all frames and draws each over the one before: no disposal, so a little less than a player has to do.
static int decode_gif(void) {
    int error;
    position = 0;
    GifFileType *file = DGifOpen(NULL, read_gif, &error);
    if (!file || DGifSlurp(file) != GIF_OK) return 0;
    unsigned int *out = (unsigned int *)room((size_t)file->SWidth * file->SHeight * 4);
    for (int index = 0; index < file->ImageCount; index++) {
        SavedImage *frame = &file->SavedImages[index];
        ColorMapObject *map = frame->ImageDesc.ColorMap ? frame->ImageDesc.ColorMap : file->SColorMap;
        GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
        DGifSavedExtensionToGCB(file, index, &control);
        unsigned int table[256] = {0};
        for (int entry = 0; entry < map->ColorCount; entry++)
            table[entry] = 0xFF000000u | map->Colors[entry].Blue << 16 | map->Colors[entry].Green << 8 | map->Colors[entry].Red;
        for (int y = 0; y < frame->ImageDesc.Height; y++) {
            unsigned int *row = out + (size_t)(y + frame->ImageDesc.Top) * file->SWidth + frame->ImageDesc.Left;
            unsigned char *codes = frame->RasterBits + (size_t)y * frame->ImageDesc.Width;
            for (int x = 0; x < frame->ImageDesc.Width; x++)
                if (codes[x] != control.TransparentColor) row[x] = table[codes[x]];
        }
    }
    return DGifCloseFile(file, &error) == GIF_OK;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    path = arguments[3];
    FILE *file = fopen(path, "rb");
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    data = malloc(size + 1);
    if (fread(data, 1, size, file) != size) return 2;
    int runs = count > 4 ? atoi(arguments[4]) : 11;
    const char *kind = arguments[1];
    int (*work)(void) = !strcmp(kind, "gif") ? decode_gif : !strcmp(kind, "webp") ? decode_webp : !strcmp(kind, "avif") ? decode_avif
                        : !strcmp(kind, "heic") ? decode_heic : !strcmp(kind, "jxl") ? decode_jxl
                        : !strcmp(kind, "tiff") ? decode_tiff : NULL;
    const char *name = !strcmp(kind, "gif") ? "giflib" : !strcmp(kind, "heic") ? "libheif" : !strcmp(kind, "webp") ? "libwebp"
                       : !strcmp(kind, "avif") ? "libavif" : !strcmp(kind, "tiff") ? "libtiff" : "libjxl";
    if (!work || !work()) return 1;
    double *cpu = calloc(runs, sizeof(double)), *wall = calloc(runs, sizeof(double));
    for (int run = 0; run < runs; run++) {
        double start = now(CLOCK_PROCESS_CPUTIME_ID), wall_start = now(CLOCK_MONOTONIC);
        work();
        cpu[run] = now(CLOCK_PROCESS_CPUTIME_ID) - start;
        wall[run] = now(CLOCK_MONOTONIC) - wall_start;
    }
    qsort(cpu, runs, sizeof(double), compare);
    qsort(wall, runs, sizeof(double), compare);
    printf("{\"group\": \"codecs\", \"case\": \"%s\", \"program\": \"%s\", \"cpu_ms\": %.3f, \"best_ms\": %.3f, \"wall_ms\": %.3f}\n",
           arguments[2], name, cpu[runs / 2], cpu[0], wall[runs / 2]);
    return 0;
}
