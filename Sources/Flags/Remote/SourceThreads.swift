import Dispatch

/// Where sources do their work. One that blocks its thread, as reading a file does, holds back neither the app's own tasks
/// nor the clock of those who wait no longer than they said: the threads that all tasks share are as few as processors.
final class SourceThreads: TaskExecutor {
    static let shared = SourceThreads()

    private let queue = DispatchQueue(label: "flags.sources", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
