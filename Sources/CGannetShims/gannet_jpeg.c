#if WITH_JPEG
#if !__has_include(<jpeglib.h>)
#error "install libjpeg62-turbo-dev"
#endif
#include "gannet_jpeg_decoder.h"

#include <stdlib.h>
#include <string.h>

// After jpeglib.h, whose types it needs.
#include <jerror.h>

#include "gannet_jpeg_faults.h"

// A file with more warnings than this is not worth reading further.
enum { maximum_warnings = 2000 };

static gannet_jpeg_decoder *owner(j_common_ptr info) { return info->client_data; }

gannet_jpeg_lockstep *gannet_jpeg_lockstep_of(void *client_data) { return ((gannet_jpeg_decoder *)client_data)->lockstep; }

_Noreturn void gannet_jpeg_decoder_fail(gannet_jpeg_decoder *decoder, gannet_jpeg_fault fault, const char *message) {
    decoder->fault = fault;
    snprintf(decoder->message, sizeof decoder->message, "%s", message);
    longjmp(decoder->jump, 1);
}

static void error_exit(j_common_ptr info) {
    gannet_jpeg_decoder *decoder = owner(info);
    decoder->fault = gannet_jpeg_fault_of(info->err->msg_code);
    info->err->format_message(info, decoder->message);
    longjmp(decoder->jump, 1);
}

static void emit_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    gannet_jpeg_decoder *decoder = owner(info);
    struct jpeg_error_mgr *errors = info->err;
    // To all decompressors but the master, each scan seems to come without the previous ones.
    if (errors->msg_code == JWRN_BOGUS_PROGRESSION && info != (j_common_ptr)&decoder->info) return;
    errors->num_warnings++;
    switch (errors->msg_code) {
    case JWRN_HUFF_BAD_CODE:
        // The fast decoder of sequential files, which is used when many bytes are available, reports no wrong codes. The slow one
        // decodes them in the same way, and must not refuse what the fast one accepts.
        if (!decoder->info.progressive_mode) break;
        // fall through
    case JWRN_HIT_MARKER:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
        if (decoder->damages++ == 0) errors->format_message(info, decoder->message);
        if (decoder->is_strict) {
            decoder->fault = GANNET_JPEG_FAULT_CORRUPT;
            longjmp(decoder->jump, 1);
        }
        break;
    default:
        break;
    }
    if (errors->num_warnings > maximum_warnings) gannet_jpeg_decoder_fail(decoder, GANNET_JPEG_FAULT_CORRUPT, "too many damaged places");
}

static void output_message(j_common_ptr info) { (void)info; }

static void note_components(gannet_jpeg_decoder *decoder) {
    for (int index = 0; index < decoder->info.comps_in_scan && index < MAX_COMPS_IN_SCAN; index++) {
        // Missing while a scan's header is incomplete.
        const jpeg_component_info *component = decoder->info.cur_comp_info[index];
        if (component != NULL) decoder->seen_components |= 1u << component->component_index;
    }
}

/// Small files can have many scans that add nothing, each over millions of blocks.
static void note_work(gannet_jpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *info = &decoder->info;
    if (info->input_scan_number == decoder->counted_scan) return;
    decoder->counted_scan = info->input_scan_number;
    for (int index = 0; index < info->comps_in_scan && index < MAX_COMPS_IN_SCAN; index++) {
        const jpeg_component_info *component = info->cur_comp_info[index];
        if (component != NULL) decoder->work += (double)component->width_in_blocks * component->height_in_blocks;
    }
    if (decoder->work > decoder->maximum_work) gannet_jpeg_decoder_fail(decoder, GANNET_JPEG_FAULT_SCANS, "too many scans for its size");
}

static void progress_monitor(j_common_ptr info) {
    gannet_jpeg_decoder *decoder = owner(info);
    note_components(decoder);
    if (decoder->info.input_scan_number > decoder->maximum_scans)
        gannet_jpeg_decoder_fail(decoder, GANNET_JPEG_FAULT_SCANS, "too many scans");
    if (decoder->has_many_scans) note_work(decoder);
    if (decoder->stop != NULL && decoder->stop(decoder->context) != 0)
        gannet_jpeg_decoder_fail(decoder, GANNET_JPEG_FAULT_STOPPED, "stopped");
}

static void init_source(j_decompress_ptr info) { (void)info; }
static void term_source(j_decompress_ptr info) { (void)info; }

static boolean fill_input_buffer(j_decompress_ptr info) {
    gannet_jpeg_decoder *decoder = owner((j_common_ptr)info);
    if (!decoder->is_last) return FALSE;
    decoder->ended_early = 1;
    decoder->end_marker[0] = 0xFF;
    decoder->end_marker[1] = JPEG_EOI;
    info->src->next_input_byte = decoder->end_marker;
    info->src->bytes_in_buffer = 2;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    gannet_jpeg_decoder *decoder = owner((j_common_ptr)info);
    struct jpeg_source_mgr *source = info->src;
    if ((size_t)count <= source->bytes_in_buffer) {
        source->next_input_byte += count;
        source->bytes_in_buffer -= (size_t)count;
        return;
    }
    // Never more than one segment's 65,533 bytes at a time, so the sum stays small.
    decoder->skipping += (size_t)count - source->bytes_in_buffer;
    source->next_input_byte += source->bytes_in_buffer;
    source->bytes_in_buffer = 0;
}

/// The library's first failure returns here. A separate function, so that its caller's register variables survive the jump.
static int create(gannet_jpeg_decoder *decoder) {
    if (setjmp(decoder->jump)) return 0;
    jpeg_create_decompress(&decoder->info);
    return 1;
}

gannet_jpeg_decoder *gannet_jpeg_decoder_new(int maximum_scans, int is_strict, int (*stop)(void *), void *context) {
    gannet_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->maximum_scans = maximum_scans;
    decoder->is_strict = is_strict;
    decoder->stop = stop;
    decoder->context = context;
    decoder->info.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = error_exit;
    decoder->errors.emit_message = emit_message;
    decoder->errors.output_message = output_message;
    decoder->info.client_data = decoder;
    if (!create(decoder)) {
        jpeg_destroy((j_common_ptr)&decoder->info);  // looks at the memory manager alone, which may be missing
        free(decoder);
        return NULL;
    }
    decoder->progress.progress_monitor = progress_monitor;
    decoder->info.progress = &decoder->progress;
    decoder->source.init_source = init_source;
    decoder->source.fill_input_buffer = fill_input_buffer;
    decoder->source.skip_input_data = skip_input_data;
    decoder->source.resync_to_restart = jpeg_resync_to_restart;
    decoder->source.term_source = term_source;
    decoder->info.src = &decoder->source;
    return decoder;
}

void gannet_jpeg_decoder_free(gannet_jpeg_decoder *decoder) {
    if (decoder == NULL) return;
    jpeg_destroy_decompress(&decoder->info);  // frees, and cannot fail
    gannet_jpeg_lockstep_free(decoder->lockstep);
    free(decoder);
}

void gannet_jpeg_decoder_feed(gannet_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, int is_last) {
    decoder->is_last = is_last;
    // After the end was repaired, the library reads from its own two bytes, and new bytes are not used.
    if (decoder->ended_early) return;
    decoder->window = bytes;
    decoder->window_count = count;
    size_t skip = decoder->skipping < count ? decoder->skipping : count;
    decoder->skipping -= skip;
    decoder->source.next_input_byte = bytes + skip;
    decoder->source.bytes_in_buffer = count - skip;
}

size_t gannet_jpeg_decoder_unread(const gannet_jpeg_decoder *decoder) {
    return decoder->ended_early ? 0 : decoder->source.bytes_in_buffer;
}

size_t gannet_jpeg_decoder_skipping(const gannet_jpeg_decoder *decoder) { return decoder->skipping; }

void gannet_jpeg_decoder_end_here(gannet_jpeg_decoder *decoder) {
    decoder->skipping = 0;
    // A segment whose marker was read and whose body is missing would be read from invented bytes.
    if (decoder->info.unread_marker != 0 && decoder->info.unread_marker != JPEG_EOI) {
        decoder->info.unread_marker = JPEG_EOI;
        decoder->ended_early = 1;
        decoder->source.bytes_in_buffer = 0;
    }
}

gannet_jpeg_result gannet_jpeg_decoder_read_header(gannet_jpeg_decoder *decoder) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    if (jpeg_read_header(&decoder->info, TRUE) == JPEG_SUSPENDED) return GANNET_JPEG_SUSPENDED;
    decoder->has_many_scans = jpeg_has_multiple_scans(&decoder->info) ? 1 : 0;
    // Real files visit each component about ten times.
    double passes = 24.0 * (double)(gannet_jpeg_decoder_coefficient_bytes(decoder) / sizeof(JBLOCK));
    decoder->maximum_work = passes > 1e8 ? passes : 1e8;
    return GANNET_JPEG_OK;
}

int gannet_jpeg_decoder_width(const gannet_jpeg_decoder *decoder) { return (int)decoder->info.image_width; }
int gannet_jpeg_decoder_height(const gannet_jpeg_decoder *decoder) { return (int)decoder->info.image_height; }
int gannet_jpeg_decoder_has_many_scans(const gannet_jpeg_decoder *decoder) { return decoder->has_many_scans; }

size_t gannet_jpeg_decoder_coefficient_bytes(const gannet_jpeg_decoder *decoder) {
    if (decoder->lockstep != NULL) return gannet_jpeg_lockstep_bytes(decoder->lockstep);
    size_t blocks = 0;
    for (int index = 0; index < decoder->info.num_components; index++) {
        const jpeg_component_info *component = &decoder->info.comp_info[index];
        blocks += (component->width_in_blocks + (size_t)component->h_samp_factor) *
            (component->height_in_blocks + (size_t)component->v_samp_factor);
    }
    return blocks * sizeof(JBLOCK);
}

int gannet_jpeg_decoder_block_rows(const gannet_jpeg_decoder *decoder) {
    return decoder->info.max_v_samp_factor * DCTSIZE;
}

gannet_jpeg_pixels gannet_jpeg_decoder_pixels(const gannet_jpeg_decoder *decoder) {
    J_COLOR_SPACE space = decoder->info.jpeg_color_space;
    return space == JCS_CMYK || space == JCS_YCCK ? GANNET_JPEG_CMYK : GANNET_JPEG_RGBA;
}

gannet_jpeg_result gannet_jpeg_decoder_start(gannet_jpeg_decoder *decoder, int eighths, int by_scan) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    struct jpeg_decompress_struct *info = &decoder->info;
    if (!decoder->is_started) {
        // Options may only be set before the first call; a suspended start is called again.
        decoder->is_started = 1;
        info->out_color_space = gannet_jpeg_decoder_pixels(decoder) == GANNET_JPEG_CMYK ? JCS_CMYK : JCS_EXT_RGBA;
        info->scale_num = (unsigned)eighths;
        info->scale_denom = 8;
        info->dct_method = JDCT_ISLOW;
        info->buffered_image = by_scan || decoder->lockstep != NULL ? TRUE : FALSE;
    }
    if (!jpeg_start_decompress(info)) return GANNET_JPEG_SUSPENDED;
    if (decoder->lockstep != NULL) {
        gannet_jpeg_lockstep_start(decoder->lockstep);
        // When pixels are made, every coefficient in the file has been read.
        info->do_block_smoothing = FALSE;
        jpeg_start_output(info, 1);
    }
    return GANNET_JPEG_OK;
}

int gannet_jpeg_decoder_output_width(const gannet_jpeg_decoder *decoder) { return (int)decoder->info.output_width; }
int gannet_jpeg_decoder_output_height(const gannet_jpeg_decoder *decoder) { return (int)decoder->info.output_height; }

gannet_jpeg_result gannet_jpeg_decoder_read_rows(
    gannet_jpeg_decoder *decoder, uint8_t *base, size_t stride, int count, int *done) {
    enum { batch = 32 };
    *done = 0;
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    while (*done < count && decoder->info.output_scanline < decoder->info.output_height) {
        JSAMPROW rows[batch];
        int wanted = count - *done < batch ? count - *done : batch;
        for (int row = 0; row < wanted; row++) rows[row] = base + (size_t)(*done + row) * stride;
        int filled = 0;
        while (filled < wanted && decoder->info.output_scanline < decoder->info.output_height) {
            JDIMENSION came = jpeg_read_scanlines(&decoder->info, rows + filled, (JDIMENSION)(wanted - filled));
            if (came == 0) return GANNET_JPEG_SUSPENDED;
            filled += (int)came;
            *done += (int)came;
        }
    }
    return GANNET_JPEG_OK;
}

gannet_jpeg_result gannet_jpeg_decoder_crop(gannet_jpeg_decoder *decoder, int *left, int *width) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    JDIMENSION first = (JDIMENSION)*left, count = (JDIMENSION)*width;
    jpeg_crop_scanline(&decoder->info, &first, &count);
    *left = (int)first;
    *width = (int)count;
    return GANNET_JPEG_OK;
}

gannet_jpeg_result gannet_jpeg_decoder_skip_rows(gannet_jpeg_decoder *decoder, int count) {
    // While it skips, the library makes no call that could stop it.
    enum { piece = 256 };
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    int left = count;
    while (left > 0 && decoder->info.output_scanline < decoder->info.output_height) {
        JDIMENSION skipped = jpeg_skip_scanlines(&decoder->info, (JDIMENSION)(left < piece ? left : piece));
        if (skipped == 0) return GANNET_JPEG_SUSPENDED;
        left -= (int)skipped;
        progress_monitor((j_common_ptr)&decoder->info);
    }
    return GANNET_JPEG_OK;
}

gannet_jpeg_result gannet_jpeg_decoder_absorb(gannet_jpeg_decoder *decoder) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    for (;;) {
        switch (jpeg_consume_input(&decoder->info)) {
        case JPEG_SUSPENDED:
            return GANNET_JPEG_SUSPENDED;
        case JPEG_REACHED_EOI:
            return GANNET_JPEG_OK;
        default:
            progress_monitor((j_common_ptr)&decoder->info);
        }
    }
}

int gannet_jpeg_decoder_input_scan(const gannet_jpeg_decoder *decoder) { return decoder->info.input_scan_number; }

gannet_jpeg_result gannet_jpeg_decoder_start_output(gannet_jpeg_decoder *decoder, int scan) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    return jpeg_start_output(&decoder->info, scan) ? GANNET_JPEG_OK : GANNET_JPEG_SUSPENDED;
}

gannet_jpeg_result gannet_jpeg_decoder_finish_output(gannet_jpeg_decoder *decoder) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    return jpeg_finish_output(&decoder->info) ? GANNET_JPEG_OK : GANNET_JPEG_SUSPENDED;
}

int gannet_jpeg_decoder_ended_early(const gannet_jpeg_decoder *decoder) { return decoder->ended_early; }

int gannet_jpeg_decoder_is_incomplete(const gannet_jpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *info = &decoder->info;
    if (info->arith_code) return 1;  // this decoder invents missing data without a warning
    if (!decoder->has_many_scans) return 0;
    if (decoder->seen_components != (1u << info->num_components) - 1) return 1;
    if (!info->progressive_mode || info->coef_bits == NULL) return 0;
    for (int component = 0; component < info->num_components; component++)
        for (int coefficient = 0; coefficient < DCTSIZE2; coefficient++)
            if (info->coef_bits[component][coefficient] != 0) return 1;
    return 0;
}

long gannet_jpeg_decoder_damages(const gannet_jpeg_decoder *decoder) { return decoder->damages; }
long gannet_jpeg_decoder_warnings(const gannet_jpeg_decoder *decoder) { return decoder->errors.num_warnings; }
gannet_jpeg_fault gannet_jpeg_decoder_fault(const gannet_jpeg_decoder *decoder) { return decoder->fault; }
const char *gannet_jpeg_decoder_message(const gannet_jpeg_decoder *decoder) { return decoder->message; }

#endif
