import Platform

/// The signals of a crash, and of Ctrl-\.
enum CrashSignals {
    /// Ends the process immediately, without Swift's backtracer.
    ///
    /// If the toolchain is installed, the backtracer would wait half a minute for a key, while the terminal is still in
    /// raw mode. If `SWIFT_BACKTRACE` is set, the backtracer runs after the screen is restored.
    static func endImmediately() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }
}
