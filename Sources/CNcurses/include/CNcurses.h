// The only sight of ncurses in the package. Swift sees neither its macros nor its mutable globals,
// so what the shell needs of them is offered here as inline functions.
#ifndef FLAGMENU_CNCURSES_H
#define FLAGMENU_CNCURSES_H

#if defined(__linux__)
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#include <ncurses.h>

static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline int cn_lines(void) { return LINES; }
static inline int cn_columns(void) { return COLS; }

#endif
