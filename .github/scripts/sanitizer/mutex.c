// Tells Thread Sanitizer what it cannot see on Linux. A Mutex of Swift's Synchronization that is contended is taken and
// given back in the library itself, which is not built for the sanitizer, so everything that the lock orders would look like
// a race. The way without contention is compiled into the caller, where the sanitizer does see it. Loaded before the library;
// calls what it stands in front of.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// There in programs that are built for the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void Unlock(__attribute__((swift_context)) void *mutex);

Lock slowLock __asm__(LOCK);
Unlock slowUnlock __asm__(UNLOCK);

static Lock *realLock;
static Unlock *realUnlock;

__attribute__((constructor)) static void find(void) {
    realLock = (Lock *)dlsym(RTLD_NEXT, LOCK);
    realUnlock = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
}

__attribute__((swiftcall)) void slowLock(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    realLock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void slowUnlock(__attribute__((swift_context)) void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    realUnlock(mutex);
}
