// A baseline scan that is decoded by several threads: its owner begins at the top, and the others at places below, until each stands where
// the next one began. Then all of them make the rows of pixels, from the last one upwards, while the owner goes down.
//
// The owner's pixels are those of a decode alone, bit for bit. Where parts do not meet, it goes on alone.
#ifndef JPEG_PARTS_H
#define JPEG_PARTS_H
#include "jpeg_part.h"

typedef struct gannet_jpeg_parts gannet_jpeg_parts;

/// Makes the pixels of a row of MCUs, all of which the parts have; freed with free(). NULL: no memory. On any thread.
typedef uint8_t *gannet_jpeg_band_maker(void *context, gannet_jpeg_parts *parts, size_t band);

/// How many threads are worth it for a scan behind whose start are `count` bytes, more than its own perhaps; 1: none beside the owner's.
/// `length` gets the bytes of the scan.
int gannet_jpeg_parts_worth(const gannet_jpeg_plan *plan, size_t count, int threads, size_t *length);

/// Memory that so many threads need at most, beside the bands.
size_t gannet_jpeg_parts_bytes(const gannet_jpeg_plan *plan, int threads);

/// Starts the threads. The plan, the scan's `length` bytes and the context must outlive the result. NULL: no memory, or no threads.
gannet_jpeg_parts *gannet_jpeg_parts_create(
    const gannet_jpeg_plan *plan, size_t length, size_t count, int threads, gannet_jpeg_band_maker *maker, void *context);
/// Ends the threads, and waits for that.
void gannet_jpeg_parts_destroy(gannet_jpeg_parts *parts);

/// How many threads there are, the owner's included.
int gannet_jpeg_parts_count(const gannet_jpeg_parts *parts);

// For the owner

/// It stands before MCU `number`: whether the parts have what comes.
bool gannet_jpeg_parts_meet(gannet_jpeg_parts *parts, const gannet_jpeg_stand *stand, size_t number);
/// The parts had the MCUs before `number`, and do not have it: where a reader would stand there.
gannet_jpeg_stand gannet_jpeg_parts_leave(gannet_jpeg_parts *parts);
/// The next row of MCUs, after the owner has met the parts. NULL: it has to make it itself.
uint8_t *gannet_jpeg_parts_band(gannet_jpeg_parts *parts, size_t band);

// For whoever makes a row

/// Goes through MCUs in ascending order.
typedef struct {
    int part;
    size_t known;  // MCUs of it that are there
} gannet_jpeg_cursor;

/// What is kept of an MCU behind the place where the owner met the parts, and what is added to the means of each plane. NULL: they end
/// before it. Waits until it has been read.
const int16_t *gannet_jpeg_parts_take(
    gannet_jpeg_parts *parts, gannet_jpeg_cursor *cursor, size_t number, const uint32_t **offsets);

#endif
