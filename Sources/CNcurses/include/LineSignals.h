// Signals in line mode: the program finishes its saves before it ends.
#ifndef FLAGMENU_LINE_SIGNALS_H
#define FLAGMENU_LINE_SIGNALS_H

#include <stdbool.h>

// Installs handlers for SIGINT, SIGTERM and SIGHUP. Each signal interrupts a poll and writes its number as one byte to
// the descriptor `wake`, which must not block. SIGTERM and SIGHUP are also noted (Ending.h). A signal that was ignored
// at the start stays ignored, as in a background job. Call ls_uninstall before installing again.
bool ls_install(int wake);

// Restores the previous handlers.
void ls_uninstall(void);

// Stops the whole job as Ctrl-Z does; returns when it is continued.
void ls_stop(void);

#endif
