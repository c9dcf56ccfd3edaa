#if WITH_SVG
#include "gannet_svg.h"

#include <stdlib.h>

#include <gio/gio.h>

// GLib's own decompressor: librsvg needs GLib anyway, so compressed documents need no further library.
struct gannet_svg_unpacker {
    GConverter *converter;
    const uint8_t *next;
    size_t left;
    int ended;
};

gannet_svg_unpacker *gannet_svg_unpacker_new(const uint8_t *packed, size_t count) {
    gannet_svg_unpacker *unpacker = calloc(1, sizeof *unpacker);
    if (unpacker == NULL) return NULL;
    unpacker->converter = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    unpacker->next = packed;
    unpacker->left = count;
    return unpacker;
}

void gannet_svg_unpacker_free(gannet_svg_unpacker *unpacker) {
    g_object_unref(unpacker->converter);
    free(unpacker);
}

void gannet_svg_unpack(gannet_svg_unpacker *unpacker, uint8_t *target, size_t room, size_t *made, int *ended) {
    *made = 0;
    while (unpacker->ended == 0 && *made < room) {
        gsize taken = 0, written = 0;
        GError *error = NULL;
        const GConverterResult result = g_converter_convert(
            unpacker->converter, unpacker->next, unpacker->left, target + *made, room - *made, G_CONVERTER_INPUT_AT_END,
            &taken, &written, &error);
        unpacker->next += taken;
        unpacker->left -= taken;
        *made += written;
        if (result == G_CONVERTER_FINISHED) {
            unpacker->ended = 1;
        } else if (result == G_CONVERTER_ERROR) {
            const int is_short = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)
                || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
            unpacker->ended = is_short ? 2 : 3;
            g_error_free(error);
        } else if (taken == 0 && written == 0) {
            unpacker->ended = 2;
        }
    }
    *ended = unpacker->ended;
}

#endif
