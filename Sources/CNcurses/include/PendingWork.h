// Lets what an end would cut short be finished first: a change that is on the screen already, and not yet on disk.
#ifndef FLAGMENU_PENDING_WORK_H
#define FLAGMENU_PENDING_WORK_H

#include <stdbool.h>

// How long an end waits for pending work at most, in milliseconds.
extern const int pw_patience_ms;

// Something begins, or ends, that is to be finished before the process ends. Any thread.
void pw_begin(void);
void pw_end(void);

// Whether all of it has ended.
bool pw_is_done(void);

// Returns when all of it has ended, or when it has had its time; tells which. Not for handlers: whoever is interrupted
// could hold what the work waits for, such as the allocator's lock.
bool pw_await(void);

#endif
