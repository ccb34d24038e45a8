#if Server
import Synchronization

/// Counts the requests that were rejected because they had no valid token. Their clients are in no list, so the number
/// is the only trace of an app without a token.
final class RejectedRequests: Sendable {
    private let number = Atomic(0)

    /// How many there were.
    var count: Int { number.load(ordering: .relaxed) }

    /// Counts one more.
    func add() { number.add(1, ordering: .relaxed) }
}
#endif
