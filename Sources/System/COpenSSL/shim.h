// libcrypto: message digests and message authentication codes
#if !__has_include(<openssl/evp.h>)
#error "install libssl-dev"
#endif
#include <openssl/evp.h>
#include <openssl/hmac.h>
