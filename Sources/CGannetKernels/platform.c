#define _GNU_SOURCE
#include "gannet_platform.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

void gannet_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int gannet_allowed_processors(int of_this_thread) {
    // The kernel refuses a set that is smaller than its own.
    for (int most = 1024; most <= 1 << 20; most *= 4) {
        cpu_set_t *set = CPU_ALLOC(most);
        if (set == NULL) break;
        const size_t size = CPU_ALLOC_SIZE(most);
        const int failed = sched_getaffinity(of_this_thread ? 0 : getpid(), size, set);
        const int count = failed ? 0 : CPU_COUNT_S(size, set);
        CPU_FREE(set);
        if (count > 0) return count;
        if (errno != EINVAL) break;
    }
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void gannet_limit_arenas(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

void gannet_map_large_pieces(int size) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, size);
#else
    (void)size;
#endif
}

void gannet_return_freed_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void gannet_limit_processor_time(int pid, uint64_t seconds) {
    struct rlimit limit;
    if (prlimit(pid, RLIMIT_CPU, NULL, &limit) != 0) return;
    limit.rlim_cur = seconds < limit.rlim_max ? (rlim_t)seconds : limit.rlim_max;
    prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

/* The kernel's struct open_how and RESOLVE_CACHED, for systems whose headers do not know them. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define GANNET_RESOLVE_CACHED 0x20

static int open_cached(const char *path, int flags) {
    const struct {
        uint64_t flags, mode, resolve;
    } how = {(uint64_t)flags, 0, GANNET_RESOLVE_CACHED};
    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

int gannet_open_in_memory(const char *path) { return open_cached(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }

int gannet_status_in_memory(const char *path, struct gannet_file_status *status) {
    const int file = open_cached(path, O_PATH | O_CLOEXEC);
    if (file < 0) return -1;
    struct statx known;
    const unsigned wanted = STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_INO;
    const int result = statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted, &known);
    close(file);
    if (result != 0 || (known.stx_mask & wanted) != wanted) return -1;
    *status = (struct gannet_file_status){
        .mode = known.stx_mode,
        .size = known.stx_size,
        .inode = known.stx_ino,
        .device = makedev(known.stx_dev_major, known.stx_dev_minor),
        .modified_seconds = known.stx_mtime.tv_sec,
        .modified_nanoseconds = known.stx_mtime.tv_nsec,
    };
    return 0;
}

int gannet_is_on_this_machine(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return 0;
    switch ((uint32_t)status.f_type) {
    case 0xEF53: // ext2, ext3, ext4
    case 0x58465342: // XFS
    case 0x9123683E: // Btrfs
    case 0xF2F52010: // F2FS
    case 0x2FC12FC1: // ZFS
    case 0xCA451A4E: // bcachefs
    case 0x01021994: // tmpfs
    case 0x858458F6: // ramfs
    case 0x794C7630: // overlayfs
    case 0x4D44: // FAT
    case 0x2011BAB0: // exFAT
    case 0x7366746E: // NTFS
    case 0x9660: // ISO 9660
    case 0x15013346: // UDF
    case 0x73717368: // SquashFS
    case 0xE0F5E1E2: // EROFS
        return 1;
    default: return 0;
    }
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

ptrdiff_t gannet_get_attribute(const char *path, const char *name, void *value, size_t count) {
    return getxattr(path, name, value, count);
}

void gannet_set_attribute(const char *path, const char *name, const void *value, size_t count) {
    (void)setxattr(path, name, value, count, 0);
}

ptrdiff_t gannet_read_pieces(int file, void *first, size_t first_count, void *second, size_t second_count, size_t offset, int waits) {
    const struct iovec pieces[2] = {{first, first_count}, {second, second_count}};
    return preadv2(file, pieces, second_count == 0 ? 1 : 2, (off_t)offset, waits ? 0 : RWF_NOWAIT);
}
