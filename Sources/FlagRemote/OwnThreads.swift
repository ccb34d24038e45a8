import Dispatch

/// Threads for tasks that may block. The shared pool has as many threads as processors, so a task that blocks one
/// thread delays all other tasks.
package final class OwnThreads: TaskExecutor {
    /// Threads for the engine's requests and time limits: a source that blocks its thread, such as by reading a file,
    /// delays neither the app's tasks nor time limits.
    package static let engine = OwnThreads(label: "flags.engine")

    private let queue: DispatchQueue

    /// - Parameters:
    ///   - label: the name of the threads in debuggers.
    ///   - isConcurrent: whether there may be several threads. Other work that blocks can delay these, but not a single
    ///     one.
    package init(label: String, isConcurrent: Bool = true) {
        queue = DispatchQueue(label: label, attributes: isConcurrent ? .concurrent : [])
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
