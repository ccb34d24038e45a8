import Dispatch
import FlagRemote
import Synchronization

package enum Waiting {
    /// Blocks the thread until asynchronous work returns a value or throws an error. The work runs on the engine's
    /// threads, so a blocked thread of Swift concurrency does not block the work.
    package static func value<Value: Sendable, Failure: Error>(
        of work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = Mutex<Result<Value, Failure>?>(nil)
        let isReady = DispatchSemaphore(value: 0)
        Task(executorPreference: OwnThreads.engine) {
            let outcome: Result<Value, Failure>
            do throws(Failure) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            isReady.signal()
        }
        while true {
            isReady.wait()
            if let outcome = result.withLock({ $0 }) { return try outcome.get() }
        }
    }
}
