// libavif
#if !__has_include(<avif/avif.h>)
#error "install libavif-dev"
#endif
#include <avif/avif.h>
