import Dispatch
import FlagRemote

package enum Waiting {
    /// Blocks the thread until asynchronous work returns a value or throws an error. The work runs on the engine's
    /// threads, so a blocked thread of Swift concurrency does not block the work.
    package static func value<Value: Sendable, Failure: Error>(
        of work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // The semaphore orders the write before the read.
        nonisolated(unsafe) var result: Result<Value, Failure>?
        let isReady = DispatchSemaphore(value: 0)
        Task(executorPreference: OwnThreads.engine) {
            do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
            isReady.signal()
        }
        while true {
            isReady.wait()
            if let result { return try result.get() }
        }
    }
}
