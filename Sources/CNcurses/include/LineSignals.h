// Signals in line mode: the program finishes its saves before it ends.
#ifndef FLAGMENU_LINE_SIGNALS_H
#define FLAGMENU_LINE_SIGNALS_H

#include <stdbool.h>

// Installs handlers for SIGINT, SIGTERM and SIGHUP. Each signal interrupts a poll and writes its number as one byte to
// the descriptor `wake`, which must not block. SIGTERM and SIGHUP are also noted (Ending.h). A signal that was ignored
// at the start, as in a background job, stays ignored. Call ls_uninstall before calling this again.
bool ls_install(int wake);

// Restores the previous handlers.
void ls_uninstall(void);

// Suspends the whole job as Ctrl-Z does, and returns when the job is continued.
void ls_stop(void);

#endif
