// libcrypto: message digests, message authentication codes and ciphers
#if !__has_include(<openssl/evp.h>)
#error "install libssl-dev"
#endif
#include <openssl/evp.h>
#include <openssl/hmac.h>
