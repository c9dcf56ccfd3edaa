#if WITH_JPEG
#include "gannet_jpeg_lean.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Cutting

/// The offset of the next marker at or after `at`, which stands in compressed data; `count` if there is none. Stuffed bytes and
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

/// Whether the scan header (behind its length) is of one component of `means` and of other coefficients than the mean.
static int is_detail(const struct jpeg_decompress_struct *info, const uint8_t *header, size_t count, unsigned means) {
    if (count != 6 || header[0] != 1 || header[3] == 0) return 0;
    for (int index = 0; index < info->num_components; index++)
        if (info->comp_info[index].component_id == header[1]) return (means >> index & 1) != 0;
    return 0;
}

long gannet_jpeg_cut_details(
    const struct jpeg_decompress_struct *info, const uint8_t *bytes, size_t count, unsigned means, int maximum_scans,
    gannet_jpeg_piece **pieces) {
    size_t room = 16;
    long used = 0;
    gannet_jpeg_piece *list = malloc(room * sizeof *list);
    if (list == NULL) return 0;
    size_t start = 0;  // of the piece that is being collected
    size_t at = next_marker(bytes, count, 0);
    int scans = 1;
    for (;;) {
        if (count - at < 4) {
            // The end marker, or an end without one.
            if (count - at < 2 || bytes[at + 1] != 0xD9) break;
        }
        uint8_t code = bytes[at + 1];
        if (code == 0xD9) {
            if (used == 0) break;  // nothing to leave out
            list[used++] = (gannet_jpeg_piece){bytes + start, at + 2 - start};
            *pieces = list;
            return used;
        }
        size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        // Without length: only what is no marker between segments of a right file.
        if (code == 0x01 || code == 0xD8 || length < 2 || length > count - at - 2) break;
        size_t end = at + 2 + length;
        if (code == 0xDA) {
            if (++scans > maximum_scans) {
                free(list);
                return -1;
            }
            size_t next = next_marker(bytes, count, end);
            if (is_detail(info, bytes + at + 4, length - 2, means)) {
                if (at > start) list[used++] = (gannet_jpeg_piece){bytes + start, at - start};
                start = next;
                if ((size_t)used + 2 > room) {
                    room *= 2;
                    gannet_jpeg_piece *larger = realloc(list, room * sizeof *list);
                    if (larger == NULL) break;
                    list = larger;
                }
            }
            at = next;
        } else {
            at = end;
            // Fill bytes before a marker.
            while (at + 1 < count && bytes[at] == 0xFF && bytes[at + 1] == 0xFF) at++;
            if (at >= count || bytes[at] != 0xFF) break;
        }
    }
    free(list);
    return 0;
}

// Keeping

/// What the library knows as a virtual array.
struct array {
    JDIMENSION blocks, rows, room;
    /// The rows that are laid out, `first` and `count` of them; changed if `is_dirty`.
    JBLOCKARRAY laid;
    JDIMENSION first, count;
    int is_dirty;
    /// One of them: the means, row by row; or rows of masks and values, NULL as long as all is zero.
    int16_t *means;
    uint64_t **packed;
};

struct gannet_jpeg_arrays {
    unsigned means;
    int count;
    struct array arrays[MAX_COMPONENTS];
};

/// `count` zeroed objects, or the library's error for missing memory. Ours, not of its pools: freed with the arrays.
static void *zeroed(j_common_ptr info, size_t count, size_t size) {
    void *made = calloc(count > 0 ? count : 1, size);
    if (made == NULL) ERREXIT1(info, JERR_OUT_OF_MEMORY, 20);
    return made;
}

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean is_zeroed, JDIMENSION blocks, JDIMENSION rows, JDIMENSION room) {
    (void)is_zeroed;  // always
    gannet_jpeg_arrays *all = gannet_jpeg_arrays_of(info->client_data);
    // The library asks for one array for each component, in their order.
    if (all->count >= MAX_COMPONENTS) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    int index = all->count++;
    struct array *array = &all->arrays[index];
    array->blocks = blocks;
    array->rows = rows;
    array->room = room;
    if (all->means >> index & 1)
        array->means = zeroed(info, (size_t)rows * blocks, sizeof *array->means);
    else
        array->packed = zeroed(info, rows, sizeof *array->packed);
    array->laid = (*info->mem->alloc_barray)(info, pool, blocks, room);
    return (jvirt_barray_ptr)array;
}

/// Which of 64 coefficients are not zero: one bit for each.
static uint64_t mask_of(const JCOEF *block) {
    uint64_t mask = 0;
#if defined(__SSE2__)
    for (int index = 0; index < DCTSIZE2; index += 16) {
        __m128i low = _mm_loadu_si128((const __m128i *)(block + index));
        __m128i high = _mm_loadu_si128((const __m128i *)(block + index + 8));
        // Saturation keeps what is not zero from becoming zero.
        __m128i zero = _mm_cmpeq_epi8(_mm_packs_epi16(low, high), _mm_setzero_si128());
        mask |= (uint64_t)(~_mm_movemask_epi8(zero) & 0xFFFF) << index;
    }
    return mask;
#endif
    for (int index = 0; index < DCTSIZE2; index++) mask |= (uint64_t)(block[index] != 0) << index;
    return mask;
}

static void pack(j_common_ptr info, struct array *array, JDIMENSION row, JBLOCKROW blocks) {
    if (array->means != NULL) {
        int16_t *means = array->means + (size_t)row * array->blocks;
        for (JDIMENSION index = 0; index < array->blocks; index++) means[index] = blocks[index][0];
        return;
    }
    size_t values = 0;
    uint64_t *masks = malloc(array->blocks * (sizeof *masks + sizeof(JBLOCK)));
    if (masks == NULL) ERREXIT1(info, JERR_OUT_OF_MEMORY, 21);
    JCOEF *target = (JCOEF *)(masks + array->blocks);
    for (JDIMENSION index = 0; index < array->blocks; index++) {
        uint64_t mask = mask_of(blocks[index]);
        masks[index] = mask;
        for (; mask != 0; mask &= mask - 1) target[values++] = blocks[index][__builtin_ctzll(mask)];
    }
    free(array->packed[row]);
    // Shrinking cannot fail in a way that matters.
    uint64_t *fitting = realloc(masks, array->blocks * sizeof *masks + values * sizeof(JCOEF));
    array->packed[row] = fitting != NULL ? fitting : masks;
}

static void lay_out(const struct array *array, JDIMENSION row, JBLOCKROW blocks) {
    memset(blocks, 0, array->blocks * sizeof(JBLOCK));
    if (array->means != NULL) {
        const int16_t *means = array->means + (size_t)row * array->blocks;
        for (JDIMENSION index = 0; index < array->blocks; index++) blocks[index][0] = means[index];
        return;
    }
    const uint64_t *masks = array->packed[row];
    if (masks == NULL) return;
    const JCOEF *source = (const JCOEF *)(masks + array->blocks);
    for (JDIMENSION index = 0; index < array->blocks; index++)
        for (uint64_t mask = masks[index]; mask != 0; mask &= mask - 1) blocks[index][__builtin_ctzll(mask)] = *source++;
}

static JBLOCKARRAY rows_of(
    j_common_ptr info, jvirt_barray_ptr pointer, JDIMENSION first, JDIMENSION count, boolean is_written) {
    struct array *array = (struct array *)pointer;
    if (count > array->room || first > array->rows || count > array->rows - first) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    if (first != array->first || count != array->count) {
        if (array->is_dirty)
            for (JDIMENSION row = 0; row < array->count; row++) pack(info, array, array->first + row, array->laid[row]);
        array->is_dirty = 0;
        array->first = first;
        array->count = count;
        for (JDIMENSION row = 0; row < count; row++) lay_out(array, first + row, array->laid[row]);
    }
    if (is_written) array->is_dirty = 1;
    return array->laid;
}

gannet_jpeg_arrays *gannet_jpeg_arrays_install(struct jpeg_decompress_struct *info, unsigned means) {
    gannet_jpeg_arrays *arrays = calloc(1, sizeof *arrays);
    if (arrays == NULL) return NULL;
    arrays->means = means;
    info->mem->request_virt_barray = request;
    info->mem->access_virt_barray = rows_of;
    return arrays;
}

void gannet_jpeg_arrays_free(gannet_jpeg_arrays *arrays) {
    if (arrays == NULL) return;
    for (int index = 0; index < arrays->count; index++) {
        struct array *array = &arrays->arrays[index];
        free(array->means);
        for (JDIMENSION row = 0; array->packed != NULL && row < array->rows; row++) free(array->packed[row]);
        free(array->packed);
    }
    free(arrays);
}
#endif
