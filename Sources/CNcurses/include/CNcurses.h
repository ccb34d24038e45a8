// The only sight of ncurses in the package. Swift sees neither its macros nor its mutable globals,
// so what the shell needs of them is offered here as functions.
#ifndef FLAGMENU_CNCURSES_H
#define FLAGMENU_CNCURSES_H

// The wide-character half of the library, on Linux and macOS alike.
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#include <ncurses.h>
#include <stdbool.h>
#include <stdint.h>

static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline WINDOW *cn_curscr(void) { return curscr; }
static inline int cn_lines(void) { return LINES; }
static inline int cn_columns(void) { return COLS; }
static inline int cn_color_pairs(void) { return COLOR_PAIRS; }
static inline int cn_colors(void) { return COLORS; }

static inline attr_t cn_bold(void) { return A_BOLD; }
static inline attr_t cn_dim(void) { return A_DIM; }
static inline attr_t cn_underline(void) { return A_UNDERLINE; }
static inline attr_t cn_reverse(void) { return A_REVERSE; }

static inline int cn_key_f(int number) { return KEY_F(number); }

// Reads the terminal's description without starting anything. Unlike initscr it neither prints nor exits.
// Returns false when there is none for `terminal_type`.
bool cn_load_description(const char *terminal_type, int descriptor);

// A string capability of the loaded description; NULL when the terminal lacks it.
const char *cn_capability(const char *name);

// newterm on standard input and output; false when the terminal cannot be driven.
bool cn_start(void);

// Frees what cn_start made. After endwin.
void cn_finish(void);

// Fills `cell` with one cluster of `count` scalars. Returns false when the C library does not give the cluster `width`
// columns: ncurses would then place everything after it elsewhere than we do.
bool cn_set_cell(cchar_t *cell, const uint32_t *scalars, int count, int width, attr_t attributes, short pair);

// The terminal's size as the kernel knows it; false when there is none. Both may be 0.
bool cn_window_size(int descriptor, int *rows, int *columns);

// Bytes that can be read without waiting; 0 at the end of input and when the terminal is gone.
int cn_pending_bytes(int descriptor);

// Takes the user's locale for characters and says whether it is UTF-8. Numbers and dates stay as in C: data is not
// written in anybody's locale.
bool cn_locale_is_utf8(void);

#endif
