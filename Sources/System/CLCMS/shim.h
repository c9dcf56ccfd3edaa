// Little CMS 2
#if !__has_include(<lcms2.h>)
#error "install liblcms2-dev"
#endif
#include <lcms2.h>
