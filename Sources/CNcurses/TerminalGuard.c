#include "TerminalGuard.h"

#include "Ending.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// How long a dying process offers its last bytes to a terminal that takes none (stopped by ^S, or nobody reads it).
static const int patience_ms = 100;

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGABRT};
// These end a process too, but a program may have plans for them: ours only where it has none. So are the real-time
// signals, which have no fixed numbers.
static const int spare[] = {
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS,
#ifdef SIGEMT
    SIGEMT,
#endif
#ifdef __linux__
    SIGIO, SIGPWR, // Elsewhere they do nothing by default.
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};
static const int waking[] = {SIGWINCH, SIGTSTP, SIGCONT};
// Caught and dropped rather than ignored: the failed write says enough, and children start with the default.
static const int dropped[] = {SIGPIPE, SIGXFSZ};

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

static struct termios saved_modes;
static struct sigaction previous[NSIG];
static char restore_bytes[1024];
static size_t restore_length;
static int terminal_descriptor = -1;
static int wake_descriptor = -1;
// Lock-free wherever there are threads, so a handler may change it.
static atomic_bool is_terminal_ours;

// A stack overflow leaves no room on the stack for its own handler.
static _Alignas(16) char alternate_stack[64 * 1024];

static void offer(const char *bytes, size_t length) {
    int flags = fcntl(terminal_descriptor, F_GETFL);
    if (flags != -1) {
        fcntl(terminal_descriptor, F_SETFL, flags | O_NONBLOCK);
    }
    int waits_left = patience_ms / 10;
    while (length > 0) {
        ssize_t count = write(terminal_descriptor, bytes, length);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        } else if (count == -1 && errno == EINTR) {
            continue;
        } else if (count == -1 && errno == EAGAIN && waits_left-- > 0) {
            struct pollfd writable = {.fd = terminal_descriptor, .events = POLLOUT};
            poll(&writable, 1, 10);
        } else {
            break;
        }
    }
    if (flags != -1) {
        fcntl(terminal_descriptor, F_SETFL, flags);
    }
}

void tg_restore_modes(void) {
    // From a job in the background this would stop the process; the terminal is then somebody else's to set.
    tcsetattr(terminal_descriptor, TCSANOW, &saved_modes);
}

bool tg_is_foreground(void) {
    pid_t foreground = tcgetpgrp(terminal_descriptor);
    return foreground == -1 || foreground == getpgrp();
}

void tg_give_back(void) {
    if (!atomic_exchange(&is_terminal_ours, false) || !tg_is_foreground()) {
        return;
    }
    offer(restore_bytes, restore_length);
    // The rest of an interrupted paste must not become commands of the shell.
    tcflush(terminal_descriptor, TCIFLUSH);
    tg_restore_modes();
}

static void wake(int signal_number) {
    int saved_errno = errno;
    char byte = (char)signal_number;
    // A full pipe wakes the loop just as well.
    (void)!write(wake_descriptor, &byte, 1);
    errno = saved_errno;
}

// Whether a signal asks for an end, rather than telling of a fault or asking for a core: those end at once.
static bool asks_to_end(int signal_number) {
    return signal_number == SIGTERM || signal_number == SIGHUP || signal_number == SIGINT;
}

// Restores, hands the signal to whoever had it before (by default that ends the process), and sends it again, so that
// the parent sees the true cause. It arrives when this handler returns. But who only asks for an end gets a proper one.
static void die(int signal_number) {
    int saved_errno = errno;
    if (asks_to_end(signal_number) && en_note(signal_number)) {
        wake(signal_number);
    } else {
        tg_give_back();
        sigaction(signal_number, &previous[signal_number], NULL);
        raise(signal_number);
    }
    errno = saved_errno;
}

// Ends a process whose loop does not.
static void end(int signal_number) {
    sigaction(signal_number, &previous[signal_number], NULL);
    kill(getpid(), signal_number);
}

static void drop(int signal_number) { (void)signal_number; }

static void install(int signal_number, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    sigaction(signal_number, &action, &previous[signal_number]);
}

static bool was_ignored(int signal_number) { return previous[signal_number].sa_handler == SIG_IGN; }

// What our parent chose to ignore (nohup, a shell without job control) stays ignored.
static void install_unless_ignored(int signal_number, void (*handler)(int), int flags) {
    install(signal_number, handler, flags);
    if (was_ignored(signal_number)) {
        sigaction(signal_number, &previous[signal_number], NULL);
    }
}

static void take_if_default(int signal_number) {
    bool is_known = sigaction(signal_number, NULL, &previous[signal_number]) == 0;
    if (is_known && previous[signal_number].sa_handler == SIG_DFL) {
        install(signal_number, die, SA_ONSTACK);
    }
}

// Whoever has taken the signal since keeps it.
static void return_if_ours(int signal_number) {
    struct sigaction current;
    if (sigaction(signal_number, NULL, &current) == 0 && current.sa_handler == die) {
        sigaction(signal_number, &previous[signal_number], NULL);
    }
}

static void for_each_spare(void (*body)(int)) {
    for (size_t index = 0; index < COUNT(spare); index++) {
        body(spare[index]);
    }
#ifdef SIGRTMIN
    for (int signal_number = SIGRTMIN; signal_number <= SIGRTMAX && signal_number < NSIG; signal_number++) {
        body(signal_number);
    }
#endif
}

static void use_alternate_stack(void) {
    stack_t current;
    if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
        stack_t ours = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
        sigaltstack(&ours, NULL);
    }
}

bool tg_install(int terminal, int wake_pipe, const char *restore, size_t length) {
    if (tcgetattr(terminal, &saved_modes) != 0) {
        return false;
    }
    terminal_descriptor = terminal;
    wake_descriptor = wake_pipe;
    restore_length = length < sizeof restore_bytes ? length : sizeof restore_bytes;
    memcpy(restore_bytes, restore, restore_length);
    if (!en_start(tg_give_back, end)) {
        return false;
    }
    use_alternate_stack();
    for (size_t index = 0; index < COUNT(deadly); index++) {
        install_unless_ignored(deadly[index], die, SA_ONSTACK);
    }
    for_each_spare(take_if_default);
    for (size_t index = 0; index < COUNT(waking); index++) {
        install_unless_ignored(waking[index], wake, SA_RESTART);
    }
    for (size_t index = 0; index < COUNT(dropped); index++) {
        install(dropped[index], drop, SA_RESTART);
    }
    static bool is_registered;
    if (!is_registered) {
        is_registered = atexit(tg_give_back) == 0;
    }
    return true;
}

static void reinstate(const int *signals, size_t count) {
    for (size_t index = 0; index < count; index++) {
        sigaction(signals[index], &previous[signals[index]], NULL);
    }
}

void tg_uninstall(void) {
    reinstate(deadly, COUNT(deadly));
    for_each_spare(return_if_ours);
    reinstate(waking, COUNT(waking));
    reinstate(dropped, COUNT(dropped));
    en_stop();
}

void tg_set_active(bool is_active) { atomic_store(&is_terminal_ours, is_active); }

// Installs a handler again, without forgetting what stood there before tg_install.
static void install_again(int signal_number, void (*handler)(int), int flags) {
    struct sigaction before = previous[signal_number];
    if (before.sa_handler != SIG_IGN) {
        install(signal_number, handler, flags);
        previous[signal_number] = before;
    }
}

void tg_stop(bool is_whole_job) {
    if (was_ignored(SIGTSTP)) {
        return;
    }
    if (is_whole_job) {
        // The rest of the job first: this process must stop here, not wherever the signal happens to find it.
        signal(SIGTSTP, SIG_IGN);
        kill(0, SIGTSTP);
    }
    // The default action, not SIGSTOP: the kernel leaves a job alone that no shell could ever continue.
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    install_again(SIGTSTP, wake, SA_RESTART);
    tg_wait_for_foreground();
}

void tg_wait_for_foreground(void) {
    // Each `bg` continues it once; in a job without a shell the signal does nothing, and waiting has no end.
    for (int tries = 0; tries < 16 && !tg_is_foreground() && en_noted() == 0; tries++) {
        raise(SIGTTIN);
    }
}

void tg_begin_outside(void) {
    tg_set_active(false);
    install_again(SIGINT, drop, SA_RESTART);
    install_again(SIGQUIT, drop, SA_RESTART);
    install_again(SIGTSTP, SIG_DFL, 0);
}

void tg_end_outside(void) {
    install_again(SIGINT, die, SA_ONSTACK);
    install_again(SIGQUIT, die, SA_ONSTACK);
    install_again(SIGTSTP, wake, SA_RESTART);
}
