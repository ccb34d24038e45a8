// Lets what a signal would cut short be finished first: a change that is on the screen already, and not yet on disk.
#ifndef FLAGMENU_PENDING_WORK_H
#define FLAGMENU_PENDING_WORK_H

// Something begins, or ends, that is to be finished before the process ends. Any thread.
void pw_begin(void);
void pw_end(void);

// Returns when all of it has ended, or when it has had its time (two seconds). Async-signal-safe: the work goes on in
// other threads while a handler waits here.
void pw_await(void);

#endif
