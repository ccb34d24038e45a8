import Platform

/// What a crash, or Ctrl-\, does to the program.
enum CrashSignals {
    /// Ends the process at once, without Swift's backtracer.
    ///
    /// If the toolchain is installed, Swift's backtracer would use the terminal, in raw mode, and prompt for half a
    /// minute. If `SWIFT_BACKTRACE` is set it runs, after the screen is restored.
    static func endAtOnce() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }
}
