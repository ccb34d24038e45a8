#include "LineSignals.h"

#include "Ending.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int taken[] = {SIGINT, SIGTERM, SIGHUP};
#define COUNT (sizeof(taken) / sizeof(taken[0]))

static struct sigaction previous[COUNT];
static volatile sig_atomic_t wake_descriptor = -1;

static void wake(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe wakes the reader just as well.
    (void)!write(wake_descriptor, &byte, 1);
    errno = saved;
}

static void reinstate(int number) {
    for (size_t index = 0; index < COUNT; index++) {
        if (taken[index] == number) {
            sigaction(number, &previous[index], NULL);
        }
    }
}

// Sent again where somebody insists, so that the parent sees the true cause; it arrives when this handler returns.
static void note(int number) {
    int saved = errno;
    if (en_note(number)) {
        wake(number);
    } else {
        reinstate(number);
        raise(number);
    }
    errno = saved;
}

static void give_nothing_back(void) {}

static void end(int number) {
    reinstate(number);
    kill(getpid(), number);
}

bool ls_install(int descriptor) {
    for (size_t index = 0; index < COUNT; index++) {
        if (sigaction(taken[index], NULL, &previous[index]) == -1) {
            return false;
        }
    }
    if (!en_start(give_nothing_back, end)) {
        return false;
    }
    wake_descriptor = descriptor;
    for (size_t index = 0; index < COUNT; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = taken[index] == SIGINT ? wake : note;
        sigfillset(&action.sa_mask);
        if (previous[index].sa_handler != SIG_IGN) {
            sigaction(taken[index], &action, NULL);
        }
    }
    return true;
}

void ls_uninstall(void) {
    for (size_t index = 0; index < COUNT; index++) {
        sigaction(taken[index], &previous[index], NULL);
    }
    en_stop();
    wake_descriptor = -1;
}

void ls_stop(void) {
    kill(0, SIGTSTP);
}
