// Calls of the system that Swift cannot make.
#ifndef GANNET_PLATFORM_H
#define GANNET_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

/// Names the calling thread for debuggers and `top -H`; at most 15 bytes count.
void gannet_name_thread(const char *name);

/// Processors that a thread may run on (its affinity): of the calling thread, or with 0 of the main one. Where the system does not say, those that
/// are online.
int gannet_allowed_processors(int of_this_thread);

/// Opens a file for reading, following no link at the end of the path, as far as that needs no waiting: -1 where a part of the way is
/// not in the kernel's memory (EAGAIN), where the kernel is older than 5.12, and for every other reason.
int gannet_open_in_memory(const char *path);

/// The fields of stat(2) that are used here, in its units.
struct gannet_file_status {
    uint32_t mode;
    uint64_t size, inode, device;
    int64_t modified_seconds, modified_nanoseconds;
};

/// Fills in the status of the file at the path, links followed, if that needs no waiting. -1 if a part of the path is not in the
/// kernel's memory, if the kernel is older than 5.12, and for every other reason. For files on another machine, or served by
/// another process, the values may be older than those of stat(2).
int gannet_status_in_memory(const char *path, struct gannet_file_status *status);

/// Non-zero if the path is on one of the common file systems that no other machine and no other process changes or serves.
int gannet_is_on_this_machine(const char *path);

/// Creates a file in the folder that is locked (flock) before it gets its name, so that it is never visible unlocked. -1 if the
/// file exists (EEXIST), if the file system or the kernel has no files without a name (O_TMPFILE), and for every other reason.
int gannet_make_locked(const char *folder, const char *path);

/// Reads two pieces in sequence, with one system call. Unless it `waits`, it only reads what is in the kernel's memory: fewer
/// bytes if some are missing, -1 if all are or if the file system does not tell.
ptrdiff_t gannet_read_pieces(int file, void *first, size_t first_count, void *second, size_t second_count, size_t offset, int waits);

/// The value of an extended attribute of the file at the path, links followed: its length, or -1 if there is none, if it is longer than
/// `count`, and for every other reason.
ptrdiff_t gannet_get_attribute(const char *path, const char *name, void *value, size_t count);

/// Sets an extended attribute, links followed. Nothing happens where it cannot be set.
void gannet_set_attribute(const char *path, const char *name, const void *value, size_t count);

/// Opens a folder as a place to begin at, not for reading. -1 if it is none.
int gannet_open_folder(const char *path);

/// Opens what is at a relative path below the folder, for reading. Links are followed as long as they stay below it; -1 with EXDEV
/// where a link, or `..`, leaves it, and with ELOOP for the links of /proc to open files. Waits for no FIFO. Where the system has no
/// openat2(2) (ENOSYS, or EPERM by a filter), this is `gannet_walk_beneath`.
int gannet_open_beneath(int folder, const char *path);

/// The same for systems without openat2(2): follows no link at all (ENOTDIR or ELOOP), and takes no empty name, `.` or `..`.
int gannet_walk_beneath(int folder, const char *path);

/// At most so many arenas of malloc, each of which keeps what was freed in it. Before there are threads. Does nothing for other C
/// libraries than glibc, whose default is eight for each processor.
void gannet_limit_arenas(int count);

/// Pieces of this many bytes and more go back to the system when they are freed. Without this, glibc raises its limit to 32 MiB as soon as
/// such pieces are freed, and keeps those below it. Does nothing for other C libraries.
void gannet_map_large_pieces(int size);

/// Gives the freed pages of all arenas back to the system. Takes milliseconds for each 100 MiB; does nothing for other C libraries.
void gannet_return_freed_memory(void);

/// The kernel ends the process (SIGXCPU) when it has used so many seconds of processor time since its start, unless it ignores the
/// signal.
void gannet_limit_processor_time(int pid, uint64_t seconds);

#endif
