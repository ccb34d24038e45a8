#include "PendingWork.h"

#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

// Long enough for another process to be done with the store, short enough for whoever shuts a machine down.
static const long patience_ms = 2000;

// Lock-free wherever there are threads, so a handler may read it.
static atomic_int count;

void pw_begin(void) { atomic_fetch_add(&count, 1); }

void pw_end(void) { atomic_fetch_sub(&count, 1); }

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

void pw_await(void) {
    long start = now_ms();
    while (atomic_load(&count) > 0 && now_ms() - start < patience_ms) {
        poll(NULL, 0, 5);
    }
}
