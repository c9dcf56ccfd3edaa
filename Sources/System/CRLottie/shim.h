// rlottie 0.1 and later; used through gannet_lottie.h alone.
#if !__has_include(<rlottie_capi.h>)
#error "install librlottie-dev"
#endif
#include <rlottie_capi.h>
