// Counts calls of the allocator in every thread. Loaded before a program, it stands in front of the C library's functions:
//
//     cc -O2 -shared -fPIC count_allocations.c -o count_allocations.so
//     LD_PRELOAD=./count_allocations.so PROGRAM
//
// A program looks up `gannet_allocations` (or the variable below) with dlsym and reports the difference of two calls. Each call of
// realloc counts as one, also where the block stays where it is; what is freed is not counted.
#include <errno.h>
#include <stddef.h>

unsigned long gannet_allocation_count;

unsigned long gannet_allocations(void) { return __atomic_load_n(&gannet_allocation_count, __ATOMIC_RELAXED); }

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static void count(void) { __atomic_add_fetch(&gannet_allocation_count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t bytes) { count(); return __libc_malloc(bytes); }
void *calloc(size_t number, size_t bytes) { count(); return __libc_calloc(number, bytes); }
void *realloc(void *block, size_t bytes) { count(); return __libc_realloc(block, bytes); }
void *memalign(size_t alignment, size_t bytes) { count(); return __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { count(); return __libc_memalign(alignment, bytes); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
    count();
    void *block = __libc_memalign(alignment, bytes);
    if (!block) return ENOMEM;
    *out = block;
    return 0;
}
