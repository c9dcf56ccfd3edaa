// hiredis: connections to Redis and Valkey
#if !__has_include(<hiredis/hiredis.h>)
#error "install libhiredis-dev"
#endif
#include <hiredis/hiredis.h>
