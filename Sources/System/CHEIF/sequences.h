// Image sequences, which libheif has from 1.21 on. Included by shim.h.
#if LIBHEIF_HAVE_VERSION(1, 21, 0)
#include <libheif/heif_sequences.h>
#endif

/// Code points of ITU-T H.273 from a track's "colr" box.
struct gannet_heif_code_points {
    uint16_t primaries;
    uint16_t transfer;
    uint16_t matrix;
    uint8_t is_full_range;
    uint8_t is_known;
};

struct heif_track;

#if LIBHEIF_HAVE_VERSION(1, 21, 0)

/// 1 if this libheif reads the tracks of image sequences. 1.20 has the functions too, but cannot decode frames that refer to others.
static inline int gannet_heif_sequence_is_supported(void) { return 1; }

/// The track with this number; NULL if there is none, or if it has another size. The caller closes it, before the context is freed.
static inline struct heif_track *gannet_heif_sequence_open(
    const struct heif_context *context, uint32_t number, uint16_t width, uint16_t height) {
    if (!heif_context_has_sequence(context)) return NULL;
    struct heif_track *track = heif_context_get_track(context, number);
    uint16_t own_width = 0, own_height = 0;
    if (track == NULL) return NULL;
    if (heif_track_get_image_resolution(track, &own_width, &own_height).code == heif_error_Ok && own_width == width
        && own_height == height)
        return track;
    heif_track_release(track);
    return NULL;
}

static inline void gannet_heif_sequence_close(struct heif_track *track) { heif_track_release(track); }

static inline int gannet_heif_sequence_has_alpha(const struct heif_track *track) {
    return heif_track_has_alpha_channel(track);
}

/// The next frame in the order of display, in the colours of the file. The library reads code points from the coded frames only;
/// those of the box come before them where the samples are not converted.
static inline struct heif_error gannet_heif_sequence_next(
    struct heif_track *track, const struct gannet_heif_code_points *points, struct heif_image **image,
    enum heif_colorspace space, enum heif_chroma chroma) {
    static const char *const too_few = "the track has fewer frames than it lists";
    struct heif_color_profile_nclx *colors = points->is_known ? heif_nclx_color_profile_alloc() : NULL;
    if (colors != NULL) {
        // Unknown values leave the profile's own.
        heif_nclx_color_profile_set_color_primaries(colors, points->primaries);
        heif_nclx_color_profile_set_transfer_characteristics(colors, points->transfer);
        heif_nclx_color_profile_set_matrix_coefficients(colors, points->matrix);
        colors->full_range_flag = points->is_full_range;
    }
    struct heif_decoding_options *options = heif_decoding_options_alloc();
#if LIBHEIF_HAVE_VERSION(1, 23, 0)
    if (options->version >= 10) options->output_image_nclx_profile_passthrough = 1;
#else
    if (options->version >= 8) options->output_image_nclx_profile = colors;
#endif
    struct heif_error error = heif_track_decode_next_image(track, image, space, chroma, options);
    heif_decoding_options_free(options);
    if (error.code == heif_error_End_of_sequence) {
        error.code = heif_error_Invalid_input;
        error.message = too_few;
    }
    if (error.code == heif_error_Ok && colors != NULL && space == heif_colorspace_undefined)
        heif_image_set_nclx_color_profile(*image, colors);
    if (colors != NULL) heif_nclx_color_profile_free(colors);
    return error;
}

// Writing, which only tests do: this library's encoder refers from frame to frame, as files of other programs do.

/// A track of images; `repetitions`: 0 is for ever. The caller closes it before the context is freed.
static inline struct heif_error gannet_heif_sequence_begin(
    struct heif_context *context, uint16_t width, uint16_t height, uint32_t timescale, uint32_t repetitions,
    struct heif_track **track) {
    heif_track_options *options = heif_track_options_alloc();
    heif_track_options_set_timescale(options, timescale);
    heif_context_set_sequence_timescale(context, timescale);
    heif_context_set_number_of_sequence_repetitions(context, repetitions);
    const struct heif_error error = heif_context_add_visual_sequence_track(
        context, width, height, heif_track_type_image_sequence, options, NULL, track);
    heif_track_options_release(options);
    return error;
}

/// Adds a frame. The code points are those of the samples that are written; `refers_forward` lets frames refer to later ones too.
static inline struct heif_error gannet_heif_sequence_add(
    struct heif_track *track, struct heif_image *image, uint32_t duration, struct heif_encoder *encoder,
    const struct heif_color_profile_nclx *colors, int has_alpha, int refers_forward) {
    heif_sequence_encoding_options *options = heif_sequence_encoding_options_alloc();
    options->output_nclx_profile = colors;
    options->save_alpha_channel = has_alpha;
    options->gop_structure = refers_forward ? heif_sequence_gop_structure_unrestricted : heif_sequence_gop_structure_lowdelay;
    heif_image_set_duration(image, duration);
    const struct heif_error error = heif_track_encode_sequence_image(track, image, encoder, options);
    heif_sequence_encoding_options_release(options);
    return error;
}

static inline struct heif_error gannet_heif_sequence_end(struct heif_track *track, struct heif_encoder *encoder) {
    return heif_track_encode_end_of_sequence(track, encoder);
}

#else

/// None: this libheif reads still images only.
static inline int gannet_heif_sequence_is_supported(void) { return 0; }

static inline struct heif_error gannet_heif_no_sequence(void) {
    const struct heif_error error = {heif_error_Unsupported_feature, heif_suberror_Unspecified, "no sequences before 1.21"};
    return error;
}

static inline struct heif_track *gannet_heif_sequence_open(
    const struct heif_context *context, uint32_t number, uint16_t width, uint16_t height) {
    (void)context, (void)number, (void)width, (void)height;
    return NULL;
}

static inline void gannet_heif_sequence_close(struct heif_track *track) { (void)track; }

static inline int gannet_heif_sequence_has_alpha(const struct heif_track *track) {
    (void)track;
    return 0;
}

static inline struct heif_error gannet_heif_sequence_next(
    struct heif_track *track, const struct gannet_heif_code_points *points, struct heif_image **image,
    enum heif_colorspace space, enum heif_chroma chroma) {
    (void)track, (void)points, (void)image, (void)space, (void)chroma;
    return gannet_heif_no_sequence();
}

static inline struct heif_error gannet_heif_sequence_begin(
    struct heif_context *context, uint16_t width, uint16_t height, uint32_t timescale, uint32_t repetitions,
    struct heif_track **track) {
    (void)context, (void)width, (void)height, (void)timescale, (void)repetitions, (void)track;
    return gannet_heif_no_sequence();
}

static inline struct heif_error gannet_heif_sequence_add(
    struct heif_track *track, struct heif_image *image, uint32_t duration, struct heif_encoder *encoder,
    const struct heif_color_profile_nclx *colors, int has_alpha, int refers_forward) {
    (void)track, (void)image, (void)duration, (void)encoder, (void)colors, (void)has_alpha, (void)refers_forward;
    return gannet_heif_no_sequence();
}

static inline struct heif_error gannet_heif_sequence_end(struct heif_track *track, struct heif_encoder *encoder) {
    (void)track, (void)encoder;
    return gannet_heif_no_sequence();
}

#endif
