// libtiff
#if !__has_include(<tiffio.h>)
#error "install libtiff-dev"
#endif
#include <tiffio.h>
