// Host names of tests: `getaddrinfo` of this program asks here first, also when libcurl calls it.
#ifndef TEST_NAMES_H
#define TEST_NAMES_H

#include <stdbool.h>

/// Answers a name: writes addresses, separated by spaces, and returns their length; 0: no address; -1: the name is not one of the
/// tests'. May block.
/// `for_ipv6`: asked for such addresses alone, beside a question for the others.
typedef int (*test_names_answer)(const char *name, bool for_ipv6, char *addresses, int capacity);

void test_names_install(test_names_answer answer);
#endif
