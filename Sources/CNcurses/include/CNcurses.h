// The only file that includes ncurses. Swift cannot import the macros and mutable globals of ncurses, so this file has
// functions for those that TerminalShell needs.
#ifndef FLAGMENU_CNCURSES_H
#define FLAGMENU_CNCURSES_H

// Enables the wide-character functions, on Linux and macOS.
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

// Loads the terminal's description without printing or exiting, unlike initscr. Returns false if `terminal_type` has no
// description.
bool cn_load_description(const char *terminal_type, int descriptor);

// A string capability of the loaded description; NULL if the terminal does not have it.
const char *cn_capability(const char *name);

// Calls newterm on standard input and output. Returns false if the terminal is not supported.
bool cn_start(void);

// Frees the memory of cn_start. Call after endwin.
void cn_finish(void);

// Fills `cell` with one grapheme cluster of `count` scalars. Returns false if the cluster is not `width` columns wide
// according to the C library, because ncurses would then misplace everything after the cell.
bool cn_set_cell(cchar_t *cell, const uint32_t *scalars, int count, int width, attr_t attributes, short pair);

// Gets the terminal's size from the kernel; 0 x 0 if the size is not known. Returns false if `descriptor` is not a
// terminal.
bool cn_window_size(int descriptor, int *rows, int *columns);

// The number of bytes that can be read without waiting; 0 at the end of input or if the terminal is closed.
int cn_pending_bytes(int descriptor);

// What the user's locale says about characters.
typedef struct {
    // Whether characters are UTF-8: the locale says so, or none is named.
    bool is_utf8;
    // Whether the C library, and so ncurses, uses UTF-8 now.
    bool is_installed;
    // Whether the language is Chinese, Japanese or Korean, whose fonts may draw symbols two cells wide.
    bool is_east_asian;
} cn_locale;

// Sets the user's locale for characters, or another one of UTF-8 if the user's is UTF-8 but not installed, or if none is
// named. Numbers and dates stay in the C locale, because files must not depend on the user's locale.
cn_locale cn_set_locale(void);

#endif
