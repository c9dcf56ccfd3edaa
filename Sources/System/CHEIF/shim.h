// libheif 1.15 and later
#if !__has_include(<libheif/heif.h>)
#error "install libheif-dev"
#endif
#include <libheif/heif.h>
#include <pthread.h>

/// A constant, because 1.23 has this name only as a macro.
static const enum heif_chroma gannet_heif_chroma_monochrome = heif_chroma_monochrome;

/// Limits for reading the boxes of one file. Before 1.19 it only knows the longest side.
struct gannet_heif_limits {
    uint64_t pixels;
    uint32_t items;
    uint32_t extents_per_item;
    uint32_t tiles;
    uint32_t profile_bytes;
    uint32_t frames;
};

static inline void gannet_heif_set_limits(struct heif_context *context, const struct gannet_heif_limits *limits) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    heif_security_limits *own = heif_context_get_security_limits(context);
    if (own == NULL) return;
    own->max_image_size_pixels = limits->pixels;
    own->max_items = limits->items;
    own->max_iloc_extents_per_item = limits->extents_per_item;
    own->max_number_of_tiles = limits->tiles;
    own->max_color_profile_size = limits->profile_bytes;
    // Each item may have its own properties.
    own->max_children_per_box = limits->items;
#if LIBHEIF_HAVE_VERSION(1, 21, 0)
    if (own->version >= 3) own->max_sequence_frames = limits->frames;
#endif
#else
    (void)limits;
    heif_context_set_maximum_image_size_limit(context, 65536);
#endif
}

/// Bytes of pixels that libheif may hold for this file at once. Before 1.20 it does not count them together, before 1.19 not at all.
static inline void gannet_heif_set_memory_limit(struct heif_context *context, uint64_t bytes) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    heif_security_limits *own = heif_context_get_security_limits(context);
    if (own == NULL) return;
    own->max_memory_block_size = bytes;
#if LIBHEIF_HAVE_VERSION(1, 20, 0)
    if (own->version >= 2) own->max_total_memory = bytes;
#endif
#else
    (void)context;
    (void)bytes;
#endif
}

struct gannet_heif_stop {
    int (*ask)(void *);
    void *context;
    pthread_t thread;
};

/// The threads of libheif ask too, for grids in grids; only the caller's is answered by the caller.
static inline int gannet_heif_is_stopped(void *context) {
    const struct gannet_heif_stop *stop = (const struct gannet_heif_stop *)context;
    return pthread_equal(pthread_self(), stop->thread) ? stop->ask(stop->context) : 0;
}

/// As heif_decode_image, in the colours of the file: since 1.21 libheif converts to sRGB unless it is asked not to.
/// Since 1.19 `ask` is called between tiles, on the caller's thread; 1 ends the decode with an error.
static inline struct heif_error gannet_heif_decode(
    const struct heif_image_handle *handle, struct heif_image **image, enum heif_colorspace space, enum heif_chroma chroma,
    int (*ask)(void *), void *context) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    struct gannet_heif_stop stop = {ask, context, pthread_self()};
    struct heif_color_profile_nclx *colors = NULL;
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    if (options->version >= 6) {
        options->cancel_decoding = gannet_heif_is_stopped;
        options->progress_user_data = &stop;
    }
#else
    (void)stop;
#endif
#if LIBHEIF_HAVE_VERSION(1, 23, 0)
    if (options->version >= 10) options->output_image_nclx_profile_passthrough = 1;
#elif LIBHEIF_HAVE_VERSION(1, 21, 0)
    if (options->version >= 8 && heif_image_handle_get_nclx_color_profile(handle, &colors).code == heif_error_Ok)
        options->output_image_nclx_profile = colors;
#endif
    const struct heif_error error = heif_decode_image(handle, image, space, chroma, options);
    heif_decoding_options_free(options);
    if (colors != NULL) heif_nclx_color_profile_free(colors);
    return error;
}

#include "sequences.h"
