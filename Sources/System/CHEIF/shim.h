// libheif
#if !__has_include(<libheif/heif.h>)
#error "install libheif-dev"
#endif
#include <libheif/heif.h>
