#if WITH_SVG
#if !__has_include(<librsvg/rsvg.h>)
#error "install librsvg2-dev"
#endif
#include "gannet_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>
#include <librsvg/rsvg.h>

struct gannet_svg {
    RsvgHandle *handle;
    double width;
    double height;
    char message[256];
    int (*stop)(void *);
    void *context;
    int is_stopped;
};

static void keep(gannet_svg *document, const char *message) {
    snprintf(document->message, sizeof document->message, "%s", message);
    for (char *mark = document->message; *mark != 0; mark++)
        if (*mark == '\n') *mark = ' ';
}

static gannet_svg_result result_of(gannet_svg *document, GError *error) {
    if (error == NULL) return GANNET_SVG_CORRUPT;
    keep(document, error->message);
    static const char *const limits[] = {
        "Excessive depth", "entity reference loop", "entity nested", "Huge input", "too many", "xceeded", "limit", "amplification",
        "NoMemory"};
    gannet_svg_result result = GANNET_SVG_CORRUPT;
    for (size_t index = 0; index < sizeof limits / sizeof limits[0]; index++)
        if (strstr(error->message, limits[index]) != NULL) result = GANNET_SVG_LIMIT;
    g_error_free(error);
    return result;
}

// In pixels at 96 dpi; 0 for percentages, which have nothing to refer to.
static double pixels_of(RsvgLength length) {
    switch (length.unit) {
    case RSVG_UNIT_PX: return length.length;
    case RSVG_UNIT_IN: return length.length * 96;
    case RSVG_UNIT_CM: return length.length * 96 / 2.54;
    case RSVG_UNIT_MM: return length.length * 96 / 25.4;
    case RSVG_UNIT_PT: return length.length * 96 / 72;
    case RSVG_UNIT_PC: return length.length * 16;
    // Of the usual font, 16 pixels high.
    case RSVG_UNIT_EM: return length.length * 16;
    case RSVG_UNIT_EX: return length.length * 8;
    default: return 0;
    }
}

// If only one side is given, the other one follows from the ratio of the view box (CSS Images 3, section 5.3). Without one, a side that
// is missing has the size that replaced elements have (CSS 2.2, sections 10.3.2 and 10.6.2).
static void complete_size(double *across, double *down, const RsvgRectangle *box) {
    enum { usual_width = 300, usual_height = 150 };
    const int has_ratio = box != NULL && box->width > 0 && box->height > 0;
    if (has_ratio && !(*across > 0) && !(*down > 0)) {
        *across = box->width;
        *down = box->height;
    }
    if (!(*across > 0)) *across = has_ratio ? *down * box->width / box->height : usual_width;
    if (!(*down > 0)) *down = has_ratio ? *across * box->height / box->width : usual_height;
}

static void find_size(gannet_svg *document) {
    double width = 0, height = 0;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(document->handle, &width, &height)) {
        gboolean has_width, has_height, has_box;
        RsvgLength across, down;
        RsvgRectangle box = {0, 0, 0, 0};
        rsvg_handle_get_intrinsic_dimensions(document->handle, &has_width, &across, &has_height, &down, &has_box, &box);
        width = has_width ? pixels_of(across) : 0;
        height = has_height ? pixels_of(down) : 0;
        complete_size(&width, &height, has_box ? &box : NULL);
    }
    document->width = isfinite(width) && width > 0 ? width : 0;
    document->height = isfinite(height) && height > 0 ? height : 0;
}

gannet_svg *gannet_svg_new(const uint8_t *bytes, size_t count, gannet_svg_result *result) {
    gannet_svg *document = calloc(1, sizeof *document);
    *result = GANNET_SVG_MEMORY;
    if (document == NULL) return NULL;
    GError *error = NULL;
    GInputStream *stream = g_memory_input_stream_new_from_data(bytes, (gssize)count, NULL);
    // No base URL: relative references cannot be resolved, and of absolute ones librsvg follows only data:.
    document->handle = rsvg_handle_new_from_stream_sync(stream, NULL, RSVG_HANDLE_FLAGS_NONE, NULL, &error);
    g_object_unref(stream);
    if (document->handle == NULL) {
        *result = result_of(document, error);
        return document;
    }
    rsvg_handle_set_dpi(document->handle, 96);
    find_size(document);
    *result = GANNET_SVG_OK;
    return document;
}

void gannet_svg_free(gannet_svg *document) {
    if (document == NULL) return;
    if (document->handle != NULL) g_object_unref(document->handle);
    free(document);
}

void gannet_svg_size(gannet_svg *document, double *width, double *height) {
    *width = document->width;
    *height = document->height;
}

// Called after each operation. On a finished surface every further operation fails, which librsvg reports.
static void look_at_clock(cairo_surface_t *observer, cairo_surface_t *target, void *context) {
    (void)target;
    gannet_svg *document = context;
    if (document->is_stopped || document->stop == NULL || document->stop(document->context) == 0) return;
    document->is_stopped = 1;
    cairo_surface_finish(observer);
}

static cairo_surface_t *observed(gannet_svg *document, cairo_surface_t *target) {
    cairo_surface_t *observer = cairo_surface_create_observer(target, CAIRO_SURFACE_OBSERVER_NORMAL);
    cairo_surface_observer_add_paint_callback(observer, look_at_clock, document);
    cairo_surface_observer_add_mask_callback(observer, look_at_clock, document);
    cairo_surface_observer_add_fill_callback(observer, look_at_clock, document);
    cairo_surface_observer_add_stroke_callback(observer, look_at_clock, document);
    cairo_surface_observer_add_glyphs_callback(observer, look_at_clock, document);
    return observer;
}

// Cairo's pixels are words of alpha, red, green and blue.
static void to_bytes(uint8_t *base, size_t stride, int width, int height) {
    for (int y = 0; y < height; y++) {
        uint8_t *row = base + (size_t)y * stride;
        for (int x = 0; x < width; x++) {
            uint32_t pixel;
            memcpy(&pixel, row + 4 * x, 4);
            const uint32_t swapped = GUINT32_TO_LE(
                (pixel & 0xFF00FF00u) | (pixel & 0xFFu) << 16 | (pixel >> 16 & 0xFFu));
            memcpy(row + 4 * x, &swapped, 4);
        }
    }
}

gannet_svg_result gannet_svg_draw(
    gannet_svg *document, uint8_t *base, size_t stride, int width, int height, int (*stop)(void *), void *context) {
    for (int y = 0; y < height; y++) memset(base + (size_t)y * stride, 0, 4 * (size_t)width);
    document->stop = stop;
    document->context = context;
    document->is_stopped = 0;
    cairo_surface_t *target =
        cairo_image_surface_create_for_data(base, CAIRO_FORMAT_ARGB32, width, height, (int)stride);
    cairo_surface_t *observer = observed(document, target);
    cairo_t *cairo = cairo_create(observer);
    GError *error = NULL;
    gboolean is_drawn = FALSE;
    if (cairo_status(cairo) == CAIRO_STATUS_SUCCESS) {
        // Maps the whole document to the whole pixel area: a rounded size must not leave a seam.
        cairo_scale(cairo, width / document->width, height / document->height);
        const RsvgRectangle viewport = {0, 0, document->width, document->height};
        is_drawn = rsvg_handle_render_document(document->handle, cairo, &viewport, &error);
    }
    const cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_destroy(observer);
    cairo_surface_flush(target);
    cairo_surface_destroy(target);
    if (document->is_stopped) {
        if (error != NULL) g_error_free(error);
        return GANNET_SVG_STOPPED;
    }
    if (!is_drawn) {
        if (status == CAIRO_STATUS_NO_MEMORY) {
            if (error != NULL) g_error_free(error);
            return GANNET_SVG_MEMORY;
        }
        return result_of(document, error);
    }
    to_bytes(base, stride, width, height);
    return GANNET_SVG_OK;
}

const char *gannet_svg_message(const gannet_svg *document) { return document->message; }

#endif
