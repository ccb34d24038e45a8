package import FlagModel

extension FlagFacts {
    /// The word for an expired flag.
    package static let expiredWord = "expired"

    /// The word for the state of the flag and its override, as commands print it; empty for an ordinary flag.
    package var stateWord: String { isOnlyExpired ? Self.expiredWord : state.word }

    /// Whether the flag has expired and has no override. The state of an override would be more important.
    package var isOnlyExpired: Bool { state == .notSet && expiry != nil }
}

extension OverrideState {
    /// The state as a sentence, for the explanation; `nil` if it needs none.
    package var sentence: String? {
        switch self {
        case .notSet, .overridden: nil
        case .sameAsRemote: "Same as remote. The override stays if remote changes."
        case .stale(let reason), .invalid(let reason): "\(reason.capitalized)."
        }
    }
}
