#include "jpeg_part.h"

uint64_t gannet_jpeg_position(const gannet_jpeg_plan *plan, const gannet_jpeg_bits *bits) {
    if (bits->missing > 0) return 0;
    // Back over the bytes that were taken ahead; a zero behind 0xFF belongs to it.
    const uint8_t *at = bits->at;
    int ahead = (bits->count + 7) / 8;
    for (int byte = 0; byte < ahead; byte++) at -= at[-1] == 0 && at[-2] == 0xFF ? 2 : 1;
    return (uint64_t)(at - plan->bytes) * 8 + (uint64_t)(8 * ahead - bits->count);
}

/// Only the lowest coefficients of a block, row by row.
static inline int16_t *keep(const int16_t *block, int across, int down, int16_t *kept) {
    switch (across) {
    case 1:
        for (int y = 0; y < down; y++, kept += 1) memcpy(kept, block + 8 * y, 2);
        break;
    case 2:
        for (int y = 0; y < down; y++, kept += 2) memcpy(kept, block + 8 * y, 4);
        break;
    case 4:
        for (int y = 0; y < down; y++, kept += 4) memcpy(kept, block + 8 * y, 8);
        break;
    default:
        for (int y = 0; y < down; y++, kept += 8) memcpy(kept, block + 8 * y, 16);
    }
    return kept;
}

/// Reads the marker that stands before MCU number `number`.
static bool restart(gannet_jpeg_stand *stand, unsigned interval, size_t number) {
    if (!gannet_jpeg_restart(&stand->bits, (int)((number / interval - 1) & 7))) return false;
    memset(stand->predictors, 0, sizeof stand->predictors);
    return true;
}

bool gannet_jpeg_part_read(gannet_jpeg_part *part) {
    const gannet_jpeg_plan *plan = part->plan;
    gannet_jpeg_stand stand = part->stand;
    if (part->number == 0 && part->mcus < JPEG_TRAIL) {
        gannet_jpeg_step *step = &part->trail[part->mcus];
        step->position = gannet_jpeg_position(plan, &stand.bits);
        memcpy(step->predictors, stand.predictors, sizeof step->predictors);
    }
    // Its first MCU stands behind a marker.
    size_t number = part->number + part->mcus;
    if (plan->restart_interval > 0 && part->mcus > 0 && number % plan->restart_interval == 0
        && !restart(&stand, plan->restart_interval, number))
        return false;
    int16_t *kept = gannet_jpeg_part_record(part, part->mcus);
    for (int index = 0; index < plan->plane_count; index++) {
        for (int block_number = 0; block_number < plan->planes[index].blocks; block_number++) {
            int16_t block[64] = {0};
            int stored = gannet_jpeg_decode_block(
                &stand.bits, plan->planes[index].dc, plan->planes[index].ac, plan->planes[index].last, &stand.predictors[index], block);
            if (stored < 0) return false;
            kept = keep(block, plan->planes[index].across, plan->planes[index].down, kept);
            *kept++ = (int16_t)stored;
        }
    }
    if (gannet_jpeg_is_exhausted(&stand.bits)) return false;
    part->stand = stand;
    part->mcus++;
    return true;
}

bool gannet_jpeg_part_retry(gannet_jpeg_part *part) {
    enum { MOST_BYTES = 1 << 15 };
    uint64_t position = gannet_jpeg_position(part->plan, &part->stand.bits);
    if (position == 0) return false;
    const uint8_t *at = part->plan->bytes + position / 8;
    at += at[0] == 0xFF ? 2 : 1;
    if (at - part->start > MOST_BYTES || at >= part->stand.bits.end) return false;
    part->stand = (gannet_jpeg_stand){.bits = {.at = at, .end = part->stand.bits.end}};
    part->mcus = 0;
    return true;
}
