public import FlagModel

/// The status of the overrides that a team shares.
public struct TeamStatus: Sendable, Equatable {
    /// The team as dialogs name it: the address without secrets.
    public let name: String
    /// When the values were received or confirmed; `nil` if there are none.
    public internal(set) var fetchedAt: Timestamp?
    /// Why the team cannot be reached, as a sentence; `nil` if it can.
    public internal(set) var error: String?
    /// Whether values have been received. The first ones are not an update.
    var isRead = false
    /// The changes that were requested and not acknowledged yet, by the id of the request.
    var pending: [RequestID: Change] = [:]
    /// The last move, as long as undo can revert it: nothing else was changed since.
    var lastMove: [OverrideChange] = []

    /// A requested change.
    enum Change: Sendable, Equatable {
        /// Overrides are moved to the team; the local ones are cleared when the team has them.
        case move([OverrideEdit])
        /// The last move is reverted; then the local overrides return.
        case undo
    }

    /// A team whose values have not been read yet.
    init(name: String) { self.name = name }

    mutating func takeRead(at moment: Timestamp?, error: String?) {
        (fetchedAt, self.error) = (moment, error)
        isRead = isRead || moment != nil
    }
}
