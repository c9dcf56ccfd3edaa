// libdeflate
#include <libdeflate.h>
