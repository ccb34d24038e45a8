#include "ChildWait.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// How long a child that was asked to end may take for it.
static const int patience_ms = 1000;
// How long a stop of the whole job takes to be over for each of its processes.
static const int settling_ms = 100;
// A child that is stopped again and again, where no shell could continue it, waits for a terminal that it will not get.
static const int most_tries = 16;

static const int passed_on[] = {SIGTERM, SIGHUP};
#define COUNT (sizeof(passed_on) / sizeof(passed_on[0]))

static volatile pid_t waited_for;
static volatile sig_atomic_t caught;

static void end(pid_t child) {
    kill(child, SIGTERM);
    kill(child, SIGCONT);
}

static void pass_on(int signal_number) {
    int saved_errno = errno;
    caught = signal_number;
    end(waited_for);
    errno = saved_errno;
}

static void rest(int milliseconds) {
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (milliseconds % 1000) * 1000000L};
    nanosleep(&time, NULL);
}

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

// Whether a child that was told to be stopped still is, and whether it has ended meanwhile.
static bool is_still_stopped(pid_t child, int *status, bool *has_ended) {
    rest(settling_ms);
    int later = 0;
    pid_t answer = waitpid(child, &later, WNOHANG | WUNTRACED | WCONTINUED);
    *has_ended = answer == child && (WIFEXITED(later) || WIFSIGNALED(later));
    if (*has_ended) {
        *status = later;
    }
    return !*has_ended && !(answer == child && WIFCONTINUED(later));
}

// Stops this process as its child was; tells whether anything came of it.
static bool stop_along(void) {
    long before = now_ms();
    raise(SIGTSTP);
    return now_ms() - before > 20;
}

static int wait_for_end(pid_t child, int *status) {
    int tries = 0;
    while (true) {
        pid_t answer = waitpid(child, status, WUNTRACED);
        if (caught) {
            bool is_over = answer == child && !WIFSTOPPED(*status);
            for (int waited = 0; !is_over && waited < patience_ms; waited += 10) {
                rest(10);
                is_over = waitpid(child, status, WNOHANG) != 0;
            }
            return caught;
        }
        if (answer == -1) {
            if (errno == EINTR) {
                continue;
            }
            return -1;
        }
        if (!WIFSTOPPED(*status)) {
            return 0;
        }
        // With Ctrl-Z both were stopped, and the news of it comes when both go on already.
        bool has_ended = false;
        if (is_still_stopped(child, status, &has_ended)) {
            tries = stop_along() ? 0 : tries + 1;
            if (tries > most_tries) {
                end(child);
            }
            kill(child, SIGCONT);
        } else if (has_ended) {
            return 0;
        }
    }
}

int cw_wait(pid_t child, int *status) {
    struct sigaction previous[COUNT];
    bool is_taken[COUNT];
    waited_for = child;
    caught = 0;
    for (size_t index = 0; index < COUNT; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = pass_on;
        sigemptyset(&action.sa_mask);
        // What our parent chose to ignore stays ignored.
        is_taken[index] = sigaction(passed_on[index], NULL, &previous[index]) == 0 &&
                          previous[index].sa_handler != SIG_IGN && sigaction(passed_on[index], &action, NULL) == 0;
    }
    int result = wait_for_end(child, status);
    for (size_t index = 0; index < COUNT; index++) {
        if (is_taken[index]) {
            sigaction(passed_on[index], &previous[index], NULL);
        }
    }
    return result != 0 ? result : caught;
}
