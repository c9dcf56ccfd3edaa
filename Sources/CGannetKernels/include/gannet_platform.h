// Calls of the system that Swift cannot make.
#ifndef GANNET_PLATFORM_H
#define GANNET_PLATFORM_H

/// Names the calling thread for debuggers and `top -H`; at most 15 bytes count.
void gannet_name_thread(const char *name);

#endif
