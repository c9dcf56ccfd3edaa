// What a broken or hostile decoder does.
#ifndef SANDBOX_FAULTS_H
#define SANDBOX_FAULTS_H

#include <stddef.h>
#include <stdint.h>

/// In the order of `Fault` in the tests.
typedef enum {
    FAULT_NULL_WRITE = 1,
    FAULT_STACK_OVERFLOW,
    FAULT_HEAP_OVERFLOW,
    FAULT_ENDLESS_LOOP,
    FAULT_ALLOCATION,
    FAULT_EXIT,
    FAULT_ABORT,
    FAULT_UNASKED_MESSAGE,
    FAULT_SILENT_MESSAGE_FLOOD,
    FAULT_THREADS,
} sandbox_fault;

void sandbox_fault_commit(sandbox_fault fault);

/// What a worker must not be able to do.
typedef enum {
    TRY_OPEN = 1,
    TRY_CREATE,
    TRY_READ_PROC,
    TRY_SOCKET,
    TRY_UNIX_SOCKET,
    TRY_FORK,
    TRY_VFORK,
    TRY_EXEC,
    TRY_MAP_EXECUTABLE,
    TRY_MAKE_EXECUTABLE,
    TRY_SIGNAL_PARENT,
    TRY_SIGNAL_ALL,
    TRY_PTRACE,
    TRY_UNLINK,
    TRY_RAISE_LIMIT,
    TRY_DUPLICATE,
    TRY_GROW_MEMORY,
    TRY_NAMESPACE,
    TRY_IO_URING,
    TRY_KEYRING,
    TRY_BPF,
    TRY_SEND_DESCRIPTOR,
} sandbox_try;

/// 0 if the worker was allowed to do it, otherwise the error number.
int sandbox_try_it(sandbox_try what);

/// Whether this program has AddressSanitizer, which has a heap of its own.
int sandbox_is_sanitized(void);
/// Leaves the byte in 64 KiB of freed memory.
void sandbox_spill(uint8_t byte);
/// A byte of 64 KiB of new memory that nobody has written.
uint8_t sandbox_unwritten(void);

/// Keeps a number for the next call, and returns that of the call before; its own in the first call.
uint8_t sandbox_exchange(uint8_t number);

#endif
