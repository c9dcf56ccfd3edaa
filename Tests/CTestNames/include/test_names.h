// Host names of tests: `getaddrinfo` of this program asks here first, also when libcurl calls it.
#ifndef TEST_NAMES_H
#define TEST_NAMES_H

/// Answers a name: writes addresses, separated by spaces, and returns their length; 0: no address; -1: the name is not one of the
/// tests'. May block.
typedef int (*test_names_answer)(const char *name, char *addresses, int capacity);

void test_names_install(test_names_answer answer);
#endif
