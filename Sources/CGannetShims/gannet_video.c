#if WITH_VIDEO
#if !__has_include(<libavformat/avformat.h>)
#error "install libavformat-dev"
#endif
#include "gannet_video.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

// Bytes that ffmpeg requests at a time.
enum { STEP = 64 * 1024, MOST_STREAMS = 64 };

struct gannet_video {
    const uint8_t *bytes;
    int64_t count;
    int64_t position;
    AVIOContext *io;
    AVFormatContext *format;
    AVCodecContext *codec;
    int stream;
    int (*stop)(void *);
    void *context;
    int is_stopped;
};

static int is_over(void *opaque) {
    gannet_video *video = opaque;
    if (!video->is_stopped && video->stop != NULL && video->stop(video->context) != 0) video->is_stopped = 1;
    return video->is_stopped;
}

static int read_bytes(void *opaque, uint8_t *target, int room) {
    gannet_video *video = opaque;
    const int64_t left = video->count - video->position;
    if (left <= 0) return AVERROR_EOF;
    const int taken = left < room ? (int)left : room;
    memcpy(target, video->bytes + video->position, (size_t)taken);
    video->position += taken;
    return taken;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
    gannet_video *video = opaque;
    whence &= ~AVSEEK_FORCE;
    if (whence == AVSEEK_SIZE) return video->count;
    int64_t from = 0;
    if (whence == SEEK_CUR) from = video->position;
    if (whence == SEEK_END) from = video->count;
    if (offset < -from || offset > video->count - from) return AVERROR(EINVAL);
    video->position = from + offset;
    return video->position;
}

// A video that refers to another file does not get it.
static int refuse(AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)format, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EACCES);
}

// ffmpeg logs every oddity to the terminal. A level that the program has chosen itself is kept.
static void be_quiet(void) {
    if (av_log_get_level() == AV_LOG_INFO) av_log_set_level(AV_LOG_QUIET);
}

static int is_known(enum AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_H264: case AV_CODEC_ID_HEVC: case AV_CODEC_ID_AV1: case AV_CODEC_ID_VP8: case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_MPEG4: case AV_CODEC_ID_MPEG2VIDEO: case AV_CODEC_ID_MPEG1VIDEO: case AV_CODEC_ID_H263:
    case AV_CODEC_ID_MJPEG: case AV_CODEC_ID_FFV1: case AV_CODEC_ID_THEORA: case AV_CODEC_ID_PRORES:
        return 1;
    default:
        return 0;
    }
}

static gannet_video_result result_of(const gannet_video *video, int code) {
    if (video->is_stopped) return GANNET_VIDEO_STOPPED;
    if (code == AVERROR(ENOMEM)) return GANNET_VIDEO_MEMORY;
    return GANNET_VIDEO_CORRUPT;
}

// For some codecs only the stream has the size, not the container.
static gannet_video_result look_into_stream(gannet_video *video, int64_t maximum_pixels) {
    AVDictionary *options[MOST_STREAMS] = {NULL};
    const unsigned count = video->format->nb_streams;
    if (count > MOST_STREAMS || !is_known(video->format->streams[video->stream]->codecpar->codec_id)) return GANNET_VIDEO_UNSUPPORTED;
    for (unsigned index = 0; index < count; index++) {
        if ((int)index != video->stream) video->format->streams[index]->discard = AVDISCARD_ALL;
        av_dict_set_int(&options[index], "max_pixels", maximum_pixels, 0);
        av_dict_set_int(&options[index], "threads", 1, 0);
    }
    const int code = avformat_find_stream_info(video->format, options);
    for (unsigned index = 0; index < count; index++) av_dict_free(&options[index]);
    // Streams appeared during the search.
    if (video->format->nb_streams != count) return GANNET_VIDEO_CORRUPT;
    return code < 0 ? result_of(video, code) : GANNET_VIDEO_OK;
}

static gannet_video_result open_stream(gannet_video *video, int64_t maximum_pixels) {
    video->stream = -1;
    for (unsigned index = 0; index < video->format->nb_streams && video->stream < 0; index++) {
        const AVStream *stream = video->format->streams[index];
        // Cover art is a stream of one image, not the video.
        if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC))
            video->stream = (int)index;
    }
    if (video->stream < 0) return GANNET_VIDEO_UNSUPPORTED;
    if (video->format->streams[video->stream]->codecpar->width <= 0) {
        const gannet_video_result result = look_into_stream(video, maximum_pixels);
        if (result != GANNET_VIDEO_OK) return result;
    }
    for (unsigned index = 0; index < video->format->nb_streams; index++)
        if ((int)index != video->stream) video->format->streams[index]->discard = AVDISCARD_ALL;
    const AVCodecParameters *parameters = video->format->streams[video->stream]->codecpar;
    if (!is_known(parameters->codec_id)) return GANNET_VIDEO_UNSUPPORTED;
    if (parameters->width <= 0 || parameters->height <= 0) return GANNET_VIDEO_CORRUPT;
    if ((int64_t)parameters->width * parameters->height > maximum_pixels) return GANNET_VIDEO_LIMIT;
    const AVCodec *decoder = avcodec_find_decoder(parameters->codec_id);
    if (decoder == NULL) return GANNET_VIDEO_UNSUPPORTED;
    video->codec = avcodec_alloc_context3(decoder);
    if (video->codec == NULL) return GANNET_VIDEO_MEMORY;
    int code = avcodec_parameters_to_context(video->codec, parameters);
    if (code < 0) return result_of(video, code);
    // The stream may have another size than its container states. Codecs round sides up to whole blocks.
    video->codec->max_pixels = maximum_pixels + 128 * ((int64_t)parameters->width + parameters->height) + 16384;
    video->codec->thread_count = 1;
    video->codec->pkt_timebase = video->format->streams[video->stream]->time_base;
    code = avcodec_open2(video->codec, decoder, NULL);
    return code < 0 ? result_of(video, code) : GANNET_VIDEO_OK;
}

gannet_video *gannet_video_open(
    const uint8_t *bytes, size_t count, gannet_video_container container, int64_t maximum_pixels, int (*stop)(void *),
    void *context, gannet_video_result *result) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, be_quiet);
    static const char *const names[] = {"mov", "matroska", "avi"};
    const AVInputFormat *input = av_find_input_format(names[container]);
    *result = input == NULL ? GANNET_VIDEO_UNSUPPORTED : GANNET_VIDEO_MEMORY;
    gannet_video *video = input == NULL ? NULL : calloc(1, sizeof *video);
    if (video == NULL) return NULL;
    video->bytes = bytes;
    video->count = (int64_t)count;
    video->stop = stop;
    video->context = context;
    uint8_t *room = av_malloc(STEP);
    video->io = room == NULL ? NULL : avio_alloc_context(room, STEP, 0, video, read_bytes, NULL, seek_bytes);
    video->format = avformat_alloc_context();
    if (video->io == NULL || video->format == NULL) {
        if (video->io == NULL) av_free(room);
        gannet_video_free(video);
        return NULL;
    }
    video->format->pb = video->io;
    video->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    video->format->io_open = refuse;
    video->format->interrupt_callback = (AVIOInterruptCB){is_over, video};
    video->format->max_streams = MOST_STREAMS;
    video->format->max_index_size = 16 << 20;
    video->format->probesize = 1 << 20;
    video->format->strict_std_compliance = FF_COMPLIANCE_NORMAL;
    av_opt_set(video->format, "protocol_whitelist", "none", 0);
    av_opt_set(video->format, "format_whitelist", input->name, 0);
    // The container is known already; no other one is tried.
    // Each edit in an edit list would copy the whole index; still frames have no use for edits.
    AVDictionary *options = NULL;
    av_dict_set(&options, "advanced_editlist", "0", 0);
    int code = avformat_open_input(&video->format, NULL, input, &options);
    av_dict_free(&options);
    *result = code < 0 ? result_of(video, code) : open_stream(video, maximum_pixels);
    // Whatever result the library made of it.
    if (video->is_stopped) *result = GANNET_VIDEO_STOPPED;
    if (*result != GANNET_VIDEO_OK) {
        gannet_video_free(video);
        return NULL;
    }
    return video;
}

void gannet_video_free(gannet_video *video) {
    if (video == NULL) return;
    // Closing may still check for a stop, but the caller's function must not be called any more.
    video->stop = NULL;
    if (video->codec != NULL) avcodec_free_context(&video->codec);
    if (video->format != NULL) avformat_close_input(&video->format);
    if (video->io != NULL) {
        av_freep(&video->io->buffer);
        avio_context_free(&video->io);
    }
    free(video);
}

/// A stream's display matrix, which ffmpeg 6.1 moved to the codec parameters. NULL: there is none.
static const uint8_t *display_matrix(const AVStream *stream, size_t *size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    *size = data == NULL ? 0 : data->size;
    return data == NULL ? NULL : data->data;
#else
    return av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size);
#endif
}

static int quarter_turns(const AVStream *stream) {
    size_t size = 0;
    const uint8_t *matrix = display_matrix(stream, &size);
    if (matrix == NULL || size < 9 * sizeof(int32_t)) return 0;
    const double angle = av_display_rotation_get((const int32_t *)matrix);
    if (!isfinite(angle)) return 0;
    // ffmpeg's angle is counterclockwise.
    return (int)((4 - lround(angle / 90) % 4) % 4);
}

gannet_video_info gannet_video_get_info(const gannet_video *video) {
    const AVStream *stream = video->format->streams[video->stream];
    gannet_video_info info = {stream->codecpar->width, stream->codecpar->height, quarter_turns(stream), -1,
        avcodec_get_name(stream->codecpar->codec_id)};
    const AVRational pixel =
        stream->sample_aspect_ratio.num > 0 ? stream->sample_aspect_ratio : stream->codecpar->sample_aspect_ratio;
    if (pixel.num > 0 && pixel.den > 0) {
        const double shape = (double)pixel.num / pixel.den;
        // Other ratios are mistakes.
        if (shape >= 0.25 && shape <= 4) info.width = (int)fmax(1, lround(info.width * shape));
    }
    if (stream->duration != AV_NOPTS_VALUE)
        info.microseconds = av_rescale_q(stream->duration, stream->time_base, AV_TIME_BASE_Q);
    else if (video->format->duration != AV_NOPTS_VALUE)
        info.microseconds = video->format->duration;
    if (info.microseconds < 0) info.microseconds = -1;
    return info;
}

static gannet_video_result scale(const AVFrame *frame, uint8_t *base, size_t stride, int width, int height) {
    struct SwsContext *scaler = sws_getContext(
        frame->width, frame->height, frame->format, width, height, AV_PIX_FMT_RGBA,
        SWS_AREA | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_ACCURATE_RND, NULL, NULL, NULL);
    if (scaler == NULL) return GANNET_VIDEO_UNSUPPORTED;
    // Videos without a colour space use the standard for their size.
    int space = frame->colorspace;
    if (space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED) space = frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
    const int *colors = sws_getCoefficients(space);
    int full = frame->color_range == AVCOL_RANGE_JPEG;
    sws_setColorspaceDetails(scaler, colors, full, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
    // A separate buffer for the scaler, because it may write beyond the end of a row.
    uint8_t *planes[4] = {NULL};
    int strides[4] = {0};
    gannet_video_result result = GANNET_VIDEO_MEMORY;
    if (av_image_alloc(planes, strides, width + 32, height, AV_PIX_FMT_RGBA, 64) >= 0) {
        const int rows = sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
        result = rows == height ? GANNET_VIDEO_OK : GANNET_VIDEO_CORRUPT;
        for (int y = 0; y < height && result == GANNET_VIDEO_OK; y++)
            memcpy(base + (size_t)y * stride, planes[0] + (size_t)y * (size_t)strides[0], 4 * (size_t)width);
        av_freep(&planes[0]);
    }
    sws_freeContext(scaler);
    return result;
}

// Puts the last frame that begins at or before `wanted` into `shown`; the first one if all begin later.
static int find_frame(gannet_video *video, int64_t wanted, AVPacket *packet, AVFrame *next, AVFrame *shown) {
    int has_shown = 0, is_draining = 0;
    for (;;) {
        if (is_over(video)) return AVERROR_EXIT;
        int code = avcodec_receive_frame(video->codec, next);
        if (code == 0) {
            const int64_t start = next->best_effort_timestamp;
            if (has_shown && start != AV_NOPTS_VALUE && start > wanted) return 0;
            av_frame_unref(shown);
            av_frame_move_ref(shown, next);
            has_shown = 1;
            if (start != AV_NOPTS_VALUE && start >= wanted) return 0;
            // For the first frame no second one is needed for comparison.
            if (wanted == INT64_MIN) return 0;
            continue;
        }
        if (code == AVERROR_EOF) return has_shown ? 0 : AVERROR_INVALIDDATA;
        if (code != AVERROR(EAGAIN)) return has_shown ? 0 : code;
        if (is_draining) return has_shown ? 0 : AVERROR_INVALIDDATA;
        do {
            av_packet_unref(packet);
            code = av_read_frame(video->format, packet);
        } while (code >= 0 && packet->stream_index != video->stream && !is_over(video));
        if (code < 0) {
            is_draining = 1;
            avcodec_send_packet(video->codec, NULL);
        } else {
            // A damaged packet costs only its own frames.
            avcodec_send_packet(video->codec, packet);
            av_packet_unref(packet);
        }
    }
}

gannet_video_result gannet_video_draw(
    gannet_video *video, int64_t microseconds, uint8_t *base, size_t stride, int width, int height, int (*stop)(void *),
    void *context) {
    video->stop = stop;
    video->context = context;
    video->is_stopped = 0;
    const AVStream *stream = video->format->streams[video->stream];
    const int64_t begin = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
    int64_t wanted = INT64_MIN;
    if (microseconds > 0) {
        wanted = begin + av_rescale_q(microseconds, AV_TIME_BASE_Q, stream->time_base);
        // Without an index, decode from the start.
        if (av_seek_frame(video->format, video->stream, wanted, AVSEEK_FLAG_BACKWARD) < 0) avio_seek(video->io, 0, SEEK_SET);
    } else {
        av_seek_frame(video->format, video->stream, begin, AVSEEK_FLAG_BACKWARD);
    }
    avcodec_flush_buffers(video->codec);
    AVPacket *packet = av_packet_alloc();
    AVFrame *next = av_frame_alloc();
    AVFrame *shown = av_frame_alloc();
    gannet_video_result result = GANNET_VIDEO_MEMORY;
    if (packet != NULL && next != NULL && shown != NULL) {
        const int code = find_frame(video, wanted, packet, next, shown);
        result = code < 0 || video->is_stopped ? result_of(video, code) : scale(shown, base, stride, width, height);
    }
    av_packet_free(&packet);
    av_frame_free(&next);
    av_frame_free(&shown);
    video->stop = NULL;
    return result;
}
#endif
