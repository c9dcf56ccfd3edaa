#if WITH_JPEG
#include "gannet_jpeg_shrinking.h"

#include <string.h>

static int has_colors(const struct jpeg_decompress_struct *info, gannet_jpeg_colors *colors) {
    switch (info->jpeg_color_space) {
    case JCS_GRAYSCALE: *colors = GANNET_JPEG_GRAY; return info->num_components == 1;
    case JCS_YCbCr: *colors = GANNET_JPEG_YCC; return info->num_components == 3;
    case JCS_RGB: *colors = GANNET_JPEG_RGB; return info->num_components == 3;
    default: return 0;
    }
}

/// Gets the table with this number. 0 if the file does not have it.
static int has_codes(JHUFF_TBL *const tables[NUM_HUFF_TBLS], int number, gannet_jpeg_codes *codes) {
    if (number < 0 || number >= NUM_HUFF_TBLS || tables[number] == NULL) return 0;
    codes->counts = tables[number]->bits;
    codes->symbols = tables[number]->huffval;
    return 1;
}

/// Fills in the fields that both kinds of file share. False if the kernel cannot handle the file.
static int is_frame(const struct jpeg_decompress_struct *info, const int *eighths, gannet_jpeg_frame *frame) {
    frame->width = (int)info->image_width;
    frame->height = (int)info->image_height;
    frame->eighths = eighths[0];
    memcpy(frame->smaller, eighths + 1, sizeof frame->smaller);
    if (info->arith_code || info->data_precision != 8 || !has_colors(info, &frame->colors)) return 0;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        gannet_jpeg_component *own = &frame->components[index];
        // A scan of one component has its blocks in plain order, whatever its sampling factors are.
        own->horizontal = info->num_components == 1 ? 1 : component->h_samp_factor;
        own->vertical = info->num_components == 1 ? 1 : component->v_samp_factor;
        int steps = component->quant_tbl_no;
        if (steps < 0 || steps >= NUM_QUANT_TBLS || info->quant_tbl_ptrs[steps] == NULL) return 0;
        own->steps = info->quant_tbl_ptrs[steps]->quantval;
    }
    return 1;
}

gannet_jpeg_shrink *gannet_jpeg_shrink_of(const struct jpeg_decompress_struct *info, const int *eighths) {
    gannet_jpeg_frame frame = {.restart_interval = info->restart_interval};
    if (info->progressive_mode || !is_frame(info, eighths, &frame)) return NULL;
    if (info->Ss != 0 || info->Se != DCTSIZE2 - 1 || info->Ah != 0 || info->Al != 0) return NULL;
    if (info->comps_in_scan != info->num_components) return NULL;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = info->cur_comp_info[index];
        if (component == NULL || component->component_index != index) return NULL;
        gannet_jpeg_component *own = &frame.components[index];
        if (!has_codes(info->dc_huff_tbl_ptrs, component->dc_tbl_no, &own->dc)) return NULL;
        if (!has_codes(info->ac_huff_tbl_ptrs, component->ac_tbl_no, &own->ac)) return NULL;
    }
    return gannet_jpeg_shrink_create(&frame, info->src->next_input_byte, info->src->bytes_in_buffer);
}

gannet_jpeg_shrink *gannet_jpeg_shrink_of_scans(
    const struct jpeg_decompress_struct *info, const int *eighths, const gannet_jpeg_progressive_scan *scans, size_t count) {
    gannet_jpeg_frame frame = {.scans = scans, .scan_count = count};
    return is_frame(info, eighths, &frame) ? gannet_jpeg_shrink_create(&frame, NULL, 0) : NULL;
}
#endif
