// libcurl
#if !__has_include(<curl/curl.h>)
#error "install libcurl4-openssl-dev"
#endif
#include <curl/curl.h>
#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or newer is needed"
#endif
