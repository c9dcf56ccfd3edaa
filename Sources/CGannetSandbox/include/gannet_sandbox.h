// Processes that decode and can do nothing else.
//
//     program ── starts ──> zygote ── forks ──> worker, worker, …
//                                  └─ forks ──> what becomes a program of the system, for one file
//
// The zygote is this same program, started again while it is small: code that runs before main sees what it was started for and
// never reaches main. It has one thread and of libraries only loads plugins, so that a fork of it is quick and safe. A worker is
// confined before it sees the first byte of an image; it ends when the zygote ends, and the zygote ends when the program does.
#ifndef GANNET_SANDBOX_H
#define GANNET_SANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The rights of a worker besides computing on its own memory.
typedef enum {
    /// No file at all.
    GANNET_SANDBOX_STRICT = 0,
    /// Reads fonts and their configuration.
    GANNET_SANDBOX_FONTS = 1,
    /// Becomes one program of the system, and reads also libraries. Fonts of a user are none of its business.
    GANNET_SANDBOX_PROGRAM = 2,
} gannet_sandbox_level;

/// The descriptors of a worker; it has no others.
enum { GANNET_SANDBOX_SOCKET = 3, GANNET_SANDBOX_INPUT = 4, GANNET_SANDBOX_OUTPUT = 5 };

// MARK: In the program

/// Starts the zygote. Returns 0, its channel, its number and a pidfd, or an error number: ENOTSUP if this code belongs to a library that was loaded
/// later, because the started program would then run its main.
int gannet_sandbox_zygote_start(int *channel, pid_t *pid, int *process);
/// Ends the zygote and with it all of its workers, and waits for it.
void gannet_sandbox_zygote_end(int channel, int process);
/// Forks a worker that gets these three descriptors; the caller keeps its own. Returns 0 or an error number.
int gannet_sandbox_fork(int channel, gannet_sandbox_level level, int socket, int input, int output, pid_t *pid);
/// Forks a process that becomes a program of the system: `words` are its path and at most 30 arguments, each ended by a zero, in
/// GANNET_SANDBOX_WORDS bytes. Its environment is empty, it may use `memory` bytes of address space, and it reads the file in memory
/// `input` from its beginning, but cannot change it. The caller owns the two pipes: what the program writes, and its messages. Those
/// begin with what a worker sends first. Returns 0 or an error number.
int gannet_sandbox_run(
    int channel, const char *words, size_t count, uint64_t memory, int input, int *output, int *messages, pid_t *pid);
enum { GANNET_SANDBOX_WORDS = 512 };
/// Waits for the end of a worker. Kills it at once if `kills`, else after a tenth of a second. Returns 0 and the status of waitpid,
/// or an error number.
int gannet_sandbox_reap(int channel, pid_t pid, int kills, int *status);

/// Limits the address space that a worker may use in addition to `base` bytes. Returns 0 or an error number.
int gannet_sandbox_limit(pid_t pid, uint64_t base, uint64_t memory);

/// A file in memory that cannot shrink: neither side can be made to fault by the other. Returns -1 with errno.
int gannet_sandbox_memory(void);
/// Frees the pages of the file, whose size stays. Both sides then read zeros.
void gannet_sandbox_forget(int memory, uint64_t bytes);

/// The features that this kernel lacks for a sandbox: 0, or bits of the enumeration below.
unsigned gannet_sandbox_missing(void);
enum { GANNET_SANDBOX_NO_SECCOMP = 1, GANNET_SANDBOX_NO_LANDLOCK = 2 };

// MARK: In the worker

/// From now on memory of this process' heap is filled with a byte when it is freed, and with the complement when it is given out
/// again. Pieces below about 1 KiB are not.
void gannet_sandbox_fill_memory(void);
#define GANNET_SANDBOX_FILL 0xA5

/// Keeps the coders from starting further processes, which a worker may not.
void gannet_sandbox_forbid_workers(void);
/// Gives up everything but memory and the three descriptors, for good. Returns 0, or what failed: an error number. EBUSY: the
/// process has a second thread, which would keep all its rights. `program` is the path for GANNET_SANDBOX_PROGRAM.
int gannet_sandbox_confine(gannet_sandbox_level level, const char *program);
/// Bytes of address space that this process has.
uint64_t gannet_sandbox_address_space(void);

/// Loads plugins that any worker may need, once, in the zygote. Starts no thread. Written in Swift.
void gannet_sandbox_load(void);
/// Loads what libraries of this level load when they are first used, before that is forbidden. On constant data. The threads that
/// they start have ended when it returns, or end soon. Written in Swift.
void gannet_sandbox_prepare(gannet_sandbox_level level);
/// The work: reads requests from the socket until it is closed. Written in Swift.
void gannet_sandbox_serve(gannet_sandbox_level level);

#endif
