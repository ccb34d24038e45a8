import Platform
import Synchronization

/// The one thread for all watches of a process, from the first watch on. It waits for changes, and for the poll interval
/// if the system cannot report the changes of a watch.
package final class WatchLoop: Sendable {
    private struct State {
        /// The watches by their numbers.
        var watches: [Int: WatchState] = [:]
        var lastNumber = 0
        var notifier: ChangeNotifier?
        /// Wakes the thread; `nil` before the first watch.
        var wakePipe: WakePipe?
        var hasThread = false
    }

    private static let current = Mutex<WatchLoop?>(nil)

    /// The loop of this process. A forked process makes its own, as it has no copy of its parent's thread.
    package static var shared: WatchLoop {
        current.withLock { current in
            if let current, current.process == getpid() { return current }
            let loop = WatchLoop()
            current = loop
            return loop
        }
    }

    private let state = Mutex(State())
    /// The poll interval in milliseconds.
    private let interval: Int32
    /// Creates a notifier; a parameter so that tests can inject faults.
    private let makeNotifier: ChangeNotifier.Source
    private let process = getpid()

    init(
        interval: Int32 = 1_000,
        makeNotifier: @escaping ChangeNotifier.Source = { () throws(SystemError) in try ChangeNotifier() }
    ) {
        (self.interval, self.makeNotifier) = (interval, makeNotifier)
    }

    /// Starts a watch, and returns its number.
    func add(_ watch: WatchState) throws(SystemError) -> Int {
        try state.withLock { state throws(SystemError) -> Int in
            if state.wakePipe == nil { state.wakePipe = try WakePipe() }
            if !state.hasThread { try startThread() }
            state.hasThread = true
            if state.notifier == nil { state.notifier = try? makeNotifier() }
            state.lastNumber += 1
            var watch = watch
            _ = watch.readPendingChanges(nil, &state.notifier, as: state.lastNumber)
            state.watches[state.lastNumber] = watch
            // The thread waits for a new notifier, or polls the watch.
            state.wakePipe?.wake()
            return state.lastNumber
        }
    }

    /// Ends a watch; no further call of its handler begins.
    func remove(_ number: Int) {
        // A forked process shares the notifier with its parent, and must not end what the parent watches.
        guard process == getpid() else { return }
        let removed = state.withLock { state in
            state.notifier?.removeWatches(of: number)
            return state.watches.removeValue(forKey: number)
        }
        // Released without the lock, as its handler may have the last reference to another watch.
        withExtendedLifetime(removed) {}
    }

    /// Whether a watch is polled.
    func isPolling(_ number: Int) -> Bool { state.withLock { $0.watches[number]?.isArmed == false } }

    fileprivate func run() {
        var nextPoll = ContinuousClock.now
        while true {
            let (descriptors, isArmed) = state.withLock { state in
                ([state.wakePipe?.readEnd, state.notifier?.descriptor], state.watches.values.allSatisfy(\.isArmed))
            }
            var waiting = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
            // The result is ignored: a wait that a signal has ended finds no change.
            _ = poll(&waiting, nfds_t(waiting.count), isArmed ? -1 : interval)
            // Not after each wait: a failed attempt to watch makes events of its own.
            let isPolling = ContinuousClock.now >= nextPoll
            if isPolling { nextPoll = .now + .milliseconds(interval) }
            for number in state.withLock({ readPendingChanges(&$0, isPolling: isPolling) }) {
                state.withLock { $0.watches[number]?.onChange }?()
            }
        }
    }

    /// The numbers of the watches whose files may have changed.
    private func readPendingChanges(_ state: inout State, isPolling: Bool) -> [Int] {
        state.wakePipe?.clear()
        if state.notifier == nil { state.notifier = try? makeNotifier() }
        let updates = state.notifier?.drain() ?? [:]
        var changed: [Int] = []
        for (number, var watch) in state.watches where watch.isArmed ? updates[number] != nil : isPolling {
            if watch.readPendingChanges(updates[number], &state.notifier, as: number) { changed.append(number) }
            state.watches[number] = watch
        }
        return changed
    }

    /// Starts the thread, which never ends.
    private func startThread() throws(SystemError) {
        let context = Unmanaged.passRetained(self)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = withSignalsBlocked { pthread_create(&thread, nil, { runLoop($0) }, context.toOpaque()) }
        guard code == 0 else {
            context.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }
}

/// Runs the loop in `context`.
private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<WatchLoop>.fromOpaque(context).takeUnretainedValue().run() }
    return nil
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
