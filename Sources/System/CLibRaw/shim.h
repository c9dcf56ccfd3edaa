// LibRaw 0.20 and later, the library for several threads; used through gannet_raw.h alone.
#if !__has_include(<libraw/libraw.h>)
#error "install libraw-dev"
#endif
#include <libraw/libraw.h>
