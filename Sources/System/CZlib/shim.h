// zlib
#if !__has_include(<zlib.h>)
#error "install zlib1g-dev"
#endif
#include <zlib.h>
