// Plain functions over ffmpeg's libraries: a video in memory goes in, one of its frames comes out. No files, no network, and no
// containers and codecs but those named here.
#ifndef GANNET_VIDEO_H
#define GANNET_VIDEO_H
#include <stddef.h>
#include <stdint.h>

/// The result of an entry function.
typedef enum {
    GANNET_VIDEO_OK = 0,
    GANNET_VIDEO_CORRUPT,
    GANNET_VIDEO_UNSUPPORTED,  // no video stream, or a codec that is not among those named
    GANNET_VIDEO_LIMIT,        // a frame is larger than the limit
    GANNET_VIDEO_MEMORY,
    GANNET_VIDEO_STOPPED       // the caller's stop function returned non-zero
} gannet_video_result;

typedef enum { GANNET_VIDEO_MOV, GANNET_VIDEO_MATROSKA, GANNET_VIDEO_AVI } gannet_video_container;

typedef struct gannet_video gannet_video;

typedef struct {
    int width;               // as stored, widened for non-square pixels
    int height;
    int quarter_turns;       // clockwise, 0 to 3
    int64_t microseconds;    // of the whole video; negative: unknown
    const char *codec;       // ffmpeg's short name; static
} gannet_video_info;

/// Opens the container and its first video stream. `bytes` must outlive the returned object. Calls `stop` between packets.
/// Returns NULL and a reason if the video cannot be opened.
gannet_video *gannet_video_open(
    const uint8_t *bytes, size_t count, gannet_video_container container, int64_t maximum_pixels, int (*stop)(void *),
    void *context, gannet_video_result *result);
void gannet_video_free(gannet_video *video);
gannet_video_info gannet_video_get_info(const gannet_video *video);
/// Draws the frame that is shown at a time from the start: the last one for times after the end, the first one for negative
/// times. Scaled to `width` × `height`, four bytes for each pixel, red first, not rotated.
gannet_video_result gannet_video_draw(
    gannet_video *video, int64_t microseconds, uint8_t *base, size_t stride, int width, int height, int (*stop)(void *),
    void *context);

#endif
