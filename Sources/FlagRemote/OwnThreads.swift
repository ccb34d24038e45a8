import Dispatch

/// Threads for tasks that may block theirs. Those that all tasks share are as few as processors, and whoever blocks one holds
/// up everybody else.
package final class OwnThreads: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: what debuggers show.
    package init(label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
