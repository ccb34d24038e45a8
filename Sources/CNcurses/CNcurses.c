#define _GNU_SOURCE
#include "CNcurses.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
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
static FILE *output;

// Until a program has called endwin once, ncurses 6.4 flushes at each cursor movement: a frame takes a hundred writes,
// and a terminal shows it half drawn. This function therefore calls endwin immediately, while output is hidden from the
// terminal. The first refresh then switches to the screen in the same write as the first frame.
static void batch_output(void) {
    int null_device = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null_device != -1) {
        dup2(null_device, fileno(output));
        close(null_device);
        endwin();
        dup2(STDOUT_FILENO, fileno(output));
        fcntl(fileno(output), F_SETFD, FD_CLOEXEC);
    }
}

bool cn_start(void) {
    fflush(stdout);
    // Use the terminal's size. LINES and COLUMNS may be those of another window.
    use_env(FALSE);
    use_tioctl(TRUE);
    int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    output = descriptor == -1 ? NULL : fdopen(descriptor, "w");
    TERMINAL *loaded_before = cur_term;
    screen = output == NULL ? NULL : newterm(NULL, output, stdin);
    if (loaded_before != NULL && loaded_before != cur_term) {
        del_curterm(loaded_before);
    }
    if (screen == NULL) {
        cn_finish();
        return false;
    }
    batch_output();
    return true;
}

void cn_finish(void) {
    if (screen != NULL) {
        delscreen(screen);
        screen = NULL;
    }
    if (output != NULL) {
        fclose(output);
        output = NULL;
    }
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

// The name of the user's locale for characters; NULL if no variable sets it. POSIX has this order of the variables.
static const char *locale_name(void) {
    const char *variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int index = 0; index < 3; index++) {
        const char *value = getenv(variables[index]);
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return NULL;
}

static bool uses_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

cn_locale cn_set_locale(void) {
    const char *name = locale_name();
    cn_locale locale;
    setlocale(LC_CTYPE, "");
    locale.is_utf8 = name == NULL || uses_utf8() || strcasestr(name, "utf-8") != NULL || strcasestr(name, "utf8") != NULL;
    // The locale may not be installed, as in most containers. Every C library of today has one of these.
    const char *others[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"};
    for (int index = 0; index < 4 && locale.is_utf8 && !uses_utf8(); index++) {
        setlocale(LC_CTYPE, others[index]);
    }
    locale.is_installed = uses_utf8();
    locale.is_east_asian = name != NULL && (strncmp(name, "zh", 2) == 0 || strncmp(name, "ja", 2) == 0 || strncmp(name, "ko", 2) == 0);
    return locale;
}
