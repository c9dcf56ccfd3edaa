#include "gannet_platform.h"
#include <sys/prctl.h>

void gannet_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
