// Work that is finished before the process ends: a change that is on the screen but not yet on disk.
#ifndef FLAGMENU_PENDING_WORK_H
#define FLAGMENU_PENDING_WORK_H

#include <stdbool.h>

// The longest wait for pending work when the process ends, in milliseconds.
extern const int pw_timeout_ms;

// Marks the start and the end of pending work. Any thread may call them.
void pw_begin(void);
void pw_end(void);

// Whether there is no pending work.
bool pw_is_done(void);

// Waits until there is no pending work, at most pw_timeout_ms; returns whether all work is done. Do not call in a
// signal handler: the interrupted thread could hold a lock that the work needs, such as the allocator's.
bool pw_await(void);

#endif
