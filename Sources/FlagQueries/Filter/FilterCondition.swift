package import FlagModel

/// A condition of a filter, such as `is:overridden`.
package enum FilterCondition: Sendable, Equatable {
    /// The words that may follow `is:`.
    package enum State: String, Sendable, CaseIterable {
        case overridden, changed, same, stale, invalid, expired, remote, pinned, declared, undeclared, missing,
            mismatched, on, off
    }

    /// The prefixes of conditions, without the colon.
    package enum Kind: String, Sendable, CaseIterable {
        case state = "is"
        case type
        case category = "cat"
        case layer
        case value

        /// The words that may follow the colon; `nil` for `cat`, whose categories depend on the catalog, and for
        /// `value`.
        package var words: [String]? {
            switch self {
            case .state: State.allCases.map(\.rawValue)
            case .type: FlagType.allCases.map(\.rawValue)
            case .layer: FlagLayer.allCases.map(\.word)
            case .category, .value: nil
            }
        }
    }

    case states([State])
    case types([FlagType])
    case category(FuzzyPattern, isLiteral: Bool)
    case layers([FlagLayer])
    case value(ValueCondition)

    /// Parses the text after the colon. The beginning of a word is enough. Returns `nil` if no word begins with the
    /// text.
    ///
    /// - Parameter isLiteral: whether a category must contain the text, in any case, instead of only its letters in
    ///   order.
    init?(_ kind: Kind, _ text: String, isLiteral: Bool = false) {
        let word = text.lowercased()
        func values<Value: CaseIterable>(_ name: (Value) -> String) -> [Value]? {
            let matching = Value.allCases.filter { name($0).hasPrefix(word) }
            return matching.isEmpty ? nil : matching
        }
        let condition: FilterCondition? =
            switch kind {
            case .state: values(\State.rawValue).map { .states($0) }
            case .type: values(\FlagType.rawValue).map { .types($0) }
            case .layer: values(\FlagLayer.word).map { .layers($0) }
            case .category: .category(FuzzyPattern(isLiteral ? word : text), isLiteral: isLiteral)
            case .value: ValueCondition(text).map { .value($0) }
            }
        guard let condition else { return nil }
        self = condition
    }
}

/// A condition on the value in use: `>10` and `<10` for numbers, `=text` for the whole value in any case, or a text
/// that the value contains.
package struct ValueCondition: Sendable, Equatable {
    private let sign: Character?
    private let text: String
    private let number: Double?

    /// Returns `nil` if a number is missing after `>` or `<`, or a text after `=`.
    init?(_ condition: String) {
        sign = condition.first.flatMap { "<>=".contains($0) ? $0 : nil }
        text = (sign == nil ? condition : String(condition.dropFirst())).lowercased()
        number = FlagReading.double(text)
        if text.isEmpty || sign != nil && sign != "=" && number == nil { return nil }
    }

    func matches(_ value: String) -> Bool {
        switch sign {
        case ">": FlagReading.double(value).flatMap { value in number.map { value > $0 } } ?? false
        case "<": FlagReading.double(value).flatMap { value in number.map { value < $0 } } ?? false
        case "=": value.lowercased() == text
        default: value.lowercased().contains(text)
        }
    }
}
