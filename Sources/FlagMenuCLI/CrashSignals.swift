import Platform

/// What a crash, or Ctrl-\, does to the program.
enum CrashSignals {
    /// Ends the process at once, as without a runtime that has other plans.
    ///
    /// Where the toolchain is installed, Swift's backtracer would take the terminal, in raw mode, and ask what to do for
    /// half a minute. Whoever sets `SWIFT_BACKTRACE` has asked for it and gets it, after the screen is given back.
    static func endAtOnce() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }
}
