#if WITH_JPEG
#include "gannet_jpeg_progressive.h"

#include <stdlib.h>

/// The state that segments between scans have set so far.
struct tables {
    /// By number: the byte before the sixteen counts.
    const uint8_t *dc[NUM_HUFF_TBLS], *ac[NUM_HUFF_TBLS];
    unsigned restart_interval;
};

/// Reads a DHT segment after its length. False if it violates T.81, B.2.4.2.
static int note_codes(struct tables *tables, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        if (count < 17) return 0;
        size_t symbols = 0;
        for (int length = 1; length <= 16; length++) symbols += bytes[length];
        unsigned kind = bytes[0] >> 4, number = bytes[0] & 15;
        if (symbols > 256 || symbols > count - 17 || kind > 1 || number >= NUM_HUFF_TBLS) return 0;
        *(kind == 0 ? &tables->dc[number] : &tables->ac[number]) = bytes;
        bytes += 17 + symbols;
        count -= 17 + symbols;
    }
    return 1;
}

/// Segments that libjpeg accepts between scans, and that only change tables for entropy decoding.
static int may_stand_between(uint8_t code) { return code == 0xC4 || code == 0xDD || (code >= 0xE0 && code <= 0xEF) || code == 0xFE; }

/// Reads the segments before a scan, which are known to be complete.
static int note_tables(struct tables *tables, const gannet_jpeg_scan *scan, int is_first) {
    const uint8_t *bytes = scan->tables;
    size_t at = is_first ? 2 : 0;
    while (scan->table_count - at >= 4) {
        if (bytes[at + 1] == 0xFF) {
            at++;
            continue;
        }
        uint8_t code = bytes[at + 1];
        size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        const uint8_t *body = bytes + at + 4;
        // libjpeg has read the segments before the first scan.
        if (!is_first && !may_stand_between(code)) return 0;
        if (code == 0xC4 && !note_codes(tables, body, length - 2)) return 0;
        if (code == 0xDD) {
            if (length != 4) return 0;
            tables->restart_interval = (unsigned)body[0] << 8 | body[1];
        }
        at += 2 + length;
    }
    return 1;
}

static gannet_jpeg_codes codes_of(const uint8_t *table) {
    return (gannet_jpeg_codes){.counts = table, .symbols = table == NULL ? NULL : table + 17};
}

static int is_made(
    gannet_jpeg_progressive_scan *own, const struct jpeg_decompress_struct *info, const gannet_jpeg_scan *scan, const struct tables *tables) {
    size_t length = (size_t)scan->data[2] << 8 | scan->data[3];
    const uint8_t *header = scan->data + 4, *band = header + 1 + 2 * (size_t)header[0];
    own->component_count = header[0];
    own->first = band[0];
    own->last = band[1];
    own->high = band[2] >> 4;
    own->low = band[2] & 15;
    own->restart_interval = tables->restart_interval;
    own->bytes = scan->data + 2 + length;
    own->count = scan->data_count - 2 - length;
    for (int index = 0; index < own->component_count; index++) {
        for (int component = 0; component < info->num_components; component++)
            if (info->comp_info[component].component_id == header[1 + 2 * index]) own->components[index] = component;
        unsigned numbers = header[2 + 2 * index], number = own->first == 0 ? numbers >> 4 : numbers & 15;
        if (own->first == 0 && own->high > 0) continue;
        if (number >= NUM_HUFF_TBLS) return 0;
        own->codes[index] = codes_of(own->first == 0 ? tables->dc[number] : tables->ac[number]);
        if (own->codes[index].counts == NULL) return 0;
    }
    return 1;
}

gannet_jpeg_progressive_scan *gannet_jpeg_progressive_scans(
    const struct jpeg_decompress_struct *info, const gannet_jpeg_scan *scans, long count) {
    if (!info->progressive_mode || info->arith_code || info->data_precision != 8) return NULL;
    if (info->num_components > GANNET_JPEG_MOST_COMPONENTS) return NULL;
    gannet_jpeg_progressive_scan *list = calloc((size_t)count, sizeof *list);
    struct tables tables = {{NULL}, {NULL}, 0};
    int is_right = list != NULL;
    for (long index = 0; index < count && is_right; index++)
        is_right = note_tables(&tables, &scans[index], index == 0) && is_made(&list[index], info, &scans[index], &tables);
    if (is_right) return list;
    free(list);
    return NULL;
}
#endif
