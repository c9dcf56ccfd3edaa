#if WITH_JPEG
#include "gannet_jpeg_faults.h"

#include <stdio.h>

#include <jpeglib.h>
// After jpeglib.h, whose types it needs.
#include <jerror.h>

gannet_jpeg_fault gannet_jpeg_fault_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
    case JERR_WIDTH_OVERFLOW:
        return GANNET_JPEG_FAULT_MEMORY;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
        return GANNET_JPEG_FAULT_UNSUPPORTED;
    default:
        return GANNET_JPEG_FAULT_CORRUPT;
    }
}
#endif
