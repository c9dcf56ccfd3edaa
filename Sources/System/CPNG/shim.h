// libpng 1.6
#if !__has_include(<png.h>)
#error "install libpng-dev"
#endif
#include <png.h>
