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

// The maximum time for writing the last bytes of an ending process to a terminal that does not accept output, because
// it was stopped by ^S or because nobody reads it.
static const int timeout_ms = 100;

// Signals that end a process. Our handlers are installed unless the parent process ignores the signal.
static const int fatal_signals[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGABRT,
};
// Signals that end a process by default, but that an app may handle. Our handlers are installed only if the app has no
// handlers for them. The same holds for real-time signals, whose numbers are not fixed.
static const int optional_signals[] = {
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS,
#ifdef SIGEMT
    SIGEMT,
#endif
#ifdef __linux__
    SIGIO, SIGPWR, // On other systems these signals do nothing by default.
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};
// Signals that wake the loop.
static const int wake_signals[] = {SIGWINCH, SIGTSTP, SIGCONT};
// Signals that are caught without any effect. They are not set to SIG_IGN, because child processes would inherit that.
// The failed write returns an error anyway.
static const int dropped_signals[] = {SIGPIPE, SIGXFSZ};

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

static struct termios saved_modes;
static struct sigaction previous[NSIG];
static char restore_bytes[1024];
static size_t restore_length;
static int terminal_descriptor = -1;
static int wake_descriptor = -1;
// Whether the process must restore the terminal when it ends. The variable is lock-free, so that a signal handler may
// change it.
static atomic_bool is_terminal_ours;

// The stack for signal handlers: after a stack overflow, the normal stack has no room.
static _Alignas(16) char alternate_stack[64 * 1024];

// Writes bytes to the terminal, for at most timeout_ms.
static void write_in_time(const char *bytes, size_t length) {
    int flags = fcntl(terminal_descriptor, F_GETFL);
    if (flags != -1) {
        fcntl(terminal_descriptor, F_SETFL, flags | O_NONBLOCK);
    }
    int waits_left = timeout_ms / 10;
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
    // If this is a background job, tcsetattr stops the process (SIGTTOU), because the terminal belongs to another job.
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
    write_in_time(restore_bytes, restore_length);
    // The rest of an interrupted paste must not run as shell commands.
    tcflush(terminal_descriptor, TCIFLUSH);
    tg_restore_modes();
}

static void wake(int signal_number) {
    int saved_errno = errno;
    char byte = (char)signal_number;
    // If the pipe is full, the loop is woken anyway.
    (void)!write(wake_descriptor, &byte, 1);
    errno = saved_errno;
}

// Whether a signal requests an orderly end. All other fatal signals end the process immediately.
static bool requests_end(int signal_number) {
    return signal_number == SIGTERM || signal_number == SIGHUP || signal_number == SIGINT;
}

// Handles a fatal signal. The first request to end wakes the loop, which then ends in order. For any other signal or
// request, restores the terminal and the previous handler, and raises the signal again, so that the parent process sees
// which signal ended this process. The signal stays pending until this handler returns.
static void die(int signal_number) {
    int saved_errno = errno;
    if (requests_end(signal_number) && en_note(signal_number)) {
        wake(signal_number);
    } else {
        tg_give_back();
        sigaction(signal_number, &previous[signal_number], NULL);
        raise(signal_number);
    }
    errno = saved_errno;
}

// Ends the process. The watching thread calls this if the loop does not end.
static void end_by_signal(int signal_number) {
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

// Installs a handler, unless the parent process ignores the signal (nohup, a shell without job control).
static void install_unless_ignored(int signal_number, void (*handler)(int), int flags) {
    install(signal_number, handler, flags);
    if (was_ignored(signal_number)) {
        sigaction(signal_number, &previous[signal_number], NULL);
    }
}

static void install_if_default(int signal_number) {
    bool is_read = sigaction(signal_number, NULL, &previous[signal_number]) == 0;
    if (is_read && previous[signal_number].sa_handler == SIG_DFL) {
        install(signal_number, die, SA_ONSTACK);
    }
}

// Restores the previous handler, unless the app has installed another handler since.
static void restore_if_unchanged(int signal_number) {
    struct sigaction current;
    if (sigaction(signal_number, NULL, &current) == 0 && current.sa_handler == die) {
        sigaction(signal_number, &previous[signal_number], NULL);
    }
}

static void for_each_optional_signal(void (*body)(int)) {
    for (size_t index = 0; index < COUNT(optional_signals); index++) {
        body(optional_signals[index]);
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
        stack_t handler_stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
        sigaltstack(&handler_stack, NULL);
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
    if (!en_start(tg_give_back, end_by_signal)) {
        return false;
    }
    use_alternate_stack();
    for (size_t index = 0; index < COUNT(fatal_signals); index++) {
        install_unless_ignored(fatal_signals[index], die, SA_ONSTACK);
    }
    for_each_optional_signal(install_if_default);
    for (size_t index = 0; index < COUNT(wake_signals); index++) {
        install_unless_ignored(wake_signals[index], wake, SA_RESTART);
    }
    for (size_t index = 0; index < COUNT(dropped_signals); index++) {
        install(dropped_signals[index], drop, SA_RESTART);
    }
    static bool is_registered;
    if (!is_registered) {
        is_registered = atexit(tg_give_back) == 0;
    }
    return true;
}

static void restore_handlers(const int *signals, size_t count) {
    for (size_t index = 0; index < count; index++) {
        sigaction(signals[index], &previous[signals[index]], NULL);
    }
}

void tg_uninstall(void) {
    restore_handlers(fatal_signals, COUNT(fatal_signals));
    for_each_optional_signal(restore_if_unchanged);
    restore_handlers(wake_signals, COUNT(wake_signals));
    restore_handlers(dropped_signals, COUNT(dropped_signals));
    en_stop();
}

void tg_set_active(bool is_active) { atomic_store(&is_terminal_ours, is_active); }

// Installs a handler again. tg_uninstall still restores the handler that was installed before tg_install.
static void install_again(int signal_number, void (*handler)(int), int flags) {
    struct sigaction original = previous[signal_number];
    if (original.sa_handler != SIG_IGN) {
        install(signal_number, handler, flags);
        previous[signal_number] = original;
    }
}

void tg_stop(bool is_whole_job) {
    if (was_ignored(SIGTSTP)) {
        return;
    }
    if (is_whole_job) {
        // Stops the other processes of the job first: this process must stop below, not wherever the signal interrupts
        // it.
        signal(SIGTSTP, SIG_IGN);
        kill(0, SIGTSTP);
    }
    // SIGSTOP is not used: it would also stop a job that no shell can continue, for which the kernel ignores SIGTSTP.
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    install_again(SIGTSTP, wake, SA_RESTART);
    tg_wait_for_foreground();
}

void tg_wait_for_foreground(void) {
    // The process stops again after each `bg`. Without a shell the signal has no effect, so the number of tries is
    // limited.
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
