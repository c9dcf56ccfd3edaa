#define _GNU_SOURCE
#include "gannet_platform.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
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

int gannet_make_locked(const char *folder, const char *path) {
    const int file = open(folder, O_RDWR | O_CLOEXEC | O_TMPFILE, 0600);
    if (file < 0) return -1;
    char unnamed[32];
    snprintf(unnamed, sizeof unnamed, "/proc/self/fd/%d", file);
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && linkat(AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) return file;
    const int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

ptrdiff_t gannet_read_pieces(int file, void *first, size_t first_count, void *second, size_t second_count, size_t offset, int waits) {
    const struct iovec pieces[2] = {{first, first_count}, {second, second_count}};
    return preadv2(file, pieces, second_count == 0 ? 1 : 2, (off_t)offset, waits ? 0 : RWF_NOWAIT);
}
