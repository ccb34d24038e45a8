// Ends the process on SIGTERM, SIGHUP or SIGINT: the handler notes the signal and wakes the loop, which then ends as if
// the user had quit. If the loop does not end in time, a watching thread ends the process.
#ifndef FLAGMENU_ENDING_H
#define FLAGMENU_ENDING_H

#include <stdbool.h>

// Starts the watching thread and clears the noted signal. `give_back` restores the terminal; it is called by a signal
// handler or by the watching thread, possibly more than once. `end` ends the process by a signal, or calls the handler
// that was installed before. Only one watching thread can run at a time. Returns false if the process has no descriptor
// or thread left.
bool en_start(void (*give_back)(void), void (*end)(int signal_number));

// Ends the watching thread. Remove the signal handlers first.
void en_stop(void);

// Notes a signal that requests an end; called by signal handlers. Returns false on a second request, or without a
// watching thread: the handler must then restore the terminal and end the process immediately.
bool en_note(int signal_number);

// The noted signal; 0 if there is none.
int en_noted(void);

// Returns the noted signal, or 0, and forgets it.
int en_take(void);

// Reports that the loop is ending. A loop that does not report within a second is stuck. Then the watching thread
// restores the terminal, and ends the process when pending work is done.
void en_acknowledge(void);

#endif
