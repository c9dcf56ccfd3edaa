// zlib
#include <zlib.h>
