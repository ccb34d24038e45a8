#include "PendingWork.h"

#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

// The same time as a change waits for another process that writes the same store (StoreLock). It is long enough for a
// busy disk, and too short to delay the shutdown of a machine.
const int pw_timeout_ms = 10000;

static atomic_int count;

void pw_begin(void) { atomic_fetch_add(&count, 1); }

void pw_end(void) { atomic_fetch_sub(&count, 1); }

bool pw_is_done(void) { return atomic_load(&count) <= 0; }

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

bool pw_await(void) {
    long start = now_ms();
    while (!pw_is_done() && now_ms() - start < pw_timeout_ms) {
        poll(NULL, 0, 2);
    }
    return pw_is_done();
}
