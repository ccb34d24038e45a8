import FlagModel

/// A condition on a flag that is not a text search.
enum FilterCondition: Sendable, Equatable {
    /// Words that may follow `is:`.
    enum State: String, Sendable, CaseIterable {
        case overridden, changed, same, stale, invalid, expired, remote, pinned
    }

    /// Prefixes of conditions.
    enum Kind: String, Sendable, CaseIterable {
        case state = "is"
        case type
        case category = "cat"
        case layer

        /// The words that may follow; `nil` for the categories of the catalog.
        var words: [String]? {
            switch self {
            case .state: State.allCases.map(\.rawValue)
            case .type: FlagType.allCases.map(\.rawValue)
            case .layer: Layer.allCases.map(\.word)
            case .category: nil
            }
        }
    }

    case states([State])
    case types([FlagType])
    case category(FuzzyPattern, isLiteral: Bool)
    case layers([Layer])

    /// The condition of a kind with a text, whose first letters are enough; `nil` if it is unknown.
    ///
    /// - Parameter isLiteral: whether a category matches only by a part of its name, in any case.
    init?(_ kind: Kind, _ text: String, isLiteral: Bool = false) {
        let word = text.lowercased()
        func named<Value: CaseIterable>(_ name: (Value) -> String) -> [Value]? {
            let found = Value.allCases.filter { name($0).hasPrefix(word) }
            return found.isEmpty ? nil : found
        }
        let condition: FilterCondition? =
            switch kind {
            case .state: named(\State.rawValue).map { .states($0) }
            case .type: named(\FlagType.rawValue).map { .types($0) }
            case .layer: named(\Layer.word).map { .layers($0) }
            case .category: .category(FuzzyPattern(isLiteral ? word : text), isLiteral: isLiteral)
            }
        guard let condition else { return nil }
        self = condition
    }
}

extension OverrideState {
    /// `true` if a flag in this state matches a word after `is:`.
    func isMeant(by word: FilterCondition.State) -> Bool {
        switch word {
        case .overridden, .changed: self != .notSet
        case .same: self == .sameAsRemote
        case .stale: isStale
        case .invalid: if case .invalid = self { true } else { false }
        case .expired, .remote, .pinned: false
        }
    }
}
