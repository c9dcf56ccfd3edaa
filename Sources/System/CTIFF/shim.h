// libtiff
#include <tiffio.h>
