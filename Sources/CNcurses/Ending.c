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

// A loop that has not noticed for so long is stuck, for example in a write to a terminal that nobody reads.
static const int answer_ms = 1000;
// What an ending may take beyond pending work.
static const int tidying_ms = 5000;
// A window that closes is told by the kernel and by its shell, and timeout(1) and service managers send two signals in
// a row. That is one wish; what comes later is somebody who insists.
static const long same_wish_ms = 500;
// Counted in short waits rather than by the clock: a stopped process has done nothing with its time.
static const int tick_ms = 10;

static atomic_int noted;
static atomic_bool is_answered;
static atomic_long first_ms;
static atomic_int to_watcher = -1;

static int from_loop = -1;
static pthread_t watcher;
static void (*give_back_terminal)(void);
static void (*end_process)(int);

static const char wish = 'w', stop = 's';

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

// Waits for a byte from the loop or from a handler; 0 when none comes in time.
static char next(int milliseconds) {
    struct pollfd source = {.fd = from_loop, .events = POLLIN};
    char byte = 0;
    if (poll(&source, 1, milliseconds) == 1 && read(from_loop, &byte, 1) != 1) {
        byte = errno == EINTR ? 0 : stop;
    }
    return byte;
}

static bool is_stopped_within_tick(void) { return next(tick_ms) == stop; }

static void *watch(void *nothing) {
    char byte;
    do {
        byte = next(-1);
    } while (byte == 0);
    if (byte == stop) {
        return nothing;
    }
    for (int waited = 0; !atomic_load(&is_answered) && waited < answer_ms; waited += tick_ms) {
        if (is_stopped_within_tick()) {
            return nothing;
        }
    }
    bool is_stuck = !atomic_load(&is_answered);
    if (is_stuck) {
        give_back_terminal();
    }
    int limit = is_stuck ? pw_patience_ms : pw_patience_ms + tidying_ms;
    for (int waited = 0; waited < limit && !(is_stuck && pw_is_done()); waited += tick_ms) {
        if (is_stopped_within_tick()) {
            return nothing;
        }
    }
    give_back_terminal();
    end_process(atomic_load(&noted));
    return nothing;
}

// A signal is the business of the program's own threads.
static bool start_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&watcher, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

bool en_start(void (*give_back)(void), void (*end)(int)) {
    int ends[2];
    if (pipe(ends) == -1) {
        return false;
    }
    for (int index = 0; index < 2; index++) {
        fcntl(ends[index], F_SETFD, FD_CLOEXEC);
        fcntl(ends[index], F_SETFL, O_NONBLOCK);
    }
    give_back_terminal = give_back;
    end_process = end;
    atomic_store(&noted, 0);
    atomic_store(&is_answered, false);
    from_loop = ends[0];
    if (!start_thread()) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    atomic_store(&to_watcher, ends[1]);
    return true;
}

void en_stop(void) {
    int descriptor = atomic_exchange(&to_watcher, -1);
    if (descriptor == -1) {
        return;
    }
    (void)!write(descriptor, &stop, 1);
    pthread_join(watcher, NULL);
    close(descriptor);
    close(from_loop);
}

bool en_note(int signal_number) {
    int none = 0;
    int descriptor = atomic_load(&to_watcher);
    if (descriptor == -1) {
        return false;
    }
    if (!atomic_compare_exchange_strong(&noted, &none, signal_number)) {
        return now_ms() - atomic_load(&first_ms) < same_wish_ms;
    }
    atomic_store(&first_ms, now_ms());
    (void)!write(descriptor, &wish, 1);
    return true;
}

int en_noted(void) { return atomic_load(&noted); }

int en_take(void) { return atomic_exchange(&noted, 0); }

void en_answer(void) { atomic_store(&is_answered, true); }
