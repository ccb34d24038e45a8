// Waits for a child process that has the terminal, such as an editor.
#ifndef FLAGMENU_CHILD_WAIT_H
#define FLAGMENU_CHILD_WAIT_H

#include <sys/types.h>

// Holds back SIGTERM and SIGHUP for this thread until cw_wait can forward them to the child, or until
// cw_release_signals. Call it before the child starts: a signal in between would end this process without its cleanup,
// and leave the child running.
void cw_hold_signals(void);

// Lets held signals through; does nothing if none are held.
void cw_release_signals(void);

// Waits until `child` ends. Releases held signals once it can forward them.
//
// If the child is stopped, this process stops too, so that the shell gets the terminal. Both are continued together. If
// no shell can continue them, the child is continued immediately. SIGTERM and SIGHUP are forwarded to the child.
//
// Returns 0 if the child has ended, with the child's status in `status`; -1 if `child` is not a child of this process;
// otherwise the signal that requested the end of this process. The caller must raise this signal after its cleanup.
int cw_wait(pid_t child, int *status);

#endif
