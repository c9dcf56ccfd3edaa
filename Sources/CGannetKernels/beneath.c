#define _GNU_SOURCE
#include "gannet_platform.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's struct open_how and its flags, for systems whose headers do not know them. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define GANNET_RESOLVE_NO_MAGICLINKS 0x02
#define GANNET_RESOLVE_BENEATH 0x08

/* O_NONBLOCK: a FIFO must not wait for a writer. */
#define GANNET_READING (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

int gannet_open_folder(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int gannet_open_beneath(int folder, const char *path) {
    const struct {
        uint64_t flags, mode, resolve;
    } how = {GANNET_READING, 0, GANNET_RESOLVE_BENEATH | GANNET_RESOLVE_NO_MAGICLINKS};
    const int file = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    /* Kernels before 5.6; filters of system calls that do not know this one. */
    if (file < 0 && (errno == ENOSYS || errno == EPERM)) return gannet_walk_beneath(folder, path);
    return file;
}

/* One step of the walk: `name` has no slash. */
static int step(int folder, const char *name, size_t length, int is_last) {
    char own[NAME_MAX + 1];
    const int is_dots = (length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.');
    if (length == 0 || length > NAME_MAX || is_dots) {
        errno = ENOENT;
        return -1;
    }
    memcpy(own, name, length);
    own[length] = 0;
    return openat(folder, own, is_last ? GANNET_READING | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int gannet_walk_beneath(int folder, const char *path) {
    int at = folder;
    for (;;) {
        const char *end = strchrnul(path, '/');
        const int next = step(at, path, (size_t)(end - path), *end == 0);
        const int reason = errno;
        if (at != folder) close(at);
        errno = reason;
        if (next < 0 || *end == 0) return next;
        at = next;
        path = end + 1;
    }
}
