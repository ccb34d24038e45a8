// Work that must finish before the process ends: saving a change that is on the screen but not yet on disk.
#ifndef FLAGMENU_PENDING_WORK_H
#define FLAGMENU_PENDING_WORK_H

#include <stdbool.h>

// The maximum wait for pending work when the process ends, in milliseconds.
extern const int pw_timeout_ms;

// Mark the start and the end of pending work. May be called on any thread.
void pw_begin(void);
void pw_end(void);

// Returns whether no work is pending.
bool pw_is_done(void);

// Waits until no work is pending, but at most pw_timeout_ms. Returns whether all work is done. Must not be called in a
// signal handler: the interrupted thread could hold a lock that the work needs, such as the allocator's lock.
bool pw_await(void);

#endif
