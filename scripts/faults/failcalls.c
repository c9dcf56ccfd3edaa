// Lets calls on files below one folder fail: a library for LD_PRELOAD, built by scripts/faults.sh.
//
//     cc -shared -fPIC -O1 -o failcalls.so failcalls.c -ldl
//     FAIL_UNDER=/absolute/folder FAIL_CALL=write FAIL_ERRNO=28 FAIL_PROBABILITY=0.1 FAIL_SEED=1 LD_PRELOAD=./failcalls.so COMMAND
//
// FAIL_CALL      open, read, write, fsync, close, rename, unlink, mkdir, stat, opendir, readdir, or all
// FAIL_ERRNO     the number that errno is set to; 0: reads and writes carry out half of what they should
// FAIL_PROBABILITY  0 to 1 of these calls fail; or FAIL_NTH=N: the Nth one fails and no other
//
// Why not libfiu: it looks for the true functions at their first use, and waits for ever where another thread holds the dynamic
// linker's lock; and it lets calls of the runtime itself fail, which no cache can do anything about. Here every true function is
// found before the first thread starts, and only files of one folder are touched: by their path, and by descriptors opened below it.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 65536 };

static const char *under, *chosen;
static size_t under_length;
static int failure;
static uint64_t threshold, nth, seed;
static atomic_uint_fast64_t calls;
/// 1 for a descriptor of a file below the folder.
static atomic_uchar marked[MAX_DESCRIPTORS];

#define TRUE_FUNCTION(type, name, ...) static type (*true_##name)(__VA_ARGS__)
TRUE_FUNCTION(int, open, const char *, int, ...);
TRUE_FUNCTION(int, open64, const char *, int, ...);
TRUE_FUNCTION(int, close, int);
TRUE_FUNCTION(ssize_t, read, int, void *, size_t);
TRUE_FUNCTION(ssize_t, pread, int, void *, size_t, off_t);
TRUE_FUNCTION(ssize_t, pread64, int, void *, size_t, off64_t);
TRUE_FUNCTION(ssize_t, preadv2, int, const struct iovec *, int, off_t, int);
TRUE_FUNCTION(ssize_t, preadv64v2, int, const struct iovec *, int, off64_t, int);
TRUE_FUNCTION(long, syscall, long, ...);
TRUE_FUNCTION(ssize_t, write, int, const void *, size_t);
TRUE_FUNCTION(ssize_t, pwrite, int, const void *, size_t, off_t);
TRUE_FUNCTION(ssize_t, pwrite64, int, const void *, size_t, off64_t);
TRUE_FUNCTION(ssize_t, writev, int, const struct iovec *, int);
TRUE_FUNCTION(int, fsync, int);
TRUE_FUNCTION(int, fdatasync, int);
TRUE_FUNCTION(int, ftruncate, int, off_t);
TRUE_FUNCTION(int, fstat, int, struct stat *);
TRUE_FUNCTION(int, lstat, const char *, struct stat *);
TRUE_FUNCTION(int, stat, const char *, struct stat *);
TRUE_FUNCTION(int, rename, const char *, const char *);
TRUE_FUNCTION(int, unlink, const char *);
TRUE_FUNCTION(int, mkdir, const char *, mode_t);
TRUE_FUNCTION(DIR *, opendir, const char *);
TRUE_FUNCTION(struct dirent *, readdir, DIR *);
TRUE_FUNCTION(struct dirent64 *, readdir64, DIR *);
TRUE_FUNCTION(int, closedir, DIR *);

__attribute__((constructor)) static void begin(void) {
    if (true_closedir) return;
#define FIND(name) true_##name = dlsym(RTLD_NEXT, #name)
    FIND(open), FIND(open64), FIND(close), FIND(read), FIND(pread), FIND(pread64), FIND(write), FIND(pwrite), FIND(pwrite64);
    FIND(writev), FIND(fsync), FIND(fdatasync), FIND(ftruncate), FIND(fstat), FIND(lstat), FIND(stat), FIND(rename), FIND(unlink);
    FIND(preadv2), FIND(preadv64v2), FIND(syscall), FIND(mkdir), FIND(opendir), FIND(readdir), FIND(readdir64), FIND(closedir);
    const char *probability = getenv("FAIL_PROBABILITY"), *number = getenv("FAIL_ERRNO"), *which = getenv("FAIL_NTH");
    const char *start = getenv("FAIL_SEED");
    under = getenv("FAIL_UNDER");
    chosen = getenv("FAIL_CALL");
    under_length = under ? strlen(under) : 0;
    failure = number ? atoi(number) : EIO;
    nth = which ? strtoull(which, NULL, 10) : 0;
    seed = start ? strtoull(start, NULL, 10) : 0;
    double share = probability ? atof(probability) : 0;
    threshold = share >= 1 ? UINT64_MAX : (uint64_t)(share * 18446744073709551615.0);
}

/// Constructors of other libraries may open files before this one's has run; there is one thread then.
#define TRUE(name) (true_##name ? (void)0 : begin(), true_##name)

/// Whether this call, which is on a file of the folder, is to fail. Numbers the calls; chance is a hash of seed and number.
static int fails(const char *call) {
    if (!chosen || (strcmp(chosen, "all") != 0 && strcmp(chosen, call) != 0)) return 0;
    uint64_t number = atomic_fetch_add(&calls, 1) + 1;
    if (nth != 0) {
        if (number != nth) return 0;
    } else {
        // SplitMix64 (Steele, Lea, Flood 2014).
        uint64_t mixed = seed * 0x2545F4914F6CDD1DULL + number * 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        if ((mixed ^ (mixed >> 31)) >= threshold) return 0;
    }
    errno = failure;
    return 1;
}

static int below(const char *path) { return under_length != 0 && path && strncmp(path, under, under_length) == 0; }

static int is_marked(int descriptor) {
    return descriptor >= 0 && descriptor < MAX_DESCRIPTORS && atomic_load(&marked[descriptor]);
}

static void mark(int descriptor, int value) {
    if (descriptor >= 0 && descriptor < MAX_DESCRIPTORS) atomic_store(&marked[descriptor], (unsigned char)value);
}

#define OPENING(name)                                                         \
    int name(const char *path, int flags, ...) {                              \
        mode_t mode = 0;                                                      \
        if (flags & (O_CREAT | O_TMPFILE)) {                                  \
            va_list rest;                                                     \
            va_start(rest, flags);                                            \
            mode = va_arg(rest, mode_t);                                      \
            va_end(rest);                                                     \
        }                                                                     \
        if (!below(path)) return TRUE(name)(path, flags, mode);              \
        if (fails("open")) return -1;                                         \
        int descriptor = TRUE(name)(path, flags, mode);                      \
        mark(descriptor, 1);                                                  \
        return descriptor;                                                    \
    }
OPENING(open)
OPENING(open64)

int close(int descriptor) {
    int was_marked = is_marked(descriptor);
    // Unmarked first: the number may be another thread's as soon as it is closed.
    mark(descriptor, 0);
    int result = TRUE(close)(descriptor);
    // As in Linux, the descriptor is gone even where close fails.
    return was_marked && fails("close") ? -1 : result;
}

/// Covers openat2, for which libc has no function.
long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
    long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    int is_opening = number == SYS_openat2 && below((const char *)b);
    if (is_opening && fails("open")) return -1;
    long result = TRUE(syscall)(number, a, b, c, d, e, f);
    if (is_opening) mark((int)result, 1);
    return result;
}

#define ON_DESCRIPTOR(type, name, call, parameters, arguments)                \
    type name parameters {                                                    \
        if (is_marked(descriptor) && fails(call)) return -1;                  \
        return TRUE(name) arguments;                                         \
    }
/// Bytes go in and out: with FAIL_ERRNO=0 only half of them.
#define ON_BYTES(name, call, parameters, arguments)                           \
    ssize_t name parameters {                                                 \
        if (is_marked(descriptor) && fails(call)) {                           \
            if (failure != 0) return -1;                                      \
            count = (count + 1) / 2;                                          \
        }                                                                     \
        return TRUE(name) arguments;                                         \
    }
ON_BYTES(read, "read", (int descriptor, void *bytes, size_t count), (descriptor, bytes, count))
ON_BYTES(pread, "read", (int descriptor, void *bytes, size_t count, off_t at), (descriptor, bytes, count, at))
ON_BYTES(pread64, "read", (int descriptor, void *bytes, size_t count, off64_t at), (descriptor, bytes, count, at))
ON_BYTES(write, "write", (int descriptor, const void *bytes, size_t count), (descriptor, bytes, count))
ON_BYTES(pwrite, "write", (int descriptor, const void *bytes, size_t count, off_t at), (descriptor, bytes, count, at))
ON_BYTES(pwrite64, "write", (int descriptor, const void *bytes, size_t count, off64_t at), (descriptor, bytes, count, at))

/// Of several pieces, half are the first ones, and of a single one the half of it.
#define ON_PIECES(name, call, parameters, arguments)                          \
    ssize_t name parameters {                                                 \
        struct iovec half;                                                    \
        if (is_marked(descriptor) && fails(call)) {                           \
            if (failure != 0) return -1;                                      \
            if (count == 1) {                                                 \
                half = (struct iovec){parts[0].iov_base, (parts[0].iov_len + 1) / 2}; \
                parts = &half;                                                \
            }                                                                 \
            count = (count + 1) / 2;                                          \
        }                                                                     \
        return TRUE(name) arguments;                                         \
    }
ON_PIECES(writev, "write", (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))
ON_PIECES(
    preadv2, "read", (int descriptor, const struct iovec *parts, int count, off_t at, int flags),
    (descriptor, parts, count, at, flags))
ON_PIECES(
    preadv64v2, "read", (int descriptor, const struct iovec *parts, int count, off64_t at, int flags),
    (descriptor, parts, count, at, flags))
ON_DESCRIPTOR(int, fsync, "fsync", (int descriptor), (descriptor))
ON_DESCRIPTOR(int, fdatasync, "fsync", (int descriptor), (descriptor))
ON_DESCRIPTOR(int, ftruncate, "write", (int descriptor, off_t size), (descriptor, size))
ON_DESCRIPTOR(int, fstat, "stat", (int descriptor, struct stat *status), (descriptor, status))

#define ON_PATH(type, none, name, call, parameters, arguments)                \
    type name parameters {                                                    \
        if (below(path) && fails(call)) return none;                          \
        return TRUE(name) arguments;                                         \
    }
ON_PATH(int, -1, lstat, "stat", (const char *path, struct stat *status), (path, status))
ON_PATH(int, -1, stat, "stat", (const char *path, struct stat *status), (path, status))
ON_PATH(int, -1, rename, "rename", (const char *path, const char *to), (path, to))
ON_PATH(int, -1, unlink, "unlink", (const char *path), (path))
ON_PATH(int, -1, mkdir, "mkdir", (const char *path, mode_t mode), (path, mode))

DIR *opendir(const char *path) {
    if (below(path) && fails("opendir")) return NULL;
    DIR *folder = TRUE(opendir)(path);
    if (folder && below(path)) mark(dirfd(folder), 1);
    return folder;
}

#define ON_FOLDER(type, name)                                                 \
    type *name(DIR *folder) {                                                 \
        if (is_marked(dirfd(folder)) && fails("readdir")) return NULL;        \
        return TRUE(name)(folder);                                           \
    }
ON_FOLDER(struct dirent, readdir)
ON_FOLDER(struct dirent64, readdir64)

int closedir(DIR *folder) {
    // The descriptor is closed inside of libc, where `close` above is not called.
    mark(dirfd(folder), 0);
    return TRUE(closedir)(folder);
}
