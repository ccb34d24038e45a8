#define _GNU_SOURCE
#include "CNcurses.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <wchar.h>

bool cn_load_description(const char *terminal_type, int descriptor) {
    int status = 0;
    return setupterm((char *)terminal_type, descriptor, &status) == OK && status == 1;
}

const char *cn_capability(const char *name) {
    // tigetstr does not write to the name; its declaration is older than const.
    const char *value = tigetstr((char *)name);
    return value == (const char *)-1 ? NULL : value;
}

static SCREEN *screen;

bool cn_start(void) {
    fflush(stdout);
    screen = newterm(NULL, stdout, stdin);
    return screen != NULL;
}

void cn_finish(void) {
    delscreen(screen);
    screen = NULL;
}

bool cn_set_cell(cchar_t *cell, const uint32_t *scalars, int count, int width, attr_t attributes, short pair) {
    wchar_t text[CCHARW_MAX + 1] = {0};
    if (count < 1 || count > CCHARW_MAX) {
        return false;
    }
    for (int index = 0; index < count; index++) {
        text[index] = (wchar_t)scalars[index];
        if (wcwidth(text[index]) != (index == 0 ? width : 0)) {
            return false;
        }
    }
    return setcchar(cell, text, attributes, pair, NULL) == OK;
}

bool cn_window_size(int descriptor, int *rows, int *width) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
        return false;
    }
    *rows = size.ws_row;
    *width = size.ws_col;
    return true;
}

int cn_pending_bytes(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

bool cn_locale_is_utf8(void) {
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
