// Every header of this target: hot loops with run-time dispatch, and hashes.
#include "gannet_gif_lzw.h"
#include "gannet_hash.h"
#include "gannet_pixels.h"
#include "gannet_platform.h"
#include "gannet_resample.h"
#include "png_unfilter.h"
