// librsvg and Cairo
#include <librsvg/rsvg.h>
#include <cairo.h>
