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
