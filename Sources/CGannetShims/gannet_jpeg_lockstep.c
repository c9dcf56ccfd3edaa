#if WITH_JPEG
#include "gannet_jpeg_lockstep.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "gannet_jpeg_progressive.h"
#include "gannet_jpeg_shrinking.h"

// Memory of one decompressor: its own structures, the first pools, and Huffman tables.
enum { strand_bytes = 48 << 10 };

/// One scan other than the master's, with the decompressor that reads it.
struct strand {
    struct jpeg_decompress_struct info;
    struct jpeg_source_mgr source;
    const gannet_jpeg_scan *scans;
    /// The number of the scan, and the part of the file to read next: the tables of each scan up to it, then its data.
    long scan, piece;
    JOCTET end_marker[2];
};

/// Replaces the decompressors' virtual array: the rows of blocks of one component that are being decoded.
struct window {
    JDIMENSION blocks, first, count;
    JBLOCKARRAY rows;
};

struct gannet_jpeg_lockstep {
    struct jpeg_decompress_struct *master;
    gannet_jpeg_scan *scans;
    long scan_count;
    struct window windows[MAX_COMPONENTS];
    /// The number of arrays that the decompressor being started has requested.
    int requested;
    struct strand *strands;
    int strand_count, made;
    /// The kernel, if it is used instead of the strands.
    gannet_jpeg_progression *progression;
    int gave_up;
    /// Small sizes that are made of the same coefficients, or NULL. The caller's.
    gannet_jpeg_shrink *beside;
    size_t bytes;
    /// The row of MCUs that the strands have not decoded yet.
    JDIMENSION row;
};

// Rows of blocks

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean is_zeroed, JDIMENSION blocks, JDIMENSION rows, JDIMENSION room) {
    (void)is_zeroed;
    (void)rows;
    (void)room;  // more, if the library smooths
    gannet_jpeg_lockstep *lockstep = gannet_jpeg_lockstep_of(info->client_data);
    // One array for each component, in order.
    int index = lockstep->requested++;
    if (index >= lockstep->master->num_components) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    struct window *window = &lockstep->windows[index];
    if (window->rows == NULL) {
        window->blocks = blocks;
        window->count = (JDIMENSION)lockstep->master->comp_info[index].v_samp_factor;
        window->first = UINT32_MAX;
        window->rows = (*info->mem->alloc_barray)(info, pool, blocks, window->count);
    } else if (window->blocks != blocks) {
        ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    }
    return (jvirt_barray_ptr)window;
}

/// Moves the window to `first`, and clears it unless it is there already.
static void move(struct window *window, JDIMENSION first) {
    if (window->first == first) return;
    for (JDIMENSION row = 0; row < window->count; row++) memset(window->rows[row], 0, window->blocks * sizeof(JBLOCK));
    window->first = first;
}

static void advance_by_kernel(gannet_jpeg_lockstep *lockstep) {
    int16_t *rows[GANNET_JPEG_MOST_COMPONENTS][4] = {{NULL}};
    for (int index = 0; index < lockstep->master->num_components; index++) {
        struct window *window = &lockstep->windows[index];
        move(window, lockstep->row * window->count);
        for (JDIMENSION row = 0; row < window->count; row++) rows[index][row] = &window->rows[row][0][0];
    }
    if (gannet_jpeg_progression_next(lockstep->progression, rows)
        && (lockstep->beside == NULL || gannet_jpeg_shrink_draw(lockstep->beside, lockstep->progression, rows)))
        return;
    lockstep->gave_up = 1;
    ERREXIT(lockstep->master, JERR_BAD_PROGRESSION);
}

/// Decodes one row of MCUs of all scans but the master's, in the order of the file.
static void advance(gannet_jpeg_lockstep *lockstep) {
    if (lockstep->progression != NULL) advance_by_kernel(lockstep);
    for (int index = 0; index < lockstep->made; index++) {
        struct jpeg_decompress_struct *info = &lockstep->strands[index].info;
        int status = jpeg_consume_input(info);
        if (status != JPEG_ROW_COMPLETED && status != JPEG_SCAN_COMPLETED) ERREXIT(info, JERR_CANT_SUSPEND);
    }
    lockstep->row++;
}

static JBLOCKARRAY rows_of(
    j_common_ptr info, jvirt_barray_ptr pointer, JDIMENSION first, JDIMENSION count, boolean is_written) {
    gannet_jpeg_lockstep *lockstep = gannet_jpeg_lockstep_of(info->client_data);
    struct window *window = (struct window *)pointer;
    if (count > window->count) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    // The master converts rows to pixels after its own scan has read them.
    if (!is_written && first == lockstep->row * window->count) advance(lockstep);
    move(window, first);
    return window->rows;
}

// Input of a strand

static struct strand *strand_of(j_decompress_ptr info) { return (struct strand *)info; }

static void nothing(j_decompress_ptr info) { (void)info; }

static boolean next_piece(j_decompress_ptr info) {
    struct strand *strand = strand_of(info);
    if (strand->piece <= strand->scan) {
        const gannet_jpeg_scan *scan = &strand->scans[strand->piece];
        strand->source.next_input_byte = scan->tables;
        strand->source.bytes_in_buffer = scan->table_count;
    } else if (strand->piece == strand->scan + 1) {
        const gannet_jpeg_scan *scan = &strand->scans[strand->scan];
        strand->source.next_input_byte = scan->data;
        strand->source.bytes_in_buffer = scan->data_count;
    } else {
        strand->end_marker[0] = 0xFF;
        strand->end_marker[1] = JPEG_EOI;
        strand->source.next_input_byte = strand->end_marker;
        strand->source.bytes_in_buffer = 2;
    }
    strand->piece++;
    // Two scans may follow each other directly.
    return strand->source.bytes_in_buffer > 0 ? TRUE : next_piece(info);
}

static void skip(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) return;
    // Segments are always complete.
    if (source->bytes_in_buffer == 0) next_piece(info);
    size_t step = (size_t)count < source->bytes_in_buffer ? (size_t)count : source->bytes_in_buffer;
    source->next_input_byte += step;
    source->bytes_in_buffer -= step;
}

// Creation and destruction

static size_t bytes_of(const struct jpeg_decompress_struct *master, size_t strands) {
    size_t blocks = 0;
    for (int index = 0; index < master->num_components; index++) {
        const jpeg_component_info *component = &master->comp_info[index];
        blocks += ((size_t)component->width_in_blocks + (size_t)component->h_samp_factor) * (size_t)component->v_samp_factor;
    }
    return blocks * sizeof(JBLOCK) + strands * strand_bytes;
}

/// All scans except the master's and those that are left out. NULL if the kernel cannot handle them.
static gannet_jpeg_progression *progression_of(struct jpeg_decompress_struct *master, const gannet_jpeg_scan *scans, long count) {
    gannet_jpeg_progressive_scan *list = gannet_jpeg_progressive_scans(master, scans, count);
    if (list == NULL) return NULL;
    gannet_jpeg_progressive_frame frame = {
        .width = (int)master->image_width, .height = (int)master->image_height, .component_count = master->num_components};
    int has_steps = 1;
    for (int index = 0; index < master->num_components; index++) {
        const jpeg_component_info *component = &master->comp_info[index];
        frame.components[index].horizontal = component->h_samp_factor;
        frame.components[index].vertical = component->v_samp_factor;
        frame.components[index].last = DCTSIZE2 - 1;
        int steps = component->quant_tbl_no;
        if (steps < 0 || steps >= NUM_QUANT_TBLS || master->quant_tbl_ptrs[steps] == NULL) has_steps = 0;
    }
    size_t used = 0;
    for (long index = 1; index < count; index++)
        if (!scans[index].is_left_out) list[used++] = list[index];
    gannet_jpeg_progression *made = has_steps ? gannet_jpeg_progression_create(&frame, list, used) : NULL;
    free(list);
    return made;
}

gannet_jpeg_lockstep *gannet_jpeg_lockstep_install(
    struct jpeg_decompress_struct *master, gannet_jpeg_scan *scans, long count, size_t most, int by_kernel) {
    size_t needed = 0;
    for (long index = 1; index < count; index++)
        if (!scans[index].is_left_out) needed++;
    gannet_jpeg_progression *progression = by_kernel ? progression_of(master, scans, count) : NULL;
    gannet_jpeg_lockstep *lockstep = calloc(1, sizeof *lockstep);
    struct strand *strands = calloc(needed > 0 ? needed : 1, sizeof *strands);
    size_t bytes = progression != NULL ? bytes_of(master, 0) + gannet_jpeg_progression_bytes(progression) : bytes_of(master, needed);
    if (lockstep == NULL || strands == NULL || bytes > most) {
        gannet_jpeg_progression_destroy(progression);
        free(lockstep);
        free(strands);
        return NULL;
    }
    lockstep->master = master;
    lockstep->scans = scans;
    lockstep->scan_count = count;
    lockstep->strands = strands;
    lockstep->strand_count = (int)needed;
    lockstep->progression = progression;
    lockstep->bytes = bytes;
    master->mem->request_virt_barray = request;
    master->mem->access_virt_barray = rows_of;
    return lockstep;
}

static void start_strand(gannet_jpeg_lockstep *lockstep, struct strand *strand, long scan) {
    struct jpeg_decompress_struct *info = &strand->info;
    info->err = lockstep->master->err;
    info->client_data = lockstep->master->client_data;
    lockstep->made++;
    jpeg_create_decompress(info);
    strand->scans = lockstep->scans;
    strand->scan = scan;
    strand->source.init_source = nothing;
    strand->source.fill_input_buffer = next_piece;
    strand->source.skip_input_data = skip;
    strand->source.resync_to_restart = jpeg_resync_to_restart;
    strand->source.term_source = nothing;
    info->src = &strand->source;
    info->mem->request_virt_barray = request;
    info->mem->access_virt_barray = rows_of;
    jpeg_read_header(info, TRUE);
    // The decompressor only produces coefficients, so it needs no memory for pixels.
    info->buffered_image = TRUE;
    info->raw_data_out = TRUE;
    info->do_block_smoothing = FALSE;
    lockstep->requested = 0;
    jpeg_start_decompress(info);
    // A component uses the table that precedes its first scan.
    for (int index = 0; index < info->num_components; index++) {
        jpeg_component_info *component = &lockstep->master->comp_info[index];
        if (component->quant_table == NULL) component->quant_table = info->comp_info[index].quant_table;
    }
}

gannet_jpeg_shrink *gannet_jpeg_lockstep_shrink(gannet_jpeg_lockstep *lockstep, const int *eighths) {
    // All scans are read only for whole pixels.
    for (long scan = 0; scan < lockstep->scan_count; scan++)
        if (lockstep->scans[scan].is_left_out) return NULL;
    if (lockstep->progression == NULL || lockstep->beside != NULL) return NULL;
    // The factors of a single component mean nothing to the kernel, but the library's rows come by them.
    if (lockstep->master->num_components == 1 && lockstep->master->comp_info[0].v_samp_factor > 1) return NULL;
    gannet_jpeg_progressive_scan *first = gannet_jpeg_progressive_scans(lockstep->master, lockstep->scans, 1);
    gannet_jpeg_shrink *shrink = first == NULL ? NULL : gannet_jpeg_shrink_of_scans(lockstep->master, eighths, first, 1);
    free(first);
    if (shrink != NULL && gannet_jpeg_shrink_stand_beside(shrink)) return lockstep->beside = shrink;
    gannet_jpeg_shrink_destroy(shrink);
    return NULL;
}

int gannet_jpeg_lockstep_gave_up(const gannet_jpeg_lockstep *lockstep) { return lockstep->gave_up; }

void gannet_jpeg_lockstep_start(gannet_jpeg_lockstep *lockstep) {
    struct jpeg_decompress_struct *master = lockstep->master;
    for (int index = 0; index < master->num_components && lockstep->progression != NULL; index++) {
        // All tables then precede the first scan; the library only latches those of a scan's own components.
        jpeg_component_info *component = &master->comp_info[index];
        if (component->quant_table == NULL) component->quant_table = master->quant_tbl_ptrs[component->quant_tbl_no];
    }
    if (lockstep->progression != NULL) return;
    for (long scan = 1; scan < lockstep->scan_count; scan++)
        if (!lockstep->scans[scan].is_left_out)
            start_strand(lockstep, &lockstep->strands[lockstep->made], scan);
}

void gannet_jpeg_lockstep_free(gannet_jpeg_lockstep *lockstep) {
    if (lockstep == NULL) return;
    for (int index = 0; index < lockstep->made; index++)
        jpeg_destroy((j_common_ptr)&lockstep->strands[index].info);  // frees, and cannot fail
    gannet_jpeg_progression_destroy(lockstep->progression);
    free(lockstep->strands);
    free(lockstep->scans);
    free(lockstep);
}

size_t gannet_jpeg_lockstep_bytes(const gannet_jpeg_lockstep *lockstep) { return lockstep->bytes; }
#endif
