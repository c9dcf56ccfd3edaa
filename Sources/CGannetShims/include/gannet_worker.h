// A separate process for a library that terminates its process for some images, or uses up its memory.
//
// The process is this same program, started again. Code that runs before main sees that the process was started as a worker, and
// never reaches main. So a program needs no second executable.
#ifndef GANNET_WORKER_H
#define GANNET_WORKER_H

#include <stddef.h>
#include <stdint.h>

/// One worker process. It ends automatically when the process that started it ends.
typedef struct {
    int socket;
    /// A file in memory that both processes share.
    int memory;
    /// A pidfd of the process; -1 if the system has none.
    int process;
    int pid;
} gannet_worker;

/// `variable` names the library in the environment. Returns 0 or an error number: ENOTSUP if this code belongs to a loaded
/// library and not to the program itself, or if the variable is `off`.
int gannet_worker_start(gannet_worker *worker, const char *variable);
void gannet_worker_end(gannet_worker *worker);
/// 1 if the worker is alive and idle; 0 if it has ended.
int gannet_worker_waits(const gannet_worker *worker);
/// Sends `request` and waits for a reply of `size` bytes; calls `stop` every 20 ms. Returns 0; 1 if it was stopped; 2 if the
/// worker has ended. After 1 and 2 the worker can only be ended.
int gannet_worker_ask(
    const gannet_worker *worker, const void *request, size_t request_size, void *reply, size_t size, int (*stop)(void *),
    void *context);

// In the worker:

/// The descriptors that the worker shares with the process that started it.
enum { GANNET_WORKER_SOCKET = 3, GANNET_WORKER_MEMORY = 4 };

/// Returns at once unless this process was started as a worker of that name. Otherwise answers requests of `size` bytes until the
/// other side closes the connection, then ends the process. `carry_out` writes the reply and returns its length. If a fault in
/// the library ends the process, no core file is written.
void gannet_worker_serve(
    const char *variable, void *request, size_t size, const void *reply, size_t (*carry_out)(void *), void *context);
/// Allows this many bytes of memory beyond what the process uses now.
void gannet_worker_allow_memory(uint64_t bytes);

#endif
