#include "LineSignals.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static struct sigaction previous;
static volatile sig_atomic_t wake_descriptor = -1;

static void wake(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe wakes the reader just as well.
    (void)!write(wake_descriptor, &byte, 1);
    errno = saved;
}

bool ls_install(int descriptor) {
    if (sigaction(SIGINT, NULL, &previous) == -1) {
        return false;
    }
    if (previous.sa_handler == SIG_IGN) {
        return true;
    }
    wake_descriptor = descriptor;
    struct sigaction action = {.sa_handler = wake};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGINT, &action, NULL) == 0;
}

void ls_uninstall(void) {
    sigaction(SIGINT, &previous, NULL);
    wake_descriptor = -1;
}

void ls_stop(void) {
    kill(0, SIGTSTP);
}
