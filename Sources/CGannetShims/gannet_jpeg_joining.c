#if WITH_JPEG
#include "gannet_jpeg_decoder.h"

#include <stdlib.h>

#include "gannet_jpeg_progressive.h"
#include "gannet_jpeg_shrinking.h"

// Decoding methods that need the whole file: its scans side by side, and directly to a small size.

/// A bit for each component that becomes one pixel for each block.
static unsigned components_of_means(const struct jpeg_decompress_struct *info) {
    unsigned means = 0;
    for (int index = 0; index < info->num_components; index++) {
#if JPEG_LIB_VERSION >= 70
        int size = info->comp_info[index].DCT_h_scaled_size * info->comp_info[index].DCT_v_scaled_size;
#else
        int size = info->comp_info[index].DCT_scaled_size;
#endif
        if (size == 1) means |= 1u << index;
    }
    return means;
}

/// Finds the scans of a whole file before the start, for a decode at `eighths`/8 of the size. 0 if scans cannot be joined.
static long survey(gannet_jpeg_decoder *decoder, int eighths, gannet_jpeg_scan **scans) {
    struct jpeg_decompress_struct *info = &decoder->info;
    // The arithmetic decoder invents missing data without a warning.
    if (!decoder->has_many_scans || info->arith_code || !decoder->is_last || decoder->is_started || decoder->lockstep != NULL) return 0;
    info->scale_num = (unsigned)eighths;
    info->scale_denom = 8;
    jpeg_calc_output_dimensions(info);
    long count = gannet_jpeg_survey_scans(
        info, decoder->window, decoder->window_count, components_of_means(info), decoder->maximum_scans, scans);
    if (count < 0) gannet_jpeg_decoder_fail(decoder, GANNET_JPEG_FAULT_SCANS, "too many scans");
    if (count > 0 && gannet_jpeg_work_of_scans(info, *scans, count) > decoder->maximum_work) {
        free(*scans);
        gannet_jpeg_decoder_fail(decoder, GANNET_JPEG_FAULT_SCANS, "too many scans for its size");
    }
    return count;
}

gannet_jpeg_result gannet_jpeg_decoder_join_scans(gannet_jpeg_decoder *decoder, int eighths, int by_kernel) {
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    gannet_jpeg_scan *scans = NULL;
    long count = survey(decoder, eighths, &scans);
    if (count == 0) return GANNET_JPEG_SUSPENDED;
    size_t most = gannet_jpeg_decoder_coefficient_bytes(decoder);
    decoder->lockstep = gannet_jpeg_lockstep_install(&decoder->info, scans, count, most, by_kernel);
    if (decoder->lockstep != NULL) return GANNET_JPEG_OK;
    free(scans);
    return GANNET_JPEG_SUSPENDED;
}

gannet_jpeg_shrink *gannet_jpeg_decoder_shrink_beside(gannet_jpeg_decoder *decoder, const int *eighths) {
    return decoder->lockstep == NULL || decoder->is_started ? NULL : gannet_jpeg_lockstep_shrink(decoder->lockstep, eighths);
}

int gannet_jpeg_decoder_gave_up(const gannet_jpeg_decoder *decoder) {
    return decoder->lockstep != NULL && gannet_jpeg_lockstep_gave_up(decoder->lockstep);
}

gannet_jpeg_result gannet_jpeg_decoder_shrink(gannet_jpeg_decoder *decoder, const int *eighths, gannet_jpeg_shrink **shrink) {
    *shrink = NULL;
    if (setjmp(decoder->jump)) return GANNET_JPEG_FAILED;
    if (!decoder->is_last || decoder->is_started) return GANNET_JPEG_SUSPENDED;
    if (!decoder->has_many_scans) {
        *shrink = gannet_jpeg_shrink_of(&decoder->info, eighths);
    } else {
        gannet_jpeg_scan *scans = NULL;
        long count = survey(decoder, eighths[0], &scans);
        if (count == 0) return GANNET_JPEG_SUSPENDED;
        gannet_jpeg_progressive_scan *list = gannet_jpeg_progressive_scans(&decoder->info, scans, count);
        if (list != NULL) *shrink = gannet_jpeg_shrink_of_scans(&decoder->info, eighths, list, (size_t)count);
        free(list);
        free(scans);
    }
    return *shrink != NULL ? GANNET_JPEG_OK : GANNET_JPEG_SUSPENDED;
}
#endif
