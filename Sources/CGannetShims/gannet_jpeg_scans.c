#if WITH_JPEG
#include "gannet_jpeg_scans.h"

#include <stdlib.h>
#include <string.h>

/// The offset of the next marker at or after `at`, which is inside compressed data; `count` if there is none. Stuffed bytes and
/// restart markers are data.
static size_t next_marker(const uint8_t *bytes, size_t count, size_t at) {
    while (at + 1 < count) {
        const uint8_t *found = memchr(bytes + at, 0xFF, count - 1 - at);
        if (found == NULL) return count;
        at = (size_t)(found - bytes);
        uint8_t code = bytes[at + 1];
        if (code == 0xFF) {
            at += 1;
        } else if (code == 0 || (code >= 0xD0 && code <= 0xD7)) {
            at += 2;
        } else {
            return at;
        }
    }
    return count;
}

/// The precision of each coefficient so far, in libjpeg's terms: the number of missing bits; −1 before its first scan.
struct progress {
    int8_t missing[MAX_COMPONENTS][DCTSIZE2];
};

/// Records a scan header (after its length). False if it breaks the rules of progression, or is not supported here.
static int note_scan(
    const struct jpeg_decompress_struct *info, const uint8_t *header, size_t count, unsigned means, struct progress *progress,
    gannet_jpeg_scan *scan) {
    if (count < 6 || header[0] < 1 || header[0] > MAX_COMPS_IN_SCAN || count != 4 + 2 * (size_t)header[0]) return 0;
    const uint8_t *band = header + 1 + 2 * (size_t)header[0];
    int first = band[0], last = band[1], high = band[2] >> 4, low = band[2] & 15;
    if (info->progressive_mode) {
        if (first > last || last >= DCTSIZE2 || low > 13 || (high != 0 && low != high - 1)) return 0;
        if (first == 0 ? last != 0 : header[0] != 1) return 0;
    } else if (first != 0 || last != DCTSIZE2 - 1 || band[2] != 0) {
        return 0;
    }
    for (int index = 0; index < header[0]; index++) {
        int found = -1;
        for (int component = 0; component < info->num_components; component++) {
            if (info->comp_info[component].component_id != header[1 + 2 * index]) continue;
            // Two components with one name.
            if (found >= 0) return 0;
            found = component;
        }
        if (found < 0 || (scan->components >> found & 1)) return 0;
        scan->components |= 1u << found;
        int8_t *missing = progress->missing[found];
        if (first > 0 && missing[0] < 0) return 0;
        for (int coefficient = first; coefficient <= last; coefficient++) {
            // Must be a coefficient's first scan, or its next bit.
            if (high == 0 ? missing[coefficient] >= 0 : missing[coefficient] != high) return 0;
            missing[coefficient] = (int8_t)low;
        }
        if (first > 0 && (means >> found & 1)) scan->is_left_out = 1;
    }
    return 1;
}

/// Whether the library would show the coefficients unchanged: it smooths a component if one of its lowest coefficients is
/// missing.
static int is_complete(const struct jpeg_decompress_struct *info, unsigned means, const struct progress *progress) {
    enum { smoothed = 10 };
    for (int component = 0; component < info->num_components; component++) {
        if (progress->missing[component][0] != 0) return 0;
        if (means >> component & 1) continue;
        for (int coefficient = 1; coefficient < smoothed; coefficient++)
            if (progress->missing[component][coefficient] != 0) return 0;
    }
    return 1;
}

long gannet_jpeg_survey_scans(
    const struct jpeg_decompress_struct *info, const uint8_t *bytes, size_t count, unsigned means, int maximum_scans,
    gannet_jpeg_scan **scans) {
    if (count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8) return 0;
    struct progress progress;
    memset(&progress, -1, sizeof progress);
    size_t room = 16;
    long used = 0;
    gannet_jpeg_scan *list = calloc(room, sizeof *list);
    if (list == NULL) return 0;
    size_t tables = 0;  // where the segments since the last scan begin
    size_t at = 2;
    int frames = 0;
    for (;;) {
        // Fill bytes before a marker.
        while (count - at > 2 && bytes[at] == 0xFF && bytes[at + 1] == 0xFF) at++;
        if (count - at < 2 || bytes[at] != 0xFF) break;
        uint8_t code = bytes[at + 1];
        if (code == 0xD9) {
            if (used == 0 || !is_complete(info, means, &progress)) break;
            *scans = list;
            return used;
        }
        if (count - at < 4) break;
        size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        // In a valid file, every marker between segments has a length.
        if (code <= 0x01 || (code >= 0xD0 && code <= 0xD8) || length < 2 || length > count - at - 2) break;
        size_t end = at + 2 + length;
        if (code == 0xDC) break;  // the height, after the image
        if (code >= 0xC0 && code <= 0xCF && code != 0xC4 && code != 0xC8 && code != 0xCC && ++frames > 1) break;
        if (code == 0xDA) {
            if (used >= maximum_scans) {
                free(list);
                return -1;
            }
            if ((size_t)used == room) {
                gannet_jpeg_scan *larger = realloc(list, 2 * room * sizeof *list);
                if (larger == NULL) break;
                memset(larger + room, 0, room * sizeof *list);
                list = larger;
                room *= 2;
            }
            gannet_jpeg_scan *scan = &list[used++];
            size_t next = next_marker(bytes, count, end);
            scan->tables = bytes + tables;
            scan->table_count = at - tables;
            scan->data = bytes + at;
            scan->data_count = next - at;
            if (!note_scan(info, bytes + at + 4, length - 2, means, &progress, scan)) break;
            tables = next;
            at = next;
        } else {
            at = end;
        }
    }
    free(list);
    return 0;
}

double gannet_jpeg_work_of_scans(const struct jpeg_decompress_struct *info, const gannet_jpeg_scan *scans, long count) {
    double work = 0;
    for (long scan = 0; scan < count; scan++)
        for (int index = 0; index < info->num_components; index++) {
            const jpeg_component_info *component = &info->comp_info[index];
            if (!scans[scan].is_left_out && (scans[scan].components >> index & 1))
                work += (double)component->width_in_blocks * component->height_in_blocks;
        }
    return work;
}
#endif
