import Dispatch
import FlagRemote
import Synchronization

/// Waits on a thread that may wait for what is done elsewhere in its own time.
package enum Waiting {
    /// The answer of asynchronous work. The thread that waits may be one that tasks share.
    package static func answer<Answer: Sendable>(of work: @escaping @Sendable () async -> Answer) -> Answer {
        let box = AnswerBox<Answer>()
        Task(executorPreference: OwnThreads.engine) { box.put(await work()) }
        return box.take()
    }
}

/// Hands an answer from a task to a thread that waits for it.
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
