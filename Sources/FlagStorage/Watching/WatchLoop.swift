import Platform
import Synchronization

/// The thread of a ``DirectoryWatch``. The thread waits for changes, or for the poll interval if the system cannot
/// report changes.
final class WatchLoop: Sendable {
    private let state: Mutex<WatchState>
    private let wakePipe: WakePipe
    /// The poll interval in milliseconds.
    private let interval: Int32
    private let onChange: @Sendable () -> Void

    /// - Parameter state: evaluated after the pipe is created, so that an error leaves no descriptor open.
    init(
        _ state: @autoclosure () -> WatchState, interval: Int32, onChange: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        wakePipe = try WakePipe()
        self.state = Mutex(state())
        (self.interval, self.onChange) = (interval, onChange)
    }

    var isArmed: Bool { state.withLock { $0.isArmed } }

    /// Starts the thread, which keeps the loop alive until it is cancelled.
    func start() throws(SystemError) {
        let context = Unmanaged.passRetained(self)
        let code = withSignalsBlocked { startThread(context.toOpaque()) }
        guard code == 0 else {
            context.release()
            end()
            throw SystemError(call: "pthread_create", code: code)
        }
    }

    /// Ends the thread soon; no further call of `onChange` begins.
    func cancel() {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.isEnded = true
            wakePipe.wake()
        }
    }

    fileprivate func run() {
        while wait() {
            let isChanged = state.withLock { $0.isEnded ? false : $0.readPendingChanges() }
            if isChanged { onChange() }
        }
        end()
    }

    /// Waits for changes or the poll interval; returns `false` if the loop was cancelled.
    private func wait() -> Bool {
        let (watched, isArmed, isEnded) = state.withLock { ($0.descriptor, $0.isArmed, $0.isEnded) }
        guard !isEnded else { return false }
        var descriptors = [wakePipe.readEnd, watched ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&descriptors, nfds_t(descriptors.count), isArmed ? -1 : interval) >= 0 || errno == EINTR
    }

    private func end() {
        state.withLock { state in
            state.isEnded = true
            state.close()
            wakePipe.close()
        }
    }
}

/// Runs the loop that `context` retains.
private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<WatchLoop>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}

/// Starts a detached thread that runs the loop in `context`; returns 0 or an error number.
private func startThread(_ context: UnsafeMutableRawPointer) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    return pthread_create(&thread, &attributes, { runLoop($0) }, context)
}

/// Runs `body` with signals blocked. Threads that `body` starts have them blocked, too: signals to the process are for
/// the thread with the terminal. Signals of faults in the thread, such as `SIGSEGV`, stay unblocked.
private func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
    var blocked = sigset_t()
    sigfillset(&blocked)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&blocked, fault) }
    var previous = sigset_t()
    pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
}
