// libjxl
#if !__has_include(<jxl/decode.h>)
#error "install libjxl-dev"
#endif
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

// Up to 0.8 these take a pixel format that they do not use.
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define GANNET_JXL_COLORS(decoder) decoder, JXL_COLOR_PROFILE_TARGET_DATA
#else
#define GANNET_JXL_COLORS(decoder) decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA
#endif

/// The colours of the decoded pixels as numbers. Fails where they have none.
static inline JxlDecoderStatus gannet_jxl_encoded_colors(const JxlDecoder *decoder, JxlColorEncoding *encoding) {
    return JxlDecoderGetColorAsEncodedProfile(GANNET_JXL_COLORS(decoder), encoding);
}

/// Bytes of the ICC profile of the decoded pixels.
static inline JxlDecoderStatus gannet_jxl_profile_size(const JxlDecoder *decoder, size_t *size) {
    return JxlDecoderGetICCProfileSize(GANNET_JXL_COLORS(decoder), size);
}

/// Writes that profile to `target`, which has room for `size` bytes.
static inline JxlDecoderStatus gannet_jxl_profile(const JxlDecoder *decoder, uint8_t *target, size_t size) {
    return JxlDecoderGetColorAsICCProfile(GANNET_JXL_COLORS(decoder), target, size);
}
#undef GANNET_JXL_COLORS
