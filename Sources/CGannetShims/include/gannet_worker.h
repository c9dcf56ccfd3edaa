// A process of its own for a library that ends the process it is in for some pictures, or takes all of its memory.
//
// The process is this same program, started again: what is below main in it runs before main does, sees that it was started for this, and
// never comes to main. So nothing has to be installed beside a program for it.
#ifndef GANNET_WORKER_H
#define GANNET_WORKER_H

#include <stddef.h>
#include <stdint.h>

/// One such process. It ends by itself when the one that started it does.
typedef struct {
    int socket;
    /// A file in memory, of both processes.
    int memory;
    /// A descriptor of the process; -1 where the system has none.
    int process;
    int pid;
} gannet_worker;

/// `variable` names the library in the environment. 0, or the number of an error: ENOTSUP where this code is no part of the program itself
/// but of a library that it has loaded, and where the environment says off.
int gannet_worker_start(gannet_worker *worker, const char *variable);
void gannet_worker_end(gannet_worker *worker);
/// 1 if it is there and has nothing to do; 0 if it has ended.
int gannet_worker_waits(const gannet_worker *worker);
/// Sends `request` and waits for an answer of `size` bytes; `stop` is asked every 20 ms. 0; 1 where it was stopped; 2 where the worker is
/// no more. After the last two it is good for nothing but its end.
int gannet_worker_ask(
    const gannet_worker *worker, const void *request, size_t request_size, void *reply, size_t size, int (*stop)(void *),
    void *context);

// In the worker:

/// Where it finds what it shares with the process that started it.
enum { GANNET_WORKER_SOCKET = 3, GANNET_WORKER_MEMORY = 4 };

/// Returns at once unless this process was started as a worker of that name. Then it answers requests of `size` bytes until there is
/// nobody any more who asks, and ends the process; `carry_out` writes its answer, and says how long it is. Nothing is written about an end that
/// a fault of the library brings.
void gannet_worker_serve(
    const char *variable, void *request, size_t size, const void *reply, size_t (*carry_out)(void *), void *context);
/// So many bytes beside those that it has.
void gannet_worker_allow_memory(uint64_t bytes);

#endif
