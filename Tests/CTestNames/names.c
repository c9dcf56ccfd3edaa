#define _GNU_SOURCE
#include "test_names.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic(test_names_answer) installed;

void test_names_install(test_names_answer answer) { atomic_store(&installed, answer); }

typedef int (*resolver)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

// Stands before the C library's, because the linker exports what shared libraries need.
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    resolver real = (resolver)dlsym(RTLD_NEXT, "getaddrinfo");
    test_names_answer answer = atomic_load(&installed);
    char addresses[1024];
    int count = -1;
    if (answer && name && !(hints && hints->ai_flags & AI_NUMERICHOST)) {
        count = answer(name, hints && hints->ai_family == AF_INET6, addresses, (int)sizeof addresses - 1);
    }
    if (count < 0) return real(name, service, hints, result);
    addresses[count] = 0;
    struct addrinfo numeric = {0};
    if (hints) numeric = *hints;
    numeric.ai_flags |= AI_NUMERICHOST;
    numeric.ai_family = AF_UNSPEC;
    struct addrinfo *first = NULL, **next = &first;
    char *rest = addresses;
    for (char *one = strsep(&rest, " "); one; one = strsep(&rest, " ")) {
        // Newer versions of libcurl ask for each family by itself.
        if (hints && hints->ai_family == AF_INET6 && !strchr(one, ':')) continue;
        if (hints && hints->ai_family == AF_INET && strchr(one, ':')) continue;
        if (*one && real(one, service, &numeric, next) == 0) {
            while (*next) next = &(*next)->ai_next;
        }
    }
    *result = first;
    return first ? 0 : EAI_NONAME;
}
