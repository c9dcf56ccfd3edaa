#include <string.h>

#include "gannet_jpeg_shrink.h"

size_t gannet_jpeg_pass_markers(const uint8_t *bytes, size_t count, size_t markers) {
    const uint8_t *at = bytes, *end = bytes + count;
    for (size_t passed = 0; passed < markers;) {
        at = memchr(at, 0xFF, (size_t)(end - at));
        if (at == NULL || end - at < 2) return 0;
        if (at[1] == 0xFF) {
            at++;
            continue;
        }
        if (at[1] != 0) {
            if (at[1] != 0xD0 + (passed & 7)) return 0;
            passed++;
        }
        at += 2;
    }
    return (size_t)(at - bytes);
}
