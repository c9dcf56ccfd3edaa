// The rules for the system calls of a sandboxed worker, judged as the kernel would: the program that `gannet_sandbox_filter` hands to
// seccomp(2) is caught and carried out here. An emulator of processes has no seccomp, and the numbers of the calls differ between
// processors. Prints the number of checks; the exit status is 1 if one failed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

static struct sock_filter caught[256];
static unsigned caught_count;

// The linker sends the calls of `syscall` here (--wrap=syscall).
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    const unsigned operation = va_arg(rest, unsigned);
    (void)va_arg(rest, unsigned);
    const struct sock_fprog *program = va_arg(rest, const struct sock_fprog *);
    va_end(rest);
    if (number != SYS_seccomp || operation != SECCOMP_SET_MODE_FILTER || program->len > 256) return -1;
    memcpy(caught, program->filter, program->len * sizeof *caught);
    caught_count = program->len;
    return 0;
}

// The instructions that the filter uses; any other, and a jump out of the program, is a failure.
static __u32 verdict(const struct seccomp_data *call) {
    __u32 value = 0;
    for (unsigned at = 0; at < caught_count; at++) {
        const struct sock_filter one = caught[at];
        switch (one.code) {
        case BPF_LD | BPF_W | BPF_ABS:
            if (one.k > sizeof *call - sizeof value || one.k % sizeof value != 0) return ~0u;
            memcpy(&value, (const char *)call + one.k, sizeof value);
            break;
        case BPF_JMP | BPF_JEQ | BPF_K: at += value == one.k ? one.jt : one.jf; break;
        case BPF_JMP | BPF_JSET | BPF_K: at += value & one.k ? one.jt : one.jf; break;
        case BPF_ALU | BPF_AND | BPF_K: value &= one.k; break;
        case BPF_RET | BPF_K: return one.k;
        default: return ~0u;
        }
    }
    return ~0u;
}

#if defined(__x86_64__)
enum { OWN = (int)AUDIT_ARCH_X86_64, FOREIGN = (int)AUDIT_ARCH_AARCH64 };
#else
enum { OWN = (int)AUDIT_ARCH_AARCH64, FOREIGN = (int)AUDIT_ARCH_X86_64 };
#endif

static int checks, failed;

static void expect(__u32 wanted, const char *rule, int number, __u64 first, __u64 second, __u64 third) {
    const struct seccomp_data call = {.nr = number, .arch = (__u32)OWN, .args = {first, second, third}};
    const __u32 said = verdict(&call);
    checks++;
    if (said == wanted) return;
    failed++;
    printf("failed: %s: %#x instead of %#x\n", rule, said, wanted);
}

static void expect_mapping(__u32 wanted, int protection, int flags) {
    const struct seccomp_data call = {
        .nr = __NR_mmap, .arch = (__u32)OWN, .args = {0, 4096, (__u64)protection, (__u64)flags}};
    const __u32 said = verdict(&call);
    checks++;
    if (said == wanted) return;
    failed++;
    printf("failed: mmap with %#x and %#x: %#x instead of %#x\n", protection, flags, said, wanted);
}

enum { ALLOWED = (int)SECCOMP_RET_ALLOW };
#define REFUSED ((__u32)(SECCOMP_RET_ERRNO | EPERM))
#define EXPECT(wanted, name, first, second, third) expect(wanted, #name "(" #first ", " #second ", " #third ")", __NR_##name, first, second, third)

static void check_any(__u32 program) {
    struct seccomp_data foreign = {.nr = __NR_exit, .arch = (__u32)FOREIGN};
    checks++;
    if (verdict(&foreign) != SECCOMP_RET_KILL_PROCESS) failed++, puts("failed: a call of another architecture");

    EXPECT(ALLOWED, mmap, 0, 4096, PROT_READ | PROT_WRITE);
    EXPECT(ALLOWED, mprotect, 0, 4096, PROT_READ);
    EXPECT(REFUSED, mprotect, 0, 4096, PROT_READ | PROT_EXEC);
    EXPECT(ALLOWED, munmap, 0, 4096, 0);
    EXPECT(ALLOWED, futex, 0, 0, 0);
    EXPECT(REFUSED, mmap, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    EXPECT(REFUSED, recvfrom, GANNET_SANDBOX_SOCKET + 4, 0, 0);
    EXPECT(REFUSED, sendto, 1, 0, 0);
    EXPECT(ALLOWED, pread64, GANNET_SANDBOX_INPUT, 0, 0);

    const __u64 thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    EXPECT(ALLOWED, clone, thread | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID, 0, 0);
    EXPECT(REFUSED, clone, SIGCHLD, 0, 0);
    EXPECT(REFUSED, clone, thread | CLONE_NEWUSER, 0, 0);
    EXPECT(SECCOMP_RET_ERRNO | ENOSYS, clone3, 0, 0, 0);

    const __u64 own = (__u64)getpid();
    EXPECT(ALLOWED, tgkill, own, own, SIGABRT);
    EXPECT(REFUSED, tgkill, own + 1, own + 1, SIGKILL);
    EXPECT(REFUSED, kill, own, SIGKILL, 0);
    EXPECT(ALLOWED, prlimit64, 0, 7, 0);
    EXPECT(REFUSED, prlimit64, 0, 7, 4096);
    EXPECT(REFUSED, prlimit64, 0, 7, (__u64)1 << 32);
    EXPECT(ALLOWED, clock_gettime, 0, 0, 0);
    EXPECT(ALLOWED, exit_group, 0, 0, 0);

    EXPECT(REFUSED, socket, 0, 0, 0);
    EXPECT(REFUSED, connect, 0, 0, 0);
    EXPECT(REFUSED, sendmsg, GANNET_SANDBOX_SOCKET, 0, 0);
    EXPECT(program, execve, 0, 0, 0);
    EXPECT(REFUSED, execveat, 0, 0, 0);
    EXPECT(REFUSED, ptrace, 0, 0, 0);
    EXPECT(REFUSED, process_vm_readv, 0, 0, 0);
    EXPECT(REFUSED, unlinkat, 0, 0, 0);
    EXPECT(REFUSED, renameat2, 0, 0, 0);
    EXPECT(REFUSED, openat2, 0, 0, 0);
    EXPECT(REFUSED, open_by_handle_at, 0, 0, 0);
    EXPECT(program, write, 1, 0, 0);
    EXPECT(program, write, 2, 0, 0);
    EXPECT(REFUSED, write, 3, 0, 0);
    EXPECT(REFUSED, ioctl, 0, 0, 0);
    EXPECT(REFUSED, memfd_create, 0, 0, 0);
    EXPECT(REFUSED, pidfd_getfd, 0, 0, 0);
    EXPECT(REFUSED, bpf, 0, 0, 0);
    EXPECT(REFUSED, io_uring_setup, 0, 0, 0);
    EXPECT(REFUSED, unshare, 0, 0, 0);
    EXPECT(REFUSED, mount, 0, 0, 0);
    EXPECT(REFUSED, seccomp, 0, 0, 0);
    EXPECT(REFUSED, prctl, 0, 0, 0);
}

// What workers alone may do, and may not: they talk through their socket, and map nothing that can be executed.
static void check_worker(void) {
    check_any(REFUSED);
    EXPECT(ALLOWED, recvfrom, GANNET_SANDBOX_SOCKET, 0, 0);
    EXPECT(ALLOWED, sendto, GANNET_SANDBOX_SOCKET, 0, 0);
    expect_mapping(REFUSED, PROT_READ | PROT_EXEC, MAP_PRIVATE);
}

// A program maps its libraries, and makes no code of its own.
static void check_program(void) {
    check_any(ALLOWED);
    EXPECT(REFUSED, recvfrom, GANNET_SANDBOX_SOCKET, 0, 0);
    EXPECT(REFUSED, sendto, GANNET_SANDBOX_SOCKET, 0, 0);
    expect_mapping(ALLOWED, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_DENYWRITE);
    expect_mapping(REFUSED, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS);
    expect_mapping(REFUSED, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE);
}

static void check_files(__u32 reading) {
    EXPECT(reading, openat, (__u32)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC);
    // Its bit is another one on each of the two processors.
    EXPECT(reading, openat, (__u32)AT_FDCWD, 0, O_RDONLY | O_DIRECTORY);
    EXPECT(REFUSED, openat, (__u32)AT_FDCWD, 0, O_WRONLY);
    EXPECT(REFUSED, openat, (__u32)AT_FDCWD, 0, O_RDWR);
    EXPECT(REFUSED, openat, (__u32)AT_FDCWD, 0, O_RDONLY | O_CREAT);
    EXPECT(REFUSED, openat, (__u32)AT_FDCWD, 0, O_RDONLY | O_TRUNC);
    EXPECT(REFUSED, openat, (__u32)AT_FDCWD, 0, O_TMPFILE | O_RDONLY);
    EXPECT(reading, read, 7, 0, 0);
    EXPECT(reading, close, 7, 0, 0);
    EXPECT(reading, newfstatat, 0, 0, 0);
    EXPECT(reading, getdents64, 7, 0, 0);
    EXPECT(reading, fcntl, 7, F_GETFL, 0);
    EXPECT(REFUSED, fcntl, 7, F_SETFL, 0);
    EXPECT(reading, pread64, 7, 0, 0);
}

int main(void) {
    if (gannet_sandbox_filter(GANNET_SANDBOX_STRICT) != 0) return 1;
    check_worker();
    check_files(REFUSED);
    if (gannet_sandbox_filter(GANNET_SANDBOX_FONTS) != 0) return 1;
    check_worker();
    check_files(ALLOWED);
    if (gannet_sandbox_filter(GANNET_SANDBOX_PROGRAM) != 0) return 1;
    check_program();
    check_files(ALLOWED);
    printf("%d checks, %d passed\n", checks, checks - failed);
    return failed > 0;
}
