#define _GNU_SOURCE
#include "gannet_platform.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void gannet_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* The kernel's struct open_how and RESOLVE_CACHED, for systems whose headers do not know them. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define GANNET_RESOLVE_CACHED 0x20

int gannet_open_in_memory(const char *path) {
    const struct {
        uint64_t flags, mode, resolve;
    } how = {O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0, GANNET_RESOLVE_CACHED};
    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

ptrdiff_t gannet_read_pieces(int file, void *first, size_t first_count, void *second, size_t second_count, size_t offset, int waits) {
    const struct iovec pieces[2] = {{first, first_count}, {second, second_count}};
    return preadv2(file, pieces, second_count == 0 ? 1 : 2, (off_t)offset, waits ? 0 : RWF_NOWAIT);
}
