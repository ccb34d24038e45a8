import FlagRemote
import FlagSourceFile
import Synchronization

/// A question to services, with what was known of them when it was put.
struct Question: Sendable {
    /// The sources, files among them.
    let sources: [RemoteState.Source]
    /// Later questions have higher numbers.
    fileprivate let number: Int
}

/// The order of questions. Several are on their way at once, such as a fetch of all sources and one of the source that has
/// told of a change, and their answers come in any order.
final class QuestionOrder: Sendable {
    private struct State {
        var count = 0
        /// The number of the question whose answer was taken last, by the source's identity.
        var taken: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// A question that is put now.
    func question(_ sources: [RemoteState.Source]) -> Question {
        state.withLock { state in
            state.count += 1
            return Question(sources: sources, number: state.count)
        }
    }

    /// The answers that are to be taken: none to a question that was put before another one whose answer was taken, and no
    /// "unchanged" since a version that is no longer the one that is known.
    ///
    /// - Parameter known: the sources as they are known now.
    func current(
        _ answers: SourceAnswers, to question: Question, known: [RemoteState.Source]
    ) -> SourceAnswers {
        func version(_ identity: String, in sources: [RemoteState.Source]) -> String?? {
            sources.first { $0.source.identity == identity }.map(\.version)
        }
        return state.withLock { state in
            answers.filter { identity, answer in
                guard state.taken[identity, default: 0] <= question.number else { return false }
                if answer == .success(.unchanged),
                    version(identity, in: known) != version(identity, in: question.sources)
                {
                    return false
                }
                state.taken[identity] = question.number
                return true
            }
        }
    }
}
