#include "LineSignals.h"

#include "Ending.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int handled_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define COUNT (sizeof(handled_signals) / sizeof(handled_signals[0]))

static struct sigaction previous[COUNT];
static volatile sig_atomic_t wake_descriptor = -1;

static void wake(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // If the pipe is full, the reader is woken anyway.
    (void)!write(wake_descriptor, &byte, 1);
    errno = saved;
}

static void restore_handler(int number) {
    for (size_t index = 0; index < COUNT; index++) {
        if (handled_signals[index] == number) {
            sigaction(number, &previous[index], NULL);
        }
    }
}

// On a second request to end, restores the previous handler and raises the signal again, so that the parent process
// sees which signal ended this process. The signal stays pending until this handler returns.
static void note(int number) {
    int saved = errno;
    if (en_note(number)) {
        wake(number);
    } else {
        restore_handler(number);
        raise(number);
    }
    errno = saved;
}

// Line mode changes no terminal modes, so there is no need to restore any.
static void restore_nothing(void) {}

static void end_by_signal(int number) {
    restore_handler(number);
    kill(getpid(), number);
}

bool ls_install(int descriptor) {
    for (size_t index = 0; index < COUNT; index++) {
        if (sigaction(handled_signals[index], NULL, &previous[index]) == -1) {
            return false;
        }
    }
    if (!en_start(restore_nothing, end_by_signal)) {
        return false;
    }
    wake_descriptor = descriptor;
    for (size_t index = 0; index < COUNT; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = handled_signals[index] == SIGINT ? wake : note;
        sigfillset(&action.sa_mask);
        if (previous[index].sa_handler != SIG_IGN) {
            sigaction(handled_signals[index], &action, NULL);
        }
    }
    return true;
}

void ls_uninstall(void) {
    for (size_t index = 0; index < COUNT; index++) {
        sigaction(handled_signals[index], &previous[index], NULL);
    }
    en_stop();
    wake_descriptor = -1;
}

void ls_stop(void) {
    kill(0, SIGTSTP);
}
