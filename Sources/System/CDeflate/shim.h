// libdeflate
#if !__has_include(<libdeflate.h>)
#error "install libdeflate-dev"
#endif
#include <libdeflate.h>
