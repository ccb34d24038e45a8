import Dispatch

/// Threads of the server's own. A test that waits for a program holds up the threads of tasks, and the program may be
/// waiting for the server.
final class LoopbackExecutor: TaskExecutor {
    static let shared = LoopbackExecutor()

    private let queue = DispatchQueue(label: "flagmenu.loopback", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
