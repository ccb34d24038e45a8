#define _GNU_SOURCE
#include "Ending.h"

#include "PendingWork.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

// A loop that does not acknowledge a request to end within this time is stuck, for example in a write to a terminal
// that nobody reads.
static const int acknowledge_ms = 1000;
// The maximum time that the loop may take to end, in addition to the time for pending work.
static const int cleanup_ms = 5000;
// Signals within this time count as one request to end: when a window closes, the kernel and the shell both send a
// signal, and timeout(1) and service managers send two in a row. A later signal is a second request, which ends the
// process immediately.
static const long same_request_ms = 500;
// Timeouts count waits of this length and do not read a clock, so that the time in which the process is stopped does
// not count.
static const int tick_ms = 10;

static atomic_int noted_signal;
static atomic_bool is_acknowledged;
static atomic_long noted_at_ms;
// The write end of the pipe to the watching thread; -1 if the thread is not running.
static atomic_int write_end = -1;

static int read_end = -1;
static pthread_t watcher;
static void (*give_back_terminal)(void);
static void (*end_process)(int);

// The bytes in the pipe: a signal handler writes `request` to request an end, and en_stop writes `stop` to end the
// thread.
static const char request = 'w', stop = 's';

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

// Reads a byte from the pipe. Returns 0 if no byte arrives in time.
static char next_byte(int milliseconds) {
    struct pollfd source = {.fd = read_end, .events = POLLIN};
    char byte = 0;
    if (poll(&source, 1, milliseconds) == 1 && read(read_end, &byte, 1) != 1) {
        byte = errno == EINTR ? 0 : stop;
    }
    return byte;
}

static bool is_stopped_within_tick(void) { return next_byte(tick_ms) == stop; }

static void *watch(void *nothing) {
    char byte;
    do {
        byte = next_byte(-1);
    } while (byte == 0);
    if (byte == stop) {
        return nothing;
    }
    for (int waited = 0; !atomic_load(&is_acknowledged) && waited < acknowledge_ms; waited += tick_ms) {
        if (is_stopped_within_tick()) {
            return nothing;
        }
    }
    bool is_stuck = !atomic_load(&is_acknowledged);
    if (is_stuck) {
        give_back_terminal();
    }
    int limit = is_stuck ? pw_timeout_ms : pw_timeout_ms + cleanup_ms;
    for (int waited = 0; waited < limit && !(is_stuck && pw_is_done()); waited += tick_ms) {
        if (is_stopped_within_tick()) {
            return nothing;
        }
    }
    give_back_terminal();
    end_process(atomic_load(&noted_signal));
    return nothing;
}

// Starts the watching thread. It blocks all signals, so that other threads of the program handle them.
static bool start_thread(void) {
    sigset_t all, previous_mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous_mask);
    bool is_started = pthread_create(&watcher, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &previous_mask, NULL);
    return is_started;
}

bool en_start(void (*give_back)(void), void (*end)(int)) {
    int descriptors[2];
    if (pipe(descriptors) == -1) {
        return false;
    }
    for (int index = 0; index < 2; index++) {
        fcntl(descriptors[index], F_SETFD, FD_CLOEXEC);
        fcntl(descriptors[index], F_SETFL, O_NONBLOCK);
    }
    give_back_terminal = give_back;
    end_process = end;
    atomic_store(&noted_signal, 0);
    atomic_store(&is_acknowledged, false);
    read_end = descriptors[0];
    if (!start_thread()) {
        close(descriptors[0]);
        close(descriptors[1]);
        return false;
    }
    atomic_store(&write_end, descriptors[1]);
    return true;
}

void en_stop(void) {
    int descriptor = atomic_exchange(&write_end, -1);
    if (descriptor == -1) {
        return;
    }
    (void)!write(descriptor, &stop, 1);
    pthread_join(watcher, NULL);
    close(descriptor);
    close(read_end);
}

bool en_note(int signal_number) {
    int no_signal = 0;
    int descriptor = atomic_load(&write_end);
    if (descriptor == -1) {
        return false;
    }
    if (!atomic_compare_exchange_strong(&noted_signal, &no_signal, signal_number)) {
        return now_ms() - atomic_load(&noted_at_ms) < same_request_ms;
    }
    atomic_store(&noted_at_ms, now_ms());
    (void)!write(descriptor, &request, 1);
    return true;
}

int en_noted(void) { return atomic_load(&noted_signal); }

int en_take(void) { return atomic_exchange(&noted_signal, 0); }

void en_acknowledge(void) { atomic_store(&is_acknowledged, true); }
