// Which vector instructions a build has. Private to the kernels.
//
// GANNET_PLAIN leaves only the plain loops. Processors without vector kernels run them, and tests compare every other level with them.
#ifndef GANNET_VECTORS_H
#define GANNET_VECTORS_H

#if !defined(GANNET_PLAIN)
#if defined(__x86_64__)
#define GANNET_X86 1
#include <immintrin.h>
#elif defined(__aarch64__)
#define GANNET_NEON 1
#include <arm_neon.h>
#endif
#endif

#endif
