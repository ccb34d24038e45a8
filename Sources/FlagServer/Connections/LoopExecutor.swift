#if Server
import NIOCore
import NIOPosix

/// Runs tasks on the threads of event loops.
///
/// A request is read and its response written on an event loop. If the task in between ran on another thread, each
/// request would wake two threads, which takes longer than responding does. A task that an event loop resumes stays on
/// that loop.
final class LoopExecutor: TaskExecutor {
    private let group: MultiThreadedEventLoopGroup

    init(_ group: MultiThreadedEventLoopGroup) { self.group = group }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let loop = MultiThreadedEventLoopGroup.currentEventLoop ?? group.next()
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
#endif
