#if WITH_TIFF
#include <stdlib.h>
#include <string.h>

#include "gannet_tiff_private.h"

static gannet_tiff_result read_by_library(gannet_tiff *file, uint8_t *base, size_t stride, int is_deep, uint32_t *rows) {
    char why[1024] = "";
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, file->tiff, 1, why)) return gannet_tiff_fail(file, GANNET_TIFF_FAULT_CORRUPT, why);
    image.req_orientation = image.orientation;  // applied later, as for all images
    uint32_t *raster = malloc((size_t)file->width * file->height * 4);
    int is_whole = raster != NULL && !gannet_tiff_is_stopped(file) && TIFFRGBAImageGet(&image, raster, file->width, file->height);
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
    return gannet_tiff_fail(file, raster == NULL ? GANNET_TIFF_FAULT_MEMORY : GANNET_TIFF_FAULT_CORRUPT, "its pixels cannot be read");
}

typedef struct {
    uint8_t *chunk;
    uint16_t *line;
    uint8_t *base;
    size_t stride;
    size_t pixel_bytes;
    gannet_tiff_area area;
    uint8_t *row;  // pixels of a row that is cut
} target;

static void expand(gannet_tiff *file, const target *to, const uint8_t *in, uint32_t x, uint32_t y, size_t count, int channel) {
    const gannet_tiff_area *area = &to->area;
    if (y < area->y || y - area->y >= area->height) return;
    uint8_t *row = to->base + (y - area->y) * to->stride;
    size_t first = x > area->x ? x : area->x, end = (size_t)area->x + area->width;
    if (end > x + count) end = x + count;
    if (first >= end) return;
    if (end - first < count) {
        // Samples may begin within a byte, so that all of them are expanded. Separate planes are never cut.
        gannet_tiff_expand(&file->plan, in, count, to->row, to->line);
        memcpy(row + (first - area->x) * to->pixel_bytes, to->row + (first - x) * to->pixel_bytes, (end - first) * to->pixel_bytes);
        return;
    }
    uint8_t *out = row + (x - area->x) * to->pixel_bytes;
    if (channel < 0) gannet_tiff_expand(&file->plan, in, count, out, to->line);
    else gannet_tiff_expand_plane(&file->plan, in, count, out, channel, to->line);
}

/// Complete rows of the area, if those above `y` are.
static uint32_t done(const target *to, uint64_t y) {
    uint64_t rows = y > to->area.y ? y - to->area.y : 0;
    return rows < to->area.height ? (uint32_t)rows : to->area.height;
}

static int read_strips(gannet_tiff *file, const target *to, int plane, int channel, uint32_t *rows) {
    TIFF *tiff = file->tiff;
    const size_t row_bytes = (size_t)TIFFScanlineSize(tiff);
    const int is_by_row = TIFFStripSize(tiff) > whole_strip_bytes;
    uint32_t in_strip = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &in_strip);
    if (in_strip == 0 || in_strip > file->height) in_strip = file->height;
    const uint32_t end = to->area.y + to->area.height;
    for (uint32_t y = to->area.y / in_strip * in_strip; y < end;) {
        if ((!is_by_row || y % 16 == 0) && gannet_tiff_is_stopped(file)) return 0;
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
        *rows = done(to, y);
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
    const uint64_t bottom = (uint64_t)to->area.y + to->area.height, right = (uint64_t)to->area.x + to->area.width;
    for (uint64_t y = to->area.y / down * down; y < bottom; y += down) {
        uint32_t high = file->height - y < down ? (uint32_t)(file->height - y) : down;
        for (uint64_t x = to->area.x / across * across; x < right; x += across) {
            if (gannet_tiff_is_stopped(file)) return 0;
            uint32_t tile = TIFFComputeTile(tiff, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane);
            if (TIFFReadEncodedTile(tiff, tile, to->chunk, bytes) < bytes) return 0;
            size_t wide = file->width - x < across ? (size_t)(file->width - x) : across;
            for (uint32_t row = 0; row < high; row++)
                expand(file, to, to->chunk + row * row_bytes, (uint32_t)x, (uint32_t)y + row, wide, channel);
        }
        *rows = done(to, y + high);
    }
    return 1;
}

static int read_planes(gannet_tiff *file, const target *to, uint32_t *rows) {
    const int is_tiled = TIFFIsTiled(file->tiff);
    const int is_apart =
        file->plan.samples > 1 && gannet_tiff_number(file->tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    if (!is_apart) return is_tiled ? read_tiles(file, to, 0, -1, rows) : read_strips(file, to, 0, -1, rows);
    uint32_t whole = file->height;
    file->plan.samples = 1;
    for (int channel = 0; channel < 4; channel++) {
        int plane = file->plan.source[channel];
        // Grey: one plane for all three channels.
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
    gannet_tiff *file, uint8_t *base, size_t stride, const gannet_tiff_area *area, int is_deep, int is_raw, uint32_t *rows) {
    *rows = 0;
    if (file->by_library) return read_by_library(file, base, stride, is_deep, rows);
    file->plan.is_deep = is_deep && !file->is_cmyk;
    file->plan.is_raw = is_raw;
    file->plan.signals = file->plan.is_light ? file->signals : NULL;
    file->plan.peak = &file->peak;
    file->peak = 0;
    if (gannet_tiff_work_bytes(file) > file->maximum_allocation)
        return gannet_tiff_fail(file, GANNET_TIFF_FAULT_MEMORY, "its strips or tiles are too large");
    // Zeroed, so that bytes a codec does not write contain no old memory.
    target to = {
        .chunk = calloc(1, gannet_tiff_chunk_bytes(file) + 1),
        .line = malloc(gannet_tiff_line_bytes(file) + 2),
        .base = base,
        .stride = stride,
        .pixel_bytes = file->plan.is_deep ? 8 : 4,
        .area = {0, 0, file->width, file->height},
    };
    if (area != NULL) to.area = *area;
    if (area != NULL) to.row = malloc((size_t)file->width * to.pixel_bytes);
    int has_memory = to.chunk != NULL && to.line != NULL && (area == NULL || to.row != NULL);
    int is_whole = has_memory && read_planes(file, &to, rows);
    gannet_tiff_fault fault = has_memory ? GANNET_TIFF_FAULT_CORRUPT : GANNET_TIFF_FAULT_MEMORY;
    free(to.chunk);
    free(to.line);
    free(to.row);
    return is_whole ? GANNET_TIFF_OK : gannet_tiff_fail(file, fault, "its pixels cannot be read");
}

#endif
