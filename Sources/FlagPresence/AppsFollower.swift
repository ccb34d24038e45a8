import Dispatch
import FlagStorage
import Synchronization

/// Reads which apps run, each time when that may have changed, and as long as some run, once a second.
///
/// All readings are made on one queue, so that an older one is never reported after a newer one. Requests for a reading
/// are merged: a busy app changes its announcement up to 20 times a second.
package final class AppsFollower: Sendable {
    /// The shortest time between two readings.
    private static let pause = DispatchTimeInterval.milliseconds(50)
    /// The time between two readings without a change of a file. Nothing else tells that an app has had time to use a
    /// change or, on some systems, that a process has ended.
    private static let interval = DispatchTimeInterval.seconds(1)

    private struct State {
        var watches: [DirectoryWatch] = []
        /// The last reading, whose unchanged parts are used again.
        var reading: RunningApps.Reading?
        /// When the next reading may begin.
        var earliest = DispatchTime(uptimeNanoseconds: 0)
        /// When the next reading begins that includes all changes so far; `nil` if none will.
        var next: DispatchTime?
        var isStopped = false
    }

    private let apps: RunningApps
    private let onReading: @Sendable (RunningApps.Reading) -> Void
    private let queue = DispatchQueue(label: "flagmenu.apps")
    private let state = Mutex(State())

    /// - Parameter onReading: called on one queue with each reading.
    package init(_ apps: RunningApps, onReading: @escaping @Sendable (RunningApps.Reading) -> Void) {
        (self.apps, self.onReading) = (apps, onReading)
    }

    /// Starts watching, and reads the apps for the first time.
    package func start() {
        // Without a watch, changes are shown after the interval.
        let watches = (try? apps.watch { [weak self] in self?.request() }) ?? []
        state.withLock { $0.isStopped ? watches.forEach { $0.cancel() } : ($0.watches = watches) }
        request()
    }

    /// Ends the watches; no further reading begins.
    package func stop() {
        let watches = state.withLock { state in
            defer { (state.isStopped, state.watches) = (true, []) }
            return state.watches
        }
        watches.forEach { $0.cancel() }
    }

    /// Reads the apps soon, or after a time.
    private func request(after time: DispatchTimeInterval = .seconds(0)) {
        let time = state.withLock { state -> DispatchTime? in
            let time = max(.now() + time, state.earliest)
            guard !state.isStopped, time < state.next ?? .distantFuture else { return nil }
            state.next = time
            return time
        }
        if let time { queue.asyncAfter(deadline: time) { [weak self] in self?.read(dueAt: time) } }
    }

    private func read(dueAt time: DispatchTime) {
        let (old, isDue) = state.withLock { state in
            defer { if state.next == time { state.next = nil } }
            return (state.reading, state.next == time && !state.isStopped)
        }
        // An earlier reading was requested after this one.
        guard isDue else { return }
        let reading = apps.read(after: old)
        state.withLock { ($0.reading, $0.earliest) = (reading, .now() + Self.pause) }
        onReading(reading)
        // Without a watch, nothing else tells that an app has started.
        let isWatching = state.withLock { !$0.watches.isEmpty }
        if !reading.apps.isEmpty || reading.isIncomplete || !isWatching { request(after: Self.interval) }
    }
}
