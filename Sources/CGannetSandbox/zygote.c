// The process that workers are forked from, and the program's side of it.
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The environment variable that marks a process as the zygote.
#define VARIABLE "GANNET_ZYGOTE"
enum { CHANNEL = 3 };

typedef struct {
    enum { FORK = 1, REAP = 2, RUN = 3 } kind;
    gannet_sandbox_level level;
    pid_t pid;
    int kills;
    /// Of a program.
    uint64_t memory;
    char words[GANNET_SANDBOX_WORDS];
} request;

typedef struct {
    /// 0 or an error number.
    int failure;
    pid_t pid;
    int status;
} reply;

void gannet_sandbox_fill_memory(void) { mallopt(M_PERTURB, GANNET_SANDBOX_FILL); }

// MARK: In the zygote

// Ends with the zygote, and has the three descriptors from number `first` on, and no others.
static void settle(int first, int passed[3], pid_t zygote) {
    setsid();
    // The zygote may have ended in between.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != zygote) _exit(1);
    // Above the own numbers, so that none is overwritten before it is copied.
    for (int index = 0; index < 3; index++) passed[index] = fcntl(passed[index], F_DUPFD, 16);
    for (int index = 0; index < 3; index++)
        if (dup2(passed[index], first + index) < 0) _exit(1);
    for (int number = 0; number < first; number++) close(number);
    if (syscall(SYS_close_range, first + 3, ~0u, 0) != 0) _exit(1);
}

static void become_worker(gannet_sandbox_level level, int passed[3], pid_t zygote) {
    settle(GANNET_SANDBOX_SOCKET, passed, zygote);
    // Bytes that a library leaves unwritten in its buffers become pixels. They must not be those of an earlier image of this worker.
    gannet_sandbox_fill_memory();
    gannet_sandbox_forbid_workers();
    gannet_sandbox_prepare(level);
    // The program learns what went wrong, and how much address space the worker has before any image.
    uint64_t hello[2] = {0, 0};
    hello[1] = gannet_sandbox_address_space();
    hello[0] = (uint64_t)gannet_sandbox_confine(level, NULL);
    const ssize_t sent = send(GANNET_SANDBOX_SOCKET, hello, sizeof hello, MSG_NOSIGNAL);
    if (hello[0] != 0 || sent != sizeof hello) _exit(1);
    gannet_sandbox_serve(level);
    _exit(0);
}

static void become_program(request *asked, int passed[3], pid_t zygote) {
    settle(STDIN_FILENO, passed, zygote);
    char *words[32] = {NULL};
    char *word = asked->words;
    asked->words[sizeof asked->words - 1] = 0;
    for (int count = 0; count < 31 && *word != 0; count++) {
        words[count] = word;
        word += strlen(word) + 1;
        if (word >= asked->words + sizeof asked->words) break;
    }
    const struct rlimit space = {asked->memory, asked->memory};
    uint64_t hello[2] = {0, 0};
    if (words[0] == NULL) hello[0] = EINVAL;
    else if (setrlimit(RLIMIT_AS, &space) != 0) hello[0] = (uint64_t)errno;
    else hello[0] = (uint64_t)gannet_sandbox_confine(GANNET_SANDBOX_PROGRAM, words[0]);
    if (write(STDERR_FILENO, hello, sizeof hello) != sizeof hello || hello[0] != 0) _exit(1);
    char *environment[] = {NULL};
    execve(words[0], words, environment);
    _exit(127);
}

static reply carry_out_fork(request *asked, int passed[3]) {
    const pid_t zygote = getpid();
    const pid_t pid = fork();
    if (pid == 0 && asked->kind == RUN) become_program(asked, passed, zygote);
    if (pid == 0) become_worker(asked->level, passed, zygote);
    return (reply){.failure = pid < 0 ? errno : 0, .pid = pid};
}

static reply carry_out_reap(pid_t pid, int kills) {
    int status = 0;
    // A worker that closed its socket is about to end, unless an attacker controls it.
    for (int look = 0; !kills && look < 100; look++) {
        const pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid) return (reply){.pid = pid, .status = status};
        if (ended < 0 && errno != EINTR) return (reply){.failure = errno};
        const struct timespec moment = {0, 1000000};
        nanosleep(&moment, NULL);
    }
    if (pid <= 0) return (reply){.failure = ESRCH};
    kill(pid, SIGKILL);
    pid_t ended;
    do ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == pid ? (reply){.pid = pid, .status = status} : (reply){.failure = errno};
}

// Reads one request with its descriptors; 0 at the end of the program.
static int next(request *request, int passed[3]) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec vector = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do count = recvmsg(CHANNEL, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count != (ssize_t)sizeof *request) return 0;
    for (int index = 0; index < 3; index++) passed[index] = -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(3 * sizeof(int)))
        memcpy(passed, CMSG_DATA(header), 3 * sizeof(int));
    return 1;
}

static int was_started_as_zygote(void) {
    if (getenv(VARIABLE) == NULL) return 0;
    int kind = 0;
    socklen_t size = sizeof kind;
    return getsockopt(CHANNEL, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_SEQPACKET;
}

__attribute__((constructor)) static void serve_if_started_for_it(void) {
    if (!was_started_as_zygote()) return;
    unsetenv(VARIABLE);
    gannet_sandbox_load();
    request asked;
    int passed[3];
    while (next(&asked, passed)) {
        const reply answer = asked.kind == REAP ? carry_out_reap(asked.pid, asked.kills) : carry_out_fork(&asked, passed);
        for (int index = 0; index < 3; index++)
            if (passed[index] >= 0) close(passed[index]);
        if (send(CHANNEL, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer) break;
    }
    _exit(0);
}

// MARK: In the program

// The first object is the program itself.
static int is_in_program(struct dl_phdr_info *object, size_t size, void *answer) {
    (void)size;
    const uintptr_t here = (uintptr_t)&gannet_sandbox_zygote_start;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const uintptr_t start = object->dlpi_addr + object->dlpi_phdr[index].p_vaddr;
        if (object->dlpi_phdr[index].p_type == PT_LOAD && here >= start && here - start < object->dlpi_phdr[index].p_memsz)
            *(int *)answer = 1;
    }
    return 1;
}

static int spawn(int socket, pid_t *pid) {
    // Of the environment only what finds libraries, their plugins and fonts, what chooses among the languages of a document, and what
    // configures a sanitizer.
    static const char *const kept[] = {"LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "GDK_PIXBUF_MODULE_FILE", "HOME", "LANGUAGE",
                                       "LC_ALL", "LC_MESSAGES", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"};
    enum { COUNT = sizeof kept / sizeof *kept };
    char *environment[COUNT + 2] = {VARIABLE "=1"};
    int filled = 1, failure = 0;
    for (int index = 0; index < COUNT && failure == 0; index++) {
        const char *value = getenv(kept[index]);
        if (value == NULL) continue;
        if (asprintf(&environment[filled], "%s=%s", kept[index], value) < 0) failure = ENOMEM;
        else filled++;
    }
    environment[filled] = NULL;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int number = 0; number < CHANNEL; number++)
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, CHANNEL);
    posix_spawn_file_actions_addclosefrom_np(&actions, CHANNEL + 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // A new process group, so that Ctrl-C in a terminal does not reach it while the program finishes its work.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char *arguments[] = {"gannet-zygote", NULL};
    if (failure == 0) failure = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    for (int index = 1; index < filled; index++) free(environment[index]);
    return failure;
}

int gannet_sandbox_zygote_start(int *channel, pid_t *pid, int *process) {
    int is_ours = 0;
    dl_iterate_phdr(is_in_program, &is_ours);
    if (!is_ours) return ENOTSUP;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    // Above the numbers that the started process overwrites.
    const int other = fcntl(ends[1], F_DUPFD_CLOEXEC, 16);
    int failure = other < 0 ? errno : spawn(other, pid);
    if (other >= 0) close(other);
    close(ends[1]);
    if (failure == 0 && (*process = pidfd_open(*pid, 0)) < 0) {
        failure = errno;
        kill(*pid, SIGKILL);
        waitpid(*pid, NULL, 0);
    }
    if (failure != 0) close(ends[0]);
    else *channel = ends[0];
    return failure;
}

void gannet_sandbox_zygote_end(int channel, int process) {
    close(channel);
    // By its descriptor: a program that waits for all of its children may have freed the number.
    pidfd_send_signal(process, SIGKILL, NULL, 0);
    siginfo_t end;
    while (waitid(P_PIDFD, (id_t)process, &end, WEXITED) < 0 && errno == EINTR) {}
    close(process);
}

static int ask(int channel, const request *asked, const int passed[3], reply *answer) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec vector = {(void *)asked, sizeof *asked};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    if (passed != NULL) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(3 * sizeof(int));
        memcpy(CMSG_DATA(header), passed, 3 * sizeof(int));
    }
    ssize_t count;
    do count = sendmsg(channel, &message, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno;
    do count = recv(channel, answer, sizeof *answer, 0);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno;
    // Its end, of which the system says no more here.
    return count == (ssize_t)sizeof *answer ? answer->failure : ECHILD;
}

int gannet_sandbox_fork(int channel, gannet_sandbox_level level, int socket, int input, int output, pid_t *pid) {
    const request asked = {.kind = FORK, .level = level};
    const int passed[3] = {socket, input, output};
    reply answer = {0};
    const int failure = ask(channel, &asked, passed, &answer);
    *pid = answer.pid;
    return failure;
}

static void close_all(const int *descriptors, int count) {
    for (int index = 0; index < count; index++)
        if (descriptors[index] >= 0) close(descriptors[index]);
}

int gannet_sandbox_run(
    int channel, const char *words, size_t count, uint64_t memory, int input, int *output, int *messages, pid_t *pid) {
    request asked = {.kind = RUN, .level = GANNET_SANDBOX_PROGRAM, .memory = memory};
    if (count > sizeof asked.words) return E2BIG;
    memcpy(asked.words, words, count);
    // Opened again: the program gets a separate file offset, and no right to write.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    int ends[5] = {open(path, O_RDONLY | O_CLOEXEC), -1, -1, -1, -1};
    int failure = ends[0] < 0 || pipe2(ends + 1, O_CLOEXEC) != 0 || pipe2(ends + 3, O_CLOEXEC) != 0 ? errno : 0;
    if (failure == 0) {
        // Pixels are many: fewer turns between both processes. Without it the pipe is a smaller one.
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        const int passed[3] = {ends[0], ends[2], ends[4]};
        reply answer = {0};
        failure = ask(channel, &asked, passed, &answer);
        *pid = answer.pid;
    }
    if (failure != 0) {
        close_all(ends, 5);
        return failure;
    }
    const int given[3] = {ends[0], ends[2], ends[4]};
    close_all(given, 3);
    *output = ends[1];
    *messages = ends[3];
    return 0;
}

int gannet_sandbox_reap(int channel, pid_t pid, int kills, int *status) {
    const request asked = {.kind = REAP, .pid = pid, .kills = kills};
    reply answer = {0};
    const int failure = ask(channel, &asked, NULL, &answer);
    *status = answer.status;
    return failure;
}

// MARK: Memory of both sides

int gannet_sandbox_memory(void) {
    const int memory = memfd_create("gannet-sandbox", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0) return memory;
    const int error = errno;
    close(memory);
    errno = error;
    return -1;
}

void gannet_sandbox_forget(int memory, uint64_t bytes) {
    // A page of which only a part is given back stays.
    const uint64_t pages = (bytes + 0xffff) & ~UINT64_C(0xffff);
    fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)pages);
}
