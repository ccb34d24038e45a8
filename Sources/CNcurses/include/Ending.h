// Being asked to end, by SIGTERM, SIGHUP or SIGINT: the handler takes a note and wakes the loop, which ends by itself, as
// it does when its user leaves. A thread beside the loop sees to it that this happens.
#ifndef FLAGMENU_ENDING_H
#define FLAGMENU_ENDING_H

#include <stdbool.h>

// Begins to watch, and forgets what was noted before. `give_back` gives the terminal back, in a handler or in the
// watching thread, as often as it is called. `end` ends the process by a signal, or does what was planned for it
// before. One at a time. Returns false when there is no descriptor or no thread left.
bool en_start(void (*give_back)(void), void (*end)(int signal_number));

// Ends the watch. The handlers must be gone by then.
void en_stop(void);

// For handlers. Takes a note of a signal that asks for an end; returns false when somebody insists, or when nobody
// watches: the handler then gives the terminal back and ends the process at once.
bool en_note(int signal_number);

// Which signal was noted; 0 while there was none, or once it was taken.
int en_noted(void);
int en_take(void);

// Tells that the loop is ending. One that does not tell within a second is stuck: then the terminal is given back
// without it, and the process ends once pending work is done.
void en_answer(void);

#endif
