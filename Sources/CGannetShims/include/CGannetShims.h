// Shims for C libraries whose errors longjmp, or whose interfaces are macros. One pair of files for each library.
#ifndef CGANNET_SHIMS_H
#define CGANNET_SHIMS_H
#include "gannet_gtk.h"
#include "gannet_jp2.h"
#include "gannet_jpeg.h"
#include "gannet_jxl.h"
#include "gannet_lcms.h"
#include "gannet_libraries.h"
#include "gannet_lottie.h"
#include "gannet_raw.h"
#include "gannet_svg.h"
#include "gannet_tiff.h"
#include "gannet_video.h"
#include "gannet_worker.h"
#endif
