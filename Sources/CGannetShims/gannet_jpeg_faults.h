// Classifies libjpeg's errors by cause. Private to the JPEG shim.
#ifndef GANNET_JPEG_FAULTS_H
#define GANNET_JPEG_FAULTS_H
#include "gannet_jpeg.h"

/// `code` is an error code of jerror.h.
gannet_jpeg_fault gannet_jpeg_fault_of(int code);

#endif
