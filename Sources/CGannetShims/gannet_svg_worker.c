// A process of its own for librsvg, which ends the process it is in for some documents and draws for hours at others.
//
// The process is this same program, started again: what is below main in it runs before main does, sees that it was started for this, and
// never comes to main. So nothing has to be installed beside a program for it.
#if WITH_SVG
#define _GNU_SOURCE
#include "gannet_svg.h"

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

static const char variable[] = "GANNET_SVG_WORKER";

// Where the worker finds what it shares with the process that started it.
enum { SOCKET = 3, MEMORY = 4 };

// MARK: In the worker

// Bytes of memory that are its own now: what RLIMIT_DATA counts.
static rlim_t data_bytes(void) {
    unsigned long pages[6] = {0};
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    const int count = fscanf(
        file, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]);
    fclose(file);
    return count == 6 ? (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

static void allow_memory(uint64_t bytes) {
    struct rlimit limit;
    const rlim_t used = data_bytes();
    if (used == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = used + bytes;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

static void *mapped(uint64_t bytes, int protection) {
    void *base = mmap(NULL, bytes, protection, MAP_SHARED, MEMORY, 0);
    return base == MAP_FAILED ? NULL : base;
}

static void carry_out(const gannet_svg_request *request, gannet_svg **document, gannet_svg_reply *reply) {
    reply->result = GANNET_SVG_MEMORY;
    allow_memory(request->memory);
    if (request->kind == GANNET_SVG_READ) {
        gannet_svg_free(*document);
        *document = NULL;
        uint8_t *bytes = mapped(request->bytes, PROT_READ);
        if (bytes == NULL) return;
        *document = gannet_svg_new(bytes, request->bytes, &reply->result);
        munmap(bytes, request->bytes);
        if (*document != NULL) gannet_svg_size(*document, &reply->width, &reply->height);
    } else if (*document != NULL) {
        uint8_t *base = mapped(request->bytes, PROT_READ | PROT_WRITE);
        if (base == NULL) return;
        reply->result = gannet_svg_draw(
            *document, base, 4 * (size_t)request->width, request->width, request->height, NULL, NULL);
        munmap(base, request->bytes);
    }
    if (*document != NULL) snprintf(reply->message, sizeof reply->message, "%s", gannet_svg_message(*document));
}

static void serve(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // The other side only says something while nothing is being done here. What comes in the midst of work is its end.
    signal(SIGIO, SIG_IGN);
    fcntl(SOCKET, F_SETOWN, getpid());
    fcntl(SOCKET, F_SETFL, fcntl(SOCKET, F_GETFL) | O_ASYNC);
    gannet_svg *document = NULL;
    gannet_svg_request request;
    while (recv(SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        signal(SIGIO, SIG_DFL);
        // Gone before that.
        struct pollfd other = {.fd = SOCKET, .events = POLLIN};
        if (poll(&other, 1, 0) != 0) break;
        gannet_svg_reply reply;
        memset(&reply, 0, sizeof reply);
        carry_out(&request, &document, &reply);
        signal(SIGIO, SIG_IGN);
        if (send(SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply) break;
    }
}

__attribute__((constructor)) static void serve_if_started_for_it(void) {
    const char *value = getenv(variable);
    if (value == NULL || strcmp(value, "1") != 0) return;
    int kind = 0;
    socklen_t size = sizeof kind;
    if (getsockopt(SOCKET, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_SEQPACKET) return;
    serve();
    _exit(0);
}

// MARK: In the process that starts it

// The first object is the program itself.
static int is_in_program(struct dl_phdr_info *object, size_t size, void *answer) {
    (void)size;
    const uintptr_t here = (uintptr_t)&serve_if_started_for_it;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const uintptr_t start = object->dlpi_addr + object->dlpi_phdr[index].p_vaddr;
        if (object->dlpi_phdr[index].p_type == PT_LOAD && here >= start && here - start < object->dlpi_phdr[index].p_memsz)
            *(int *)answer = 1;
    }
    return 1;
}

static int spawn(gannet_svg_worker *worker, int socket) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **environment = calloc(count + 2, sizeof *environment);
    if (environment == NULL) return ENOMEM;
    size_t kept = 0;
    for (size_t index = 0; index < count; index++)
        if (strncmp(environ[index], variable, sizeof variable - 1) != 0) environment[kept++] = environ[index];
    environment[kept] = "GANNET_SVG_WORKER=1";

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int number = 0; number < 3; number++)
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0);
    // Both are above these numbers, so that neither is written over before it is copied.
    posix_spawn_file_actions_adddup2(&actions, socket, SOCKET);
    posix_spawn_file_actions_adddup2(&actions, worker->memory, MEMORY);
    // What somebody opened without CLOEXEC must not be held open by a process that nobody knows of.
    posix_spawn_file_actions_addclosefrom_np(&actions, MEMORY + 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // Not hit by what a terminal sends to the program, which may want to finish its work.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char *arguments[] = {"gannet-svg", NULL};
    pid_t pid = 0;
    const int failure = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (failure != 0) return failure;
    worker->pid = pid;
    // Names this child for ever, where a number may be somebody else's once the program has reaped all its children.
    worker->process = pidfd_open(pid, 0);
    return 0;
}

// A descriptor that is not one of the worker's own numbers; the old one is closed.
static int moved(int descriptor) {
    if (descriptor < 0) return -1;
    const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
    close(descriptor);
    return copy;
}

int gannet_svg_worker_start(gannet_svg_worker *worker) {
    *worker = (gannet_svg_worker){.socket = -1, .memory = -1, .process = -1, .pid = 0};
    const char *value = getenv(variable);
    if (value != NULL && strcmp(value, "off") == 0) return ENOTSUP;
    int is_ours = 0;
    dl_iterate_phdr(is_in_program, &is_ours);
    if (!is_ours) return ENOTSUP;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    worker->socket = moved(ends[0]);
    const int other = moved(ends[1]);
    worker->memory = moved(memfd_create("gannet-svg", MFD_CLOEXEC));
    int failure = EMFILE;
    if (worker->socket >= 0 && other >= 0 && worker->memory >= 0) failure = spawn(worker, other);
    if (other >= 0) close(other);
    if (failure != 0) gannet_svg_worker_end(worker);
    return failure;
}

void gannet_svg_worker_end(gannet_svg_worker *worker) {
    if (worker->socket >= 0) close(worker->socket);
    if (worker->memory >= 0) close(worker->memory);
    if (worker->pid > 0) {
        if (worker->process >= 0) {
            pidfd_send_signal(worker->process, SIGKILL, NULL, 0);
            close(worker->process);
        } else {
            kill(worker->pid, SIGKILL);
        }
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    *worker = (gannet_svg_worker){.socket = -1, .memory = -1, .process = -1, .pid = 0};
}

int gannet_svg_worker_waits(const gannet_svg_worker *worker) {
    // It has nothing to say before it is asked, so anything that is heard is its end.
    struct pollfd other = {.fd = worker->socket, .events = POLLIN};
    int heard = 0;
    do heard = poll(&other, 1, 0);
    while (heard < 0 && errno == EINTR);
    return heard == 0;
}

gannet_svg_result gannet_svg_worker_ask(
    const gannet_svg_worker *worker, const gannet_svg_request *request, gannet_svg_reply *reply, int (*stop)(void *),
    void *context) {
    if (send(worker->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request) return GANNET_SVG_DIED;
    for (;;) {
        struct pollfd other = {.fd = worker->socket, .events = POLLIN};
        const int ready = poll(&other, 1, 20);
        if (ready < 0 && errno != EINTR) return GANNET_SVG_DIED;
        if (ready > 0) break;
        if (stop(context) != 0) return GANNET_SVG_STOPPED;
    }
    if (recv(worker->socket, reply, sizeof *reply, 0) != (ssize_t)sizeof *reply) return GANNET_SVG_DIED;
    reply->message[sizeof reply->message - 1] = 0;
    return reply->result;
}

#endif
