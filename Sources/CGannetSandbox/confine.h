#ifndef GANNET_SANDBOX_CONFINE_H
#define GANNET_SANDBOX_CONFINE_H

#include "gannet_sandbox.h"

/// Installs the list of system calls. Returns 0 or an error number.
int gannet_sandbox_filter(gannet_sandbox_level level);
int gannet_sandbox_has_filter(void);

#endif
