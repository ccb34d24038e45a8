// Lets a program that talks in lines leave properly when it is asked to: with what it was saving saved.
#ifndef FLAGMENU_LINE_SIGNALS_H
#define FLAGMENU_LINE_SIGNALS_H

#include <stdbool.h>

// From now on SIGINT is written, as one byte (its number), to `wake`, which must not block; also interrupts a poll.
// SIGTERM and SIGHUP are noted (Ending.h), and wake too. Leaves each of them alone that was ignored at the start, as for a
// job in the background. One at a time.
bool ls_install(int wake);

// Puts back what was there before.
void ls_uninstall(void);

// Stops the whole job as the terminal does for Ctrl-Z; returns when it is continued.
void ls_stop(void);

#endif
