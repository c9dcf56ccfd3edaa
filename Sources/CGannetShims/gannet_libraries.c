// For dladdr.
#define _GNU_SOURCE
#include "gannet_libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if WITH_AVIF
#include <avif/avif.h>
#endif
#if WITH_COLORMANAGEMENT
#include <lcms2.h>
#endif
#if WITH_GTK
#include <gtk/gtk.h>
#endif
#if WITH_HEIC
#include <libheif/heif.h>
#endif
#if WITH_JP2
#include <openjpeg.h>
#endif
#if WITH_JPEG
#include <jpeglib.h>
#endif
#if WITH_JXL
#include <jxl/decode.h>
#endif
#if WITH_LOTTIE
#include <rlottie_capi.h>
#endif
#if WITH_PNG
#include <libdeflate.h>
#endif
#if WITH_RAW
#include <libraw/libraw.h>
#endif
#if WITH_SVG
#include <cairo.h>
#include <librsvg/rsvg.h>
#endif
#if WITH_TIFF
#include <tiffio.h>
#endif
#if WITH_VIDEO
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#endif
#if WITH_WEBP
#include <webp/decode.h>
#endif

typedef struct {
    gannet_library *entries;
    size_t room;
    size_t count;
} list;

__attribute__((unused)) static void add(list *list, const char *name, const char *version) {
    if (list->count == list->room) return;
    gannet_library *entry = &list->entries[list->count++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    snprintf(entry->version, sizeof entry->version, "%s", version);
}

__attribute__((unused)) static void add_numbers(
    list *list, const char *name, unsigned major, unsigned minor, unsigned micro) {
    char version[32];
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, micro);
    add(list, name, version);
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const gannet_library *)left)->name, ((const gannet_library *)right)->name);
}

#if WITH_LOTTIE
// rlottie does not say its version. Its file is called librlottie.so.0.1.0, with what the distribution adds.
static void add_rlottie(list *list) {
    Dl_info place;
    char *path = dladdr((const void *)lottie_animation_from_data, &place) != 0 ? realpath(place.dli_fname, NULL) : NULL;
    const char *mark = path == NULL ? NULL : strstr(path, ".so.");
    add(list, "rlottie", mark == NULL ? "unknown" : mark + 4);
    free(path);
}
#endif

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)

size_t gannet_libraries(gannet_library *entries, size_t room) {
    list all = {entries, room, 0};
#if WITH_AVIF
    add(&all, "libavif", avifVersion());
#endif
#if WITH_COLORMANAGEMENT
    // 2160 means 2.16.
    const unsigned lcms = (unsigned)cmsGetEncodedCMMversion();
    char lcms_version[32];
    snprintf(lcms_version, sizeof lcms_version, "%u.%u", lcms / 1000, lcms % 1000 / 10);
    add(&all, "lcms2", lcms_version);
#endif
#if WITH_GTK
    add_numbers(&all, "gtk4", gtk_get_major_version(), gtk_get_minor_version(), gtk_get_micro_version());
#endif
#if WITH_HEIC
    add(&all, "libheif", heif_get_version());
#endif
#if WITH_JP2
    add(&all, "openjpeg", opj_version());
#endif
#if WITH_JPEG
#ifdef LIBJPEG_TURBO_VERSION
    add(&all, "libjpeg-turbo", TEXT(LIBJPEG_TURBO_VERSION));
#else
    add(&all, "libjpeg", TEXT(JPEG_LIB_VERSION));
#endif
#endif
#if WITH_JXL
    const unsigned jxl = JxlDecoderVersion();
    add_numbers(&all, "libjxl", jxl / 1000000, jxl / 1000 % 1000, jxl % 1000);
#endif
#if WITH_PNG
    add(&all, "libdeflate", LIBDEFLATE_VERSION_STRING);
#endif
#if WITH_RAW
    const unsigned raw = (unsigned)libraw_versionNumber();
    add_numbers(&all, "libraw", raw >> 16, raw >> 8 & 255, raw & 255);
#endif
#if WITH_LOTTIE
    add_rlottie(&all);
#endif
#if WITH_SVG
    add(&all, "cairo", cairo_version_string());
    add_numbers(&all, "librsvg", rsvg_major_version, rsvg_minor_version, rsvg_micro_version);
#endif
#if WITH_TIFF
    // "LIBTIFF, Version 4.7.0", and a copyright in the next line.
    char tiff[32] = "";
    sscanf(TIFFGetVersion(), "LIBTIFF, Version %31s", tiff);
    add(&all, "libtiff", tiff);
#endif
#if WITH_VIDEO
    add_numbers(
        &all, "libavcodec", avcodec_version() >> 16, avcodec_version() >> 8 & 255, avcodec_version() & 255);
    add_numbers(
        &all, "libavformat", avformat_version() >> 16, avformat_version() >> 8 & 255, avformat_version() & 255);
    add_numbers(
        &all, "libswscale", swscale_version() >> 16, swscale_version() >> 8 & 255, swscale_version() & 255);
#endif
#if WITH_WEBP
    const unsigned webp = (unsigned)WebPGetDecoderVersion();
    add_numbers(&all, "libwebp", webp >> 16, webp >> 8 & 255, webp & 255);
#endif
    qsort(entries, all.count, sizeof *entries, by_name);
    return all.count;
}
