// libavif
#include <avif/avif.h>
