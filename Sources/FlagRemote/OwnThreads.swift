import Dispatch

/// Threads for tasks that may block theirs. Those that all tasks share are as few as processors, and whoever blocks one holds
/// up everybody else.
package final class OwnThreads: TaskExecutor {
    /// Where the engine's requests run, and the waiting for them: a source that blocks its thread, as reading a file does, holds
    /// back neither the app's own tasks nor the clock of those who wait no longer than they said.
    package static let engine = OwnThreads(label: "flags.engine")

    private let queue: DispatchQueue

    /// - Parameter label: what debuggers show.
    package init(label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
