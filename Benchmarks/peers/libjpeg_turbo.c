// libjpeg-turbo itself, as a measure of our decoder: decodes a file from memory into used memory, RGBA, again and again.
//
//     cc -O2 -o libjpeg_turbo libjpeg_turbo.c -ljpeg
//     libjpeg_turbo CASE FILE EIGHTHS RUNS
//
// EIGHTHS: 8 is the whole picture, 1 an eighth of its size. Prints one line of JSON, processor time as the other programs do.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <jpeglib.h>

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static void decode(const unsigned char *bytes, size_t count, unsigned eighths, unsigned char **pixels) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_EXT_RGBA;
    info.scale_num = eighths;
    info.scale_denom = 8;
    jpeg_start_decompress(&info);
    size_t stride = (size_t)info.output_width * 4;
    if (*pixels == NULL) *pixels = malloc(stride * info.output_height);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = *pixels + info.output_scanline * stride;
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    FILE *file = fopen(arguments[2], "rb");
    if (file == NULL) return 2;
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(length), *pixels = NULL;
    if (fread(bytes, 1, length, file) != length) return 2;
    fclose(file);
    int runs = atoi(arguments[4]);
    double *times = malloc(sizeof(double) * (size_t)runs), *wall = malloc(sizeof(double) * (size_t)runs);
    decode(bytes, length, (unsigned)atoi(arguments[3]), &pixels);
    for (int run = 0; run < runs; run++) {
        double start = now(CLOCK_PROCESS_CPUTIME_ID), wall_start = now(CLOCK_MONOTONIC);
        decode(bytes, length, (unsigned)atoi(arguments[3]), &pixels);
        times[run] = now(CLOCK_PROCESS_CPUTIME_ID) - start;
        wall[run] = now(CLOCK_MONOTONIC) - wall_start;
    }
    qsort(times, (size_t)runs, sizeof *times, ascending);
    qsort(wall, (size_t)runs, sizeof *wall, ascending);
    printf(
        "{\"group\": \"codecs\", \"case\": \"%s\", \"program\": \"libjpeg-turbo %s/8\", \"cpu_ms\": %.2f, \"best_ms\": %.2f, "
        "\"wall_ms\": %.2f}\n",
        arguments[1], arguments[3], times[runs / 2], times[0], wall[runs / 2]);
    return 0;
}
