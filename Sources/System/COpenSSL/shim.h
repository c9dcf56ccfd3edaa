// libcrypto's message digests
#if !__has_include(<openssl/evp.h>)
#error "install libssl-dev"
#endif
#include <openssl/evp.h>
