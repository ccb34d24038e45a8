import Dispatch
import FlagRemote
import Synchronization

/// Waits for asynchronous work.
enum Waiting {
    /// Blocks the thread until asynchronous work returns a result. The work runs on the engine's threads, so a blocked
    /// thread of Swift concurrency does not block the work.
    static func result<Value: Sendable>(of work: @escaping @Sendable () async -> Value) -> Value {
        let box = ResultBox<Value>()
        Task(executorPreference: OwnThreads.engine) { box.put(await work()) }
        return box.waitForValue()
    }
}

/// Passes a result from a task to a waiting thread.
private final class ResultBox<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    func put(_ new: Value) {
        result.withLock { $0 = new }
        isReady.signal()
    }

    func waitForValue() -> Value {
        while true {
            isReady.wait()
            if let result = result.withLock({ $0 }) { return result }
        }
    }
}
