// libavif 0.11 and later
#if !__has_include(<avif/avif.h>)
#error "install libavif-dev"
#endif
#include <avif/avif.h>
#include <stdbool.h>

/// Which sides a mirror exchanges (ISO/IEC 23008-12 §6.5.12): 0 top and bottom, 1 left and right. The field has another name since 1.0.
static inline uint8_t *gannet_avif_mirror_axis(avifImageMirror *mirror) {
#if AVIF_VERSION >= 1000000
    return &mirror->axis;
#else
    return &mirror->mode;
#endif
}

/// Says how often the sequence is shown, 0 for ever. False before 1.0, which cannot write it.
static inline bool gannet_avif_set_loop_count(avifEncoder *encoder, int count) {
#if AVIF_VERSION >= 1000000
    encoder->repetitionCount = count == 0 ? AVIF_REPETITION_COUNT_INFINITE : count - 1;
    return true;
#else
    (void)encoder;
    (void)count;
    return false;
#endif
}

/// Says how bright the brightest pixel is, in cd/m² (CTA-861.3). Nothing before 1.0, which cannot write it.
static inline void gannet_avif_set_light_level(avifImage *image, uint16_t brightest) {
#if AVIF_VERSION >= 1000000
    image->clli.maxCLL = brightest;
#else
    (void)image;
    (void)brightest;
#endif
}
