// Waits for a program that has the terminal, such as an editor, however it stops or ends.
#ifndef FLAGMENU_CHILD_WAIT_H
#define FLAGMENU_CHILD_WAIT_H

#include <sys/types.h>

// Waits for the end of a child that has the terminal, such as an editor.
//
// When the child is stopped, so is this process, that the shell may take the terminal; both go on together. Where no
// shell could ever continue them, the child goes on at once. SIGTERM and SIGHUP are passed on to the child.
//
// Returns 0 when the child has ended and its status is in `status`; -1 when nothing is known of it any more; else the
// signal that asked this process to end, for the caller to raise once it has tidied up.
int cw_wait(pid_t child, int *status);

#endif
