#include "ChildWait.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The maximum time that a child may take to end after a signal was forwarded.
static const int timeout_ms = 1000;
// The time in which a stop or continue signal reaches every process of the job.
static const int settling_ms = 100;
// The maximum number of stops of a child that no shell can continue. Such a child never gets the terminal, so it is
// ended.
static const int stop_limit = 16;

static const int forwarded_signals[] = {SIGTERM, SIGHUP};
#define COUNT (sizeof(forwarded_signals) / sizeof(forwarded_signals[0]))

static volatile pid_t awaited_child;
static volatile sig_atomic_t caught_signal;

static void terminate(pid_t child) {
    kill(child, SIGTERM);
    kill(child, SIGCONT);
}

static void forward(int signal_number) {
    int saved_errno = errno;
    caught_signal = signal_number;
    terminate(awaited_child);
    errno = saved_errno;
}

static void sleep_ms(int milliseconds) {
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (milliseconds % 1000) * 1000000L};
    nanosleep(&time, NULL);
}

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

// Returns whether a child that was reported as stopped is still stopped. If the child has ended in the meantime, sets
// `has_ended` to true and `status` to the child's exit status.
static bool is_still_stopped(pid_t child, int *status, bool *has_ended) {
    sleep_ms(settling_ms);
    int new_status = 0;
    pid_t changed = waitpid(child, &new_status, WNOHANG | WUNTRACED | WCONTINUED);
    *has_ended = changed == child && (WIFEXITED(new_status) || WIFSIGNALED(new_status));
    if (*has_ended) {
        *status = new_status;
    }
    return !*has_ended && !(changed == child && WIFCONTINUED(new_status));
}

// Stops this process too. Returns false if the process did not stop: if no shell can continue it, raise returns
// immediately.
static bool stop_with_child(void) {
    long start = now_ms();
    raise(SIGTSTP);
    return now_ms() - start > 20;
}

// Waits until the child ends. Returns 0, -1 or a signal, like cw_wait.
static int wait_for_end(pid_t child, int *status) {
    int ignored_stops = 0;
    while (true) {
        pid_t changed = waitpid(child, status, WUNTRACED);
        if (caught_signal) {
            bool is_over = changed == child && !WIFSTOPPED(*status);
            for (int waited = 0; !is_over && waited < timeout_ms; waited += 10) {
                sleep_ms(10);
                is_over = waitpid(child, status, WNOHANG) != 0;
            }
            return caught_signal;
        }
        if (changed == -1) {
            if (errno == EINTR) {
                continue;
            }
            return -1;
        }
        if (!WIFSTOPPED(*status)) {
            return 0;
        }
        // If Ctrl-Z stopped both processes, this report is read only after both were continued.
        bool has_ended = false;
        if (is_still_stopped(child, status, &has_ended)) {
            ignored_stops = stop_with_child() ? 0 : ignored_stops + 1;
            if (ignored_stops > stop_limit) {
                terminate(child);
            }
            kill(child, SIGCONT);
        } else if (has_ended) {
            return 0;
        }
    }
}

static sigset_t mask_before;
static bool is_holding;

void cw_hold_signals(void) {
    sigset_t held;
    sigemptyset(&held);
    for (size_t index = 0; index < COUNT; index++) {
        sigaddset(&held, forwarded_signals[index]);
    }
    is_holding = pthread_sigmask(SIG_BLOCK, &held, &mask_before) == 0;
}

void cw_release_signals(void) {
    if (is_holding) {
        is_holding = false;
        pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    }
}

int cw_wait(pid_t child, int *status) {
    struct sigaction previous[COUNT];
    bool is_installed[COUNT];
    awaited_child = child;
    caught_signal = 0;
    for (size_t index = 0; index < COUNT; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = forward;
        sigemptyset(&action.sa_mask);
        // Signals that the parent ignores stay ignored.
        is_installed[index] = sigaction(forwarded_signals[index], NULL, &previous[index]) == 0 &&
                              previous[index].sa_handler != SIG_IGN &&
                              sigaction(forwarded_signals[index], &action, NULL) == 0;
    }
    cw_release_signals();
    int result = wait_for_end(child, status);
    for (size_t index = 0; index < COUNT; index++) {
        if (is_installed[index]) {
            sigaction(forwarded_signals[index], &previous[index], NULL);
        }
    }
    return result != 0 ? result : caught_signal;
}
