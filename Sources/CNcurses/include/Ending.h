// Ends the process on SIGTERM, SIGHUP or SIGINT. The handler notes the signal and wakes the loop, which then ends as if
// the user had quit. If the loop does not end in time, a watching thread ends the process.
#ifndef FLAGMENU_ENDING_H
#define FLAGMENU_ENDING_H

#include <stdbool.h>

// Starts the watching thread and clears the noted signal. `give_back` restores the terminal. A signal handler or the
// watching thread calls it, possibly more than once. `end` ends the process by a signal, or calls the handler that was
// installed before. Only one watching thread can run at a time. Returns false if the process has no descriptor or
// thread left.
bool en_start(void (*give_back)(void), void (*end)(int signal_number));

// Ends the watching thread. The caller must remove the signal handlers first.
void en_stop(void);

// Notes a signal that requests an end. Signal handlers call this. Returns false on a second request or if no watching
// thread runs: the handler must then restore the terminal and end the process immediately.
bool en_note(int signal_number);

// The noted signal; 0 if no signal was noted.
int en_noted(void);

// Returns the noted signal, or 0, and clears it.
int en_take(void);

// Reports that the loop is ending. A loop that does not report this within a second is stuck. Then the watching thread
// restores the terminal, and ends the process after pending work is done.
void en_acknowledge(void);

#endif
