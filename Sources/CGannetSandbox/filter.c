// The system calls of a worker: a list of what is allowed, as a program for the kernel's filter (seccomp(2)).
//
// By hand instead of through libseccomp: a list without priorities is thirty lines, and a program that embeds Gannet does not need
// one more library at run time.
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// The low half of an argument: enough for descriptors, flags and protections, which are ints. Little-endian.
#define ARGUMENT(number) offsetof(struct seccomp_data, args[number])
#define ARGUMENT_HIGH(number) (offsetof(struct seccomp_data, args[number]) + 4)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define CALL LOAD(offsetof(struct seccomp_data, nr))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
// Goes on behind the next `count` instructions if the value is another one.
#define UNLESS_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)

// Allowed with any arguments.
#define ALLOW(name) UNLESS_EQUAL(__NR_##name, 1), RETURN(SECCOMP_RET_ALLOW)
// Allowed if an argument has this value. Every rule leaves the number of the call where it found it, so that there can be several
// for one call.
#define ALLOW_IF(name, argument, value)                                                                                        \
    UNLESS_EQUAL(__NR_##name, 4), LOAD(ARGUMENT(argument)), UNLESS_EQUAL(value, 1), RETURN(SECCOMP_RET_ALLOW), CALL
// Allowed if none of these bits is set.
#define ALLOW_WITHOUT(name, argument, bits)                                                                                    \
    UNLESS_EQUAL(__NR_##name, 4), LOAD(ARGUMENT(argument)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0),                  \
        RETURN(SECCOMP_RET_ALLOW), CALL
// Allowed if a pointer is null.
#define ALLOW_IF_NULL(name, argument)                                                                                          \
    UNLESS_EQUAL(__NR_##name, 6), LOAD(ARGUMENT(argument)), UNLESS_EQUAL(0, 3), LOAD(ARGUMENT_HIGH(argument)),                 \
        UNLESS_EQUAL(0, 1), RETURN(SECCOMP_RET_ALLOW), CALL

// A thread shares all of these with its process; a child does not.
#define THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM)
#define NEW_SPACE (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

#define HEAD                                                                                                                   \
    LOAD(offsetof(struct seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),                        \
        RETURN(SECCOMP_RET_KILL_PROCESS), CALL

// Memory: never executable.
#define MEMORY                                                                                                                 \
    ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW_WITHOUT(mmap, 2, PROT_EXEC),                               \
        ALLOW_WITHOUT(mprotect, 2, PROT_EXEC)

// Requests, replies, and the bytes of the file. Only on the worker's own descriptors.
#define CHANNEL                                                                                                                \
    ALLOW_IF(recvfrom, 0, GANNET_SANDBOX_SOCKET), ALLOW_IF(sendto, 0, GANNET_SANDBOX_SOCKET),                                  \
        ALLOW_IF(pread64, 0, GANNET_SANDBOX_INPUT)

// Threads of the libraries, and what they wait with. clone3 keeps its flags in memory, where a filter does not see them: the C
// library falls back to clone.
#define THREADS                                                                                                                \
    UNLESS_EQUAL(__NR_clone, 6), LOAD(ARGUMENT(0)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_SPACE, 3, 0),                     \
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, THREAD), UNLESS_EQUAL(THREAD, 1), RETURN(SECCOMP_RET_ALLOW), CALL,                 \
        UNLESS_EQUAL(__NR_clone3, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS), ALLOW(futex), ALLOW(set_robust_list), ALLOW(rseq),   \
        ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(set_tid_address), ALLOW(membarrier)

// Clocks, signals to itself, facts without a secret, the end. `abort` signals its own process; the number is set below.
#define SELF                                                                                                                   \
    ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(gettimeofday), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(getpid),   \
        ALLOW(gettid), ALLOW(getcpu), ALLOW(getrusage), ALLOW(sysinfo), ALLOW(getrandom), ALLOW(rt_sigreturn),                 \
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(sigaltstack), ALLOW(restart_syscall), ALLOW_IF_NULL(prlimit64, 2),   \
        ALLOW(exit), ALLOW(exit_group)

// Files that exist, for reading; Landlock says which.
#define FILES                                                                                                                  \
    ALLOW_WITHOUT(openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY)), ALLOW(read),      \
        ALLOW(pread64), ALLOW(close), ALLOW(fstat), ALLOW(newfstatat), ALLOW(statx), ALLOW(lseek), ALLOW(getdents64),          \
        ALLOW(faccessat), ALLOW(faccessat2), ALLOW(readlinkat), ALLOW(fstatfs), ALLOW(statfs), ALLOW(fadvise64),               \
        ALLOW_IF(fcntl, 1, F_GETFD), ALLOW_IF(fcntl, 1, F_GETFL), ALLOW(getcwd), ALLOW(uname), ALLOW(getuid), ALLOW(geteuid)
#if defined(__x86_64__)
#define OLD_FILES ALLOW_WITHOUT(open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND), ALLOW(stat), ALLOW(lstat), \
        ALLOW(access), ALLOW(readlink),
#else
#define OLD_FILES
#endif

// A program of the system starts: its loader maps libraries as they are in their files, which never can be written at the same
// time. Landlock says which program. It writes to its output and its errors.
#define START                                                                                                                  \
    ALLOW(execve), UNLESS_EQUAL(__NR_mmap, 6), LOAD(ARGUMENT(2)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 3, 0),      \
        LOAD(ARGUMENT(3)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 1, 0), RETURN(SECCOMP_RET_ALLOW), CALL,         \
        ALLOW_IF(write, 0, STDOUT_FILENO), ALLOW_IF(write, 0, STDERR_FILENO)
#if defined(__x86_64__)
#define OLD_START ALLOW(arch_prctl),
#else
#define OLD_START
#endif

static int install(struct sock_filter *filter, unsigned short count) {
    const struct sock_fprog program = {.len = count, .filter = filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

int gannet_sandbox_filter(gannet_sandbox_level level) {
    const __u32 own = (__u32)getpid();
    if (level == GANNET_SANDBOX_FONTS) {
        struct sock_filter filter[] = {
            HEAD, FILES, OLD_FILES MEMORY, CHANNEL, THREADS, SELF, ALLOW_IF(tgkill, 0, own), REFUSE};
        return install(filter, sizeof filter / sizeof *filter);
    }
    if (level == GANNET_SANDBOX_PROGRAM) {
        struct sock_filter filter[] = {
            HEAD, FILES, OLD_FILES START, OLD_START MEMORY, THREADS, SELF, ALLOW_IF(tgkill, 0, own), REFUSE};
        return install(filter, sizeof filter / sizeof *filter);
    }
    struct sock_filter filter[] = {HEAD, MEMORY, CHANNEL, THREADS, SELF, ALLOW_IF(tgkill, 0, own), REFUSE};
    return install(filter, sizeof filter / sizeof *filter);
}

int gannet_sandbox_has_filter(void) {
    const __u32 action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

#else

int gannet_sandbox_filter(gannet_sandbox_level level) {
    (void)level;
    return ENOSYS;
}

int gannet_sandbox_has_filter(void) { return 0; }

#endif
