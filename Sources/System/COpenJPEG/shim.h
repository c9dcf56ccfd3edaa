// OpenJPEG 2.5 and later; the library itself uses it through gannet_jp2.h alone.
#if !__has_include(<openjpeg.h>)
#error "install libopenjp2-7-dev"
#endif
#include <openjpeg.h>
