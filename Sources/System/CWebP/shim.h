// libwebp with its demultiplexer and multiplexer
#if !__has_include(<webp/decode.h>)
#error "install libwebp-dev"
#endif
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/demux.h>
#include <webp/mux.h>
