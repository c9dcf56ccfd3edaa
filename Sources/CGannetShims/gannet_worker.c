#if WITH_SVG || WITH_JXL
#define _GNU_SOURCE
#include "gannet_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SOCKET = GANNET_WORKER_SOCKET, MEMORY = GANNET_WORKER_MEMORY };

// MARK: In the worker

static int is_worker(const char *variable) {
    const char *value = getenv(variable);
    if (value == NULL || strcmp(value, "1") != 0) return 0;
    int kind = 0;
    socklen_t size = sizeof kind;
    return getsockopt(SOCKET, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_SEQPACKET;
}

// Bytes of private memory: the amount that RLIMIT_DATA limits.
static rlim_t data_bytes(void) {
    unsigned long pages[6] = {0};
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    const int count = fscanf(
        file, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]);
    fclose(file);
    return count == 6 ? (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

void gannet_worker_allow_memory(uint64_t bytes) {
    struct rlimit limit;
    const rlim_t used = data_bytes();
    if (used == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = used + bytes;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

// Input during a job can only be the end of the connection. The signal of the request itself may arrive after the request was
// read, because the system wakes the reader first; then there is no input.
static void look(int signal) {
    (void)signal;
    const int error = errno;
    struct pollfd other = {.fd = SOCKET, .events = POLLIN};
    if (poll(&other, 1, 0) > 0) _exit(0);
    errno = error;
}

void gannet_worker_serve(
    const char *variable, void *request, size_t size, const void *reply, size_t (*carry_out)(void *), void *context) {
    if (!is_worker(variable)) return;
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // The parent only sends while the worker is idle. Input during a job therefore means that the connection has ended.
    signal(SIGIO, SIG_IGN);
    fcntl(SOCKET, F_SETOWN, getpid());
    fcntl(SOCKET, F_SETFL, fcntl(SOCKET, F_GETFL) | O_ASYNC);
    while (recv(SOCKET, request, size, 0) == (ssize_t)size) {
        signal(SIGIO, look);
        // The connection ended before the handler was installed.
        struct pollfd other = {.fd = SOCKET, .events = POLLIN};
        if (poll(&other, 1, 0) > 0) break;
        const size_t count = carry_out(context);
        signal(SIGIO, SIG_IGN);
        if (send(SOCKET, reply, count, MSG_NOSIGNAL) != (ssize_t)count) break;
    }
    _exit(0);
}

// MARK: In the process that starts it

// The first object is the program itself.
static int is_in_program(struct dl_phdr_info *object, size_t size, void *answer) {
    (void)size;
    const uintptr_t here = (uintptr_t)&gannet_worker_serve;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const uintptr_t start = object->dlpi_addr + object->dlpi_phdr[index].p_vaddr;
        if (object->dlpi_phdr[index].p_type == PT_LOAD && here >= start && here - start < object->dlpi_phdr[index].p_memsz)
            *(int *)answer = 1;
    }
    return 1;
}

static int spawn(gannet_worker *worker, const char *variable, int socket) {
    char setting[64];
    if (snprintf(setting, sizeof setting, "%s=1", variable) >= (int)sizeof setting) return EINVAL;
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **environment = calloc(count + 2, sizeof *environment);
    if (environment == NULL) return ENOMEM;
    size_t kept = 0;
    for (size_t index = 0; index < count; index++)
        if (strncmp(environ[index], variable, strlen(variable)) != 0) environment[kept++] = environ[index];
    environment[kept] = setting;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int number = 0; number < 3; number++)
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0);
    // Both descriptors are above these numbers, so neither is overwritten before it is copied.
    posix_spawn_file_actions_adddup2(&actions, socket, SOCKET);
    posix_spawn_file_actions_adddup2(&actions, worker->memory, MEMORY);
    // Descriptors that the program opened without CLOEXEC must not stay open in this hidden process.
    posix_spawn_file_actions_addclosefrom_np(&actions, MEMORY + 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // A separate process group, so that signals from a terminal to the program, which may want to finish its work, do not reach
    // the worker.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char *arguments[] = {"gannet-worker", NULL};
    pid_t pid = 0;
    const int failure = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (failure != 0) return failure;
    worker->pid = pid;
    // Always refers to this child. Its pid may be reused once the program has reaped all its children.
    worker->process = pidfd_open(pid, 0);
    return 0;
}

// Moves a descriptor away from the worker's own numbers; closes the old one.
static int moved(int descriptor) {
    if (descriptor < 0) return -1;
    const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
    close(descriptor);
    return copy;
}

int gannet_worker_start(gannet_worker *worker, const char *variable) {
    *worker = (gannet_worker){.socket = -1, .memory = -1, .process = -1, .pid = 0};
    const char *value = getenv(variable);
    if (value != NULL && strcmp(value, "off") == 0) return ENOTSUP;
    int is_ours = 0;
    dl_iterate_phdr(is_in_program, &is_ours);
    if (!is_ours) return ENOTSUP;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    worker->socket = moved(ends[0]);
    const int other = moved(ends[1]);
    worker->memory = moved(memfd_create("gannet-worker", MFD_CLOEXEC));
    int failure = EMFILE;
    if (worker->socket >= 0 && other >= 0 && worker->memory >= 0) failure = spawn(worker, variable, other);
    if (other >= 0) close(other);
    if (failure != 0) gannet_worker_end(worker);
    return failure;
}

void gannet_worker_end(gannet_worker *worker) {
    if (worker->socket >= 0) close(worker->socket);
    if (worker->memory >= 0) close(worker->memory);
    if (worker->pid > 0) {
        if (worker->process >= 0) {
            pidfd_send_signal(worker->process, SIGKILL, NULL, 0);
            siginfo_t end;
            while (waitid(P_PIDFD, (id_t)worker->process, &end, WEXITED) < 0 && errno == EINTR) {}
            close(worker->process);
        } else {
            kill(worker->pid, SIGKILL);
            while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {}
        }
    }
    *worker = (gannet_worker){.socket = -1, .memory = -1, .process = -1, .pid = 0};
}

int gannet_worker_waits(const gannet_worker *worker) {
    // A worker sends nothing unasked, so any input means that it has ended.
    struct pollfd other = {.fd = worker->socket, .events = POLLIN};
    int heard = 0;
    do heard = poll(&other, 1, 0);
    while (heard < 0 && errno == EINTR);
    return heard == 0;
}

int gannet_worker_ask(
    const gannet_worker *worker, const void *request, size_t request_size, void *reply, size_t size, int (*stop)(void *),
    void *context) {
    if (send(worker->socket, request, request_size, MSG_NOSIGNAL) != (ssize_t)request_size) return 2;
    for (;;) {
        struct pollfd other = {.fd = worker->socket, .events = POLLIN};
        const int ready = poll(&other, 1, 20);
        if (ready < 0 && errno != EINTR) return 2;
        if (ready > 0) break;
        if (stop(context) != 0) return 1;
    }
    return recv(worker->socket, reply, size, 0) == (ssize_t)size ? 0 : 2;
}

#endif
