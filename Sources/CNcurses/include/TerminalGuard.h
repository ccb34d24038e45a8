// Restores the terminal however the process ends. ncurses restores it only on SIGINT and SIGTERM.
//
// All code that runs inside signal handlers is in TerminalGuard.c and calls only async-signal-safe functions.
#ifndef FLAGMENU_TERMINAL_GUARD_H
#define FLAGMENU_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

// Saves the terminal's modes and the bytes `restore`, which turn off the modes of a full-screen program, and installs
// signal handlers. Call this before changing the terminal. The handlers of SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP
// and SIGINT write the signal's number as one byte to the descriptor `wake`, which must not block. SIGTERM, SIGHUP and
// SIGINT are also noted (Ending.h). Returns false, with errno set, if `terminal` is not a terminal.
bool tg_install(int terminal, int wake, const char *restore, size_t length);

// Restores the signal handlers that were installed before tg_install.
void tg_uninstall(void);

// Sets whether the process must restore the terminal when it ends.
void tg_set_active(bool is_active);

// Restores the terminal when the process ends. Takes a limited time even if the terminal does not accept output. Does
// nothing if the terminal is already restored or belongs to another job.
void tg_give_back(void);

// Restores the modes that tg_install saved, without waiting for output to drain.
void tg_restore_modes(void);

// Suspends the whole job as Ctrl-Z does, or only this process. Returns when the process is continued in the foreground,
// or when an end is requested.
void tg_stop(bool is_whole_job);

// Returns whether this job has the terminal; also true if the terminal does not control this process.
bool tg_is_foreground(void);

// Stops the process if its job is in the background, as reading the terminal would. Returns when the job has the
// terminal, when an end is requested, or if there is no shell.
void tg_wait_for_foreground(void);

// Call these before and after another program uses the terminal. In between, SIGINT and SIGQUIT do not end this
// process, and SIGTSTP stops it.
void tg_begin_outside(void);
void tg_end_outside(void);

#endif
