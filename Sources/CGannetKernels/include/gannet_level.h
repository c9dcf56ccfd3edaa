// Sets of instructions that kernels choose between at run time.
#ifndef GANNET_LEVEL_H
#define GANNET_LEVEL_H

typedef enum {
    gannet_level_plain = 0,
    gannet_level_sse2 = 1,
    gannet_level_neon = 1,
    gannet_level_avx2 = 2,
} gannet_level;

/// The best that this processor can do.
gannet_level gannet_level_best(void);

#endif
