// Sets of instructions that kernels choose between at run time.
#ifndef GANNET_LEVEL_H
#define GANNET_LEVEL_H

typedef enum {
    gannet_level_plain = 0,
    gannet_level_sse2 = 1,
    gannet_level_neon = 1,
    gannet_level_avx2 = 2,
    /// With VNNI and VBMI; resampling alone has it.
    gannet_level_avx512 = 3,
} gannet_level;

/// The best that this processor can do of those that all kernels have.
gannet_level gannet_level_best(void);

#endif
