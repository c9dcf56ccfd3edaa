// libjxl
#if !__has_include(<jxl/decode.h>)
#error "install libjxl-dev"
#endif
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
