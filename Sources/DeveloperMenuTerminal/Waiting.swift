import Dispatch
import FlagRemote
import Synchronization

/// Waits for asynchronous work on a thread that may block.
package enum Waiting {
    /// The result of asynchronous work. The waiting thread may be one that tasks share.
    package static func answer<Answer: Sendable>(of work: @escaping @Sendable () async -> Answer) -> Answer {
        let box = AnswerBox<Answer>()
        Task(executorPreference: OwnThreads.engine) { box.put(await work()) }
        return box.take()
    }
}

/// Passes a result from a task to a waiting thread.
private final class AnswerBox<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ new: Answer) {
        answer.withLock { $0 = new }
        isThere.signal()
    }

    func take() -> Answer {
        while true {
            isThere.wait()
            if let answer = answer.withLock({ $0 }) { return answer }
        }
    }
}
