// The C libraries of this build and their versions.
#ifndef GANNET_LIBRARIES_H
#define GANNET_LIBRARIES_H

#include <stddef.h>

typedef struct {
    char name[32];
    char version[32];
} gannet_library;

/// Fills at most `room` entries, sorted by name, and returns their number; 32 are enough for every trait. The versions are
/// queried at run time, except those of libdeflate and libjpeg-turbo, which are from the build.
size_t gannet_libraries(gannet_library *entries, size_t room);

#endif
