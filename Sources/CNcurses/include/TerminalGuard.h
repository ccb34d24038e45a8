// Gives the terminal back on every way out that a process can see. ncurses does so for SIGINT and SIGTERM only.
//
// Everything that runs inside a signal handler is in TerminalGuard.c and calls async-signal-safe functions only.
#ifndef FLAGMENU_TERMINAL_GUARD_H
#define FLAGMENU_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

// Remembers the terminal's modes and the bytes that undo what a full-screen program switches on, and installs the signal
// handlers. Call before the terminal is changed. SIGWINCH, SIGTSTP and SIGCONT are written, one byte each (the
// signal's number), to `wake`, which must not block; so are SIGTERM, SIGHUP and SIGINT, which are noted besides
// (Ending.h).
// Returns false, with errno set, when `terminal` is none.
bool tg_install(int terminal, int wake, const char *restore, size_t length);

// Puts back the signal handlers that were there before tg_install.
void tg_uninstall(void);

// Says whether the terminal is ours (so that dying must give it back) or given back already.
void tg_set_active(bool is_active);

// Gives the terminal back as dying does: in bounded time, also where the terminal takes no output, and not at all where
// it is given back already or somebody else's.
void tg_give_back(void);

// Sets the terminal's modes as they were at tg_install. Nothing waits for output to drain.
void tg_restore_modes(void);

// Stops this job as the terminal would for Ctrl-Z, or only this process. Returns when it is continued, in the foreground
// unless it was asked to end meanwhile.
void tg_stop(bool is_whole_job);

// Whether this job has the terminal; true also when the terminal is not the one that controls this process.
bool tg_is_foreground(void);

// Stops again when the job was continued in the background, as reading from the terminal would. Returns when it has the
// terminal, when it is asked to end, or when no shell is there to give it.
void tg_wait_for_foreground(void);

// While another program has the terminal, keys that signal are its own affair; and the job stops with it.
void tg_begin_outside(void);
void tg_end_outside(void);

#endif
