/// The entries of an imported file, checked. Used by the menu and the command line.
public struct ImportPlan: Sendable, Hashable {
    /// An entry that cannot be imported as it is.
    public struct Problem: Sendable, Hashable {
        /// Why it cannot.
        public enum Reason: Sendable, Hashable {
            /// It has no value, or no key; a sentence with its place.
            case unreadable(String)
            /// No flag has the key, as a sentence with the nearest keys; `value` is imported if unknown keys are
            /// allowed.
            case unknown(String, value: String)
            /// The value is invalid for the flag; a sentence with the reason.
            case invalid(String)
        }

        /// The entry's key.
        public let key: String
        /// Why it cannot be imported.
        public let reason: Reason
    }

    /// The overrides, each valid for its flag.
    public let values: [String: String]
    /// The other entries: first unreadable ones in the order of the file, then by key.
    public let problems: [Problem]
    /// The app of the overrides; `nil` if the file does not name it.
    public let app: String?

    /// Checks every entry.
    ///
    /// - Parameters:
    ///   - allowsAny: whether values that are not valid count too.
    ///   - board: the flags.
    ///   - facts: the facts of a key's flag; `nil` if no flag has the key.
    package init(
        _ entries: ImportEntries, allowsAny: Bool = false, on board: FlagBoard, facts: (String) -> FlagFacts?
    ) {
        var values: [String: String] = [:]
        var problems = entries.problems
        for (key, value) in entries.values.sorted(by: { $0.key < $1.key }) {
            guard let facts = facts(key) else {
                problems.append(Problem(key: key, reason: .unknown(board.sentence(onUnknown: key), value: value)))
                continue
            }
            switch facts.verdict(on: value) {
            case .fitting(let stored): values[key] = stored
            case .noOption(let sentence), .unfit(let sentence):
                if allowsAny {
                    values[key] = value
                } else {
                    problems.append(Problem(key: key, reason: .invalid(sentence)))
                }
            }
        }
        (self.values, self.problems, app) = (values, problems, entries.app)
    }

    /// The overrides of keys that no flag has.
    public var unknownValues: [String: String] {
        problems.reduce(into: [:]) { values, problem in
            if case .unknown(_, let value) = problem.reason { values[problem.key] = value }
        }
    }

    /// The overrides, optionally including unknown keys.
    public func values(withUnknown: Bool) -> [String: String] {
        withUnknown ? values.merging(unknownValues) { known, _ in known } : values
    }

    /// The entries that are skipped.
    public func leftOut(withUnknown: Bool) -> [Problem] {
        guard withUnknown else { return problems }
        return problems.filter { if case .unknown = $0.reason { false } else { true } }
    }
}

extension FlagBoard {
    /// The import plan of entries for these flags.
    package func plan(_ entries: ImportEntries) -> ImportPlan {
        ImportPlan(entries, on: self) { key in place(of: FlagText(key)).map(facts(at:)) }
    }
}
