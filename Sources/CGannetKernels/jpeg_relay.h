// A progressive file that is decoded by several threads: each reads some of the scans, one row of MCUs after the other, and hands the row to
// the next, which goes on with later scans. Private to the JPEG kernels.
#ifndef JPEG_RELAY_H
#define JPEG_RELAY_H
#include "gannet_jpeg_progression.h"

typedef struct gannet_jpeg_relay gannet_jpeg_relay;

/// A row of MCUs: for each row of blocks of each component its coefficients, and for each block which of them, DC apart, are not zero: bit n
/// is the n-th in zigzag order.
typedef struct {
    int16_t *rows[GANNET_JPEG_MOST_COMPONENTS][4];
    uint64_t *details[GANNET_JPEG_MOST_COMPONENTS][4];
} gannet_jpeg_lap;

/// How many threads are worth it, the owner's included, and the memory that they need. 1: none beside it.
int gannet_jpeg_relay_worth(const gannet_jpeg_progression *progression, int threads, size_t *bytes);

/// Starts the threads, for as many rows of MCUs. The progression is the relay's until its end. NULL: no memory, or no thread.
gannet_jpeg_relay *gannet_jpeg_relay_create(gannet_jpeg_progression *progression, size_t rows, int threads);
/// Ends the threads, and waits for that.
void gannet_jpeg_relay_destroy(gannet_jpeg_relay *relay);

/// The next row of MCUs, until the next call. NULL: damaged.
const gannet_jpeg_lap *gannet_jpeg_relay_next(gannet_jpeg_relay *relay);

// Of the progression

size_t gannet_jpeg_progression_strands(const gannet_jpeg_progression *progression);
/// Bytes of a scan.
size_t gannet_jpeg_progression_size(const gannet_jpeg_progression *progression, size_t strand);
/// Blocks of a row of a component in whole MCUs, and rows of blocks in an MCU. 0: there is no such component.
size_t gannet_jpeg_progression_room(const gannet_jpeg_progression *progression, int component, int *vertical);
/// The details of the row that gannet_jpeg_progression_next decoded last.
void gannet_jpeg_progression_use_own_details(const gannet_jpeg_progression *progression, gannet_jpeg_lap *lap);
/// Decodes row `row` of MCUs of one scan, whose rows come one after the other. False: damaged.
bool gannet_jpeg_progression_read(gannet_jpeg_progression *progression, size_t strand, size_t row, const gannet_jpeg_lap *lap);

#endif
