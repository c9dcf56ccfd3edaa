// ffmpeg's libraries; the library itself uses them through gannet_video.h alone.
#if !__has_include(<libavformat/avformat.h>)
#error "install libavformat-dev"
#endif
#if !__has_include(<libswscale/swscale.h>)
#error "install libswscale-dev"
#endif
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>

/// Room for the nine numbers of a display matrix, which a writer puts beside the stream. NULL without memory.
static inline int32_t *gannet_av_new_display_matrix(AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
        9 * sizeof(int32_t), 0);
    return data == NULL ? NULL : (int32_t *)data->data;
#else
    return (int32_t *)av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
#endif
}
