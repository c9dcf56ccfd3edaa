#define _GNU_SOURCE
#include "sandbox_faults.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint8_t sink;

__attribute__((noinline)) static int deeper(int depth) {
    volatile uint8_t frame[4096];
    frame[depth % 4096] = (uint8_t)depth;
    return deeper(depth + 1) + frame[(depth + 1) % 4096];
}

static void *sleep_for_ever(void *unused) {
    (void)unused;
    const struct timespec second = {.tv_sec = 1};
    for (;;) nanosleep(&second, NULL);
}

// More than a decoder on 250 processors may have.
static void begin_threads(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (int count = 0; count < 1001; count++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, sleep_for_ever, NULL) != 0) break;
    }
    pthread_attr_destroy(&small);
}

void sandbox_fault_commit(sandbox_fault fault) {
    switch (fault) {
        case FAULT_NULL_WRITE: {
            volatile uint8_t *nothing = NULL;
            *nothing = 1;
            break;
        }
        case FAULT_STACK_OVERFLOW: sink = (uint8_t)deeper(0); break;
        case FAULT_HEAP_OVERFLOW: {
            volatile uint8_t *block = malloc(64);
            for (size_t index = 0; index < (size_t)1 << 34; index++) block[index] = 0xA5;
            break;
        }
        case FAULT_ENDLESS_LOOP:
            for (;;) sink++;
        case FAULT_ALLOCATION: {
            const size_t bytes = (size_t)8 << 30;
            volatile uint8_t *block = malloc(bytes);
            if (block == NULL) abort();
            for (size_t index = 0; index < bytes; index += 4096) block[index] = 1;
            break;
        }
        case FAULT_EXIT: _exit(0);
        case FAULT_ABORT: abort();
        case FAULT_UNASKED_MESSAGE: {
            const uint64_t words[4] = {1, 1, 1, 1};
            send(3, words, sizeof words, MSG_NOSIGNAL);
            break;
        }
        case FAULT_SILENT_MESSAGE_FLOOD:
            for (;;) {
                const uint8_t junk[1024] = {0};
                send(3, junk, sizeof junk, MSG_NOSIGNAL);
            }
        case FAULT_THREADS:
            begin_threads();
            sleep_for_ever(NULL);
    }
}

int sandbox_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    return 1;
#endif
#endif
    return 0;
}

enum { BLOCK = 64 << 10 };

void sandbox_spill(uint8_t byte) {
    uint8_t *block = malloc(BLOCK);
    if (block == NULL) abort();
    memset(block, byte, BLOCK);
    // The compiler must not see that nobody reads it.
    __asm__ volatile("" : : "r"(block) : "memory");
    free(block);
}

uint8_t sandbox_unwritten(void) {
    volatile uint8_t *block = malloc(BLOCK);
    if (block == NULL) abort();
    const uint8_t found = block[BLOCK / 2];
    free((void *)block);
    return found;
}

uint8_t sandbox_exchange(uint8_t number) {
    static int kept = -1;
    const int last = kept;
    kept = number;
    return last < 0 ? number : (uint8_t)last;
}

static int tried(long result) { return result < 0 ? errno : 0; }

static int opened(int descriptor) {
    if (descriptor < 0) return errno;
    close(descriptor);
    return 0;
}

int sandbox_try_it(sandbox_try what) {
    switch (what) {
        case TRY_OPEN: return opened(open("/etc/passwd", O_RDONLY));
        case TRY_CREATE: return opened(open("/tmp/gannet-sandbox-must-not-exist", O_CREAT | O_WRONLY, 0600));
        case TRY_READ_PROC: return opened(open("/proc/self/environ", O_RDONLY));
        case TRY_SOCKET: return opened(socket(AF_INET, SOCK_STREAM, 0));
        case TRY_UNIX_SOCKET: return opened(socket(AF_UNIX, SOCK_STREAM, 0));
        case TRY_FORK: {
            const pid_t child = fork();
            if (child == 0) _exit(0);
            // A child left behind would keep the tests' own wait for their processes busy for ever.
            if (child > 0) waitpid(child, NULL, 0);
            return tried(child);
        }
        case TRY_VFORK: return tried(syscall(SYS_clone, SIGCHLD | CLONE_VM | CLONE_VFORK, 0, 0, 0, 0));
        case TRY_EXEC: {
            char *const arguments[] = {"true", NULL};
            return tried(execve("/bin/true", arguments, arguments + 1));
        }
        case TRY_MAP_EXECUTABLE: {
            void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            return page == MAP_FAILED ? errno : 0;
        }
        case TRY_MAKE_EXECUTABLE: {
            void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            return tried(mprotect(page, 4096, PROT_READ | PROT_EXEC));
        }
        case TRY_SIGNAL_PARENT: return tried(kill(getppid(), SIGTERM));
        case TRY_SIGNAL_ALL: return tried(syscall(SYS_tgkill, 1, 1, 0));
        case TRY_PTRACE: return tried(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
        case TRY_UNLINK: return tried(unlink("/tmp/gannet-sandbox-must-not-exist"));
        case TRY_RAISE_LIMIT: {
            const struct rlimit many = {1 << 30, 1 << 30};
            return tried(setrlimit(RLIMIT_AS, &many));
        }
        case TRY_DUPLICATE: return opened(dup(3));
        case TRY_GROW_MEMORY: return tried(ftruncate(5, (off_t)1 << 40));
        case TRY_NAMESPACE: return tried(unshare(CLONE_NEWUSER));
        case TRY_IO_URING: return tried(syscall(SYS_io_uring_setup, 4, NULL));
        case TRY_KEYRING: return tried(syscall(SYS_add_key, "user", "a", "b", 1, -3));
        case TRY_BPF: return tried(syscall(SYS_bpf, 0, NULL, 0));
        case TRY_SEND_DESCRIPTOR: {
            struct msghdr message = {0};
            return tried(sendmsg(3, &message, 0));
        }
    }
    return ENOSYS;
}
