import Dispatch
import FlagStorage
import Synchronization

/// Reads which apps run, each time when that may have changed, and as long as some run, once a second.
///
/// All readings are made on one queue, so that an older one is never reported after a newer one. Requests for a reading
/// are merged: a busy app changes its announcement up to 50 times a second.
final class AppsFollower: Sendable {
    /// The shortest time between two readings, in nanoseconds.
    private static let pause: UInt64 = 50_000_000
    /// How many times longer than the reading before it a pause is at least: readings take long if hundreds of apps run.
    private static let pauseFactor: UInt64 = 10
    /// The time between two readings without a change of a file. Nothing else tells that a client of a server has not
    /// asked for long, that an app has had time to use a change or, on some systems, that a process has ended.
    private static let interval = DispatchTimeInterval.seconds(1)

    private struct State {
        var watches: [DirectoryWatch] = []
        /// The last reading, whose unchanged parts are used again.
        var reading: AppDeclarations.Reading?
        /// When the next reading may begin.
        var earliest = DispatchTime(uptimeNanoseconds: 0)
        /// Whether a reading will begin that includes all changes so far.
        var isRequested = false
        /// Whether a reading is scheduled for the end of the interval.
        var isTicking = false
        var isStopped = false
    }

    private let declarations: AppDeclarations
    private let onReading: @Sendable (AppDeclarations.Reading) -> Void
    private let queue = DispatchQueue(label: "flagmenu.apps")
    private let state = Mutex(State())

    /// - Parameter onReading: called on one queue with each reading.
    init(_ declarations: AppDeclarations, onReading: @escaping @Sendable (AppDeclarations.Reading) -> Void) {
        self.declarations = declarations
        self.onReading = onReading
    }

    /// Starts watching, and reads the apps for the first time.
    func start() {
        // Without a watch, changes are shown after the interval, if any app runs.
        let watches = (try? declarations.watch { [weak self] in self?.request() }) ?? []
        state.withLock { $0.isStopped ? watches.forEach { $0.cancel() } : ($0.watches = watches) }
        request()
    }

    /// Ends the watches; no further reading begins.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.watches.forEach { $0.cancel() }
            state.watches = []
        }
    }

    /// Reads the apps after a time, if any runs.
    func request(after time: DispatchTimeInterval) {
        guard state.withLock({ $0.reading?.running.isEmpty == false }) else { return }
        queue.asyncAfter(deadline: .now() + time) { [weak self] in self?.request() }
    }

    /// Reads the apps soon.
    func request() {
        let time = state.withLock { state -> DispatchTime? in
            guard !state.isRequested, !state.isStopped else { return nil }
            state.isRequested = true
            return max(.now(), state.earliest)
        }
        if let time { queue.asyncAfter(deadline: time) { [weak self] in self?.read() } }
    }

    private func read() {
        let old = state.withLock { state in
            // Later changes need another reading.
            state.isRequested = false
            return state.reading
        }
        let start = DispatchTime.now()
        let reading = declarations.read(after: old)
        let end = DispatchTime.now()
        let (isStopped, isTickNeeded) = state.withLock { state in
            state.reading = reading
            let cost = end.uptimeNanoseconds - start.uptimeNanoseconds
            state.earliest = DispatchTime(
                uptimeNanoseconds: end.uptimeNanoseconds + max(Self.pause, Self.pauseFactor * cost))
            let isTickNeeded = !reading.running.isEmpty && !state.isTicking
            if isTickNeeded { state.isTicking = true }
            return (state.isStopped, isTickNeeded)
        }
        guard !isStopped else { return }
        onReading(reading)
        if isTickNeeded { queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.tick() } }
    }

    private func tick() {
        state.withLock { $0.isTicking = false }
        request()
    }
}
