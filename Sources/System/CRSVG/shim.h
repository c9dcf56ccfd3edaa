// librsvg and Cairo
#if !__has_include(<librsvg/rsvg.h>)
#error "install librsvg2-dev"
#endif
#include <librsvg/rsvg.h>
#include <cairo.h>
