// The confinement of a worker, before it sees the first byte.
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: Files and sockets, by Landlock

// The kernel knows more rights than an older header; these are in the order of the versions of the interface.
enum {
    RIGHTS_1 = (1 << 13) - 1,  // up to making block devices and links
    RIGHTS_2 = (1 << 14) - 1,  // and moving between folders
    RIGHTS_3 = (1 << 15) - 1,  // and truncating
    RIGHTS_5 = (1 << 16) - 1,  // and ioctl on devices
};

// As version 6 has it. A kernel takes a shorter structure from an older program, so that the size says what is used.
struct rules {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

static int landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static int allow(int rules, const char *path, uint64_t rights) {
    const int place = open(path, O_PATH | O_CLOEXEC);
    // A path that this machine does not have needs no rule.
    if (place < 0) return 0;
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
    const int failure =
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
    close(place);
    return failure;
}

static int allow_reading(int rules, const char *path) {
    const int failure = allow(rules, path, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    // A path may be a file, which has no right of folders.
    return failure == EINVAL ? 0 : failure;
}

// Where fontconfig looks (fonts.conf(5)), and where it keeps what it found.
static int allow_fonts(int rules, const char *home) {
    static const char *const shared[] = {
        "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/etc/fonts", "/var/cache/fontconfig",
        "/usr/share/xml/fontconfig",
    };
    static const char *const own[] = {".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"};
    int failure = 0;
    for (size_t index = 0; failure == 0 && index < sizeof shared / sizeof *shared; index++)
        failure = allow_reading(rules, shared[index]);
    for (size_t index = 0; failure == 0 && home != NULL && index < sizeof own / sizeof *own; index++) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s", home, own[index]) < (int)sizeof path) failure = allow_reading(rules, path);
    }
    return failure;
}

// The program itself, and what every program needs to start. Only these two files may be executed.
static int allow_program(int rules, const char *program) {
#if defined(__x86_64__)
    static const char loader[] = "/lib64/ld-linux-x86-64.so.2";
#else
    static const char loader[] = "/lib/ld-linux-aarch64.so.1";
#endif
    static const char *const folders[] = {
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/poppler",
    };
    const uint64_t running = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
    int failure = allow(rules, program, running);
    if (failure == 0) failure = allow(rules, loader, running);
    if (failure == 0) failure = allow(rules, "/etc/ld.so.cache", LANDLOCK_ACCESS_FS_READ_FILE);
    for (size_t index = 0; failure == 0 && index < sizeof folders / sizeof *folders; index++)
        failure = allow_reading(rules, folders[index]);
    return failure;
}

static int landlock(gannet_sandbox_level level, const char *program) {
    const int version = landlock_version();
    // The filter of system calls opens no file at the strict level. At the others only Landlock says which.
    if (version < 1) return level == GANNET_SANDBOX_STRICT ? 0 : ENOSYS;
    struct rules rules = {0};
    rules.files = version >= 5 ? RIGHTS_5 : version >= 3 ? RIGHTS_3 : version == 2 ? RIGHTS_2 : RIGHTS_1;
    size_t size = sizeof rules.files;
    if (version >= 4) {
        rules.network = 3;  // bind and connect, TCP
        size += sizeof rules.network;
    }
    if (version >= 6) {
        rules.scopes = 3;  // abstract sockets and signals of others
        size += sizeof rules.scopes;
    }
    const int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return errno;
    int failure = level == GANNET_SANDBOX_STRICT ? 0 : allow_fonts(set, level == GANNET_SANDBOX_FONTS ? getenv("HOME") : NULL);
    if (failure == 0 && level == GANNET_SANDBOX_PROGRAM) failure = allow_program(set, program);
    if (failure == 0 && syscall(SYS_landlock_restrict_self, set, 0) != 0) failure = errno;
    close(set);
    return failure;
}

// MARK: Memory, time, descriptors

uint64_t gannet_sandbox_address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    const int count = fscanf(file, "%lu", &pages);
    fclose(file);
    return count == 1 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static int set_limits(gannet_sandbox_level level) {
    const struct rlimit none = {0, 0};
    // Its three descriptors; fonts are opened beside them.
    const rlim_t files = level == GANNET_SANDBOX_STRICT ? GANNET_SANDBOX_OUTPUT + 1 : 64;
    const struct rlimit few = {files, files};
    if (setrlimit(RLIMIT_CORE, &none) != 0 || setrlimit(RLIMIT_FSIZE, &none) != 0 || setrlimit(RLIMIT_NOFILE, &few) != 0)
        return errno;
    return 0;
}

int gannet_sandbox_limit(pid_t pid, uint64_t base, uint64_t memory) {
    struct rlimit space;
    if (prlimit(pid, RLIMIT_AS, NULL, &space) != 0) return errno;
    space.rlim_cur = base + memory;
    if (space.rlim_cur > space.rlim_max) space.rlim_cur = space.rlim_max;
    return prlimit(pid, RLIMIT_AS, &space, NULL) != 0 ? errno : 0;
}

// MARK: Threads

// Filters and rules of Landlock are a thread's own: one that was there before would keep every right. Waits up to a second for
// threads that are ending.
static int is_alone(void) {
    for (int look = 0; look < 1000; look++) {
        // A folder's links are itself, its name, and each folder in it.
        struct stat threads;
        if (stat("/proc/self/task", &threads) != 0) return 0;
        if (threads.st_nlink == 3) return 1;
        const struct timespec moment = {0, 1000000};
        nanosleep(&moment, NULL);
    }
    return 0;
}

// MARK: All of it

void gannet_sandbox_forbid_workers(void) {
    setenv("GANNET_SVG_WORKER", "off", 1);
    setenv("GANNET_JXL_WORKER", "off", 1);
}

int gannet_sandbox_confine(gannet_sandbox_level level, const char *program) {
    // Each arena of malloc takes 64 MiB of address space, of which there is a limit.
    mallopt(M_ARENA_MAX, 2);
    int failure = is_alone() ? set_limits(level) : EBUSY;
    if (failure == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failure = errno;
    if (failure == 0) failure = landlock(level, program);
    if (failure == 0) {
        char *home = getenv("HOME") == NULL ? NULL : strdup(getenv("HOME"));
        clearenv();
        // fontconfig looks below it.
        if (level == GANNET_SANDBOX_FONTS && home != NULL) setenv("HOME", home, 1);
        free(home);
        gannet_sandbox_forbid_workers();
        failure = gannet_sandbox_filter(level);
    }
    return failure;
}

unsigned gannet_sandbox_missing(void) {
    return (gannet_sandbox_has_filter() ? 0u : GANNET_SANDBOX_NO_SECCOMP) |
        (landlock_version() >= 1 ? 0u : GANNET_SANDBOX_NO_LANDLOCK);
}
