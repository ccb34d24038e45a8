/// The entries of a file of overrides, sorted by whether they can be imported. The menu and the command line share it.
public struct ImportPlan: Sendable, Hashable {
    /// An entry that is not imported as it is.
    public struct Problem: Sendable, Hashable {
        /// Why it is not.
        public enum Reason: Sendable, Hashable {
            /// It has no value, or no key; a sentence that says where.
            case unreadable(String)
            /// No flag has the key, as a sentence with the nearest keys; `value` is imported for whoever wants the key all the same.
            case unknown(String, value: String)
            /// The flag cannot have the value; a sentence that says why.
            case invalid(String)
        }

        /// The entry's key.
        public let key: String
        /// Why it is not imported.
        public let reason: Reason
    }

    /// The overrides, each a value that its flag may have.
    public let values: [String: String]
    /// The other entries: those that cannot be read as the file has them, then by key.
    public let problems: [Problem]
    /// The app whose overrides they are; `nil` if the file does not say.
    public let app: String?

    /// Checks every entry.
    ///
    /// - Parameters:
    ///   - allowsAny: whether values count that their flags may not have.
    ///   - board: the flags.
    ///   - facts: what is known of a key's flag; `nil` if no flag has the key.
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

    /// The overrides, also those of keys that no flag has if they are wanted.
    public func values(withUnknown: Bool) -> [String: String] {
        withUnknown ? values.merging(unknownValues) { known, _ in known } : values
    }

    /// The entries that are left out.
    public func leftOut(withUnknown: Bool) -> [Problem] {
        guard withUnknown else { return problems }
        return problems.filter { if case .unknown = $0.reason { false } else { true } }
    }
}

extension FlagBoard {
    /// The entries of a file as they fit these flags.
    package func plan(_ entries: ImportEntries) -> ImportPlan {
        ImportPlan(entries, on: self) { key in place(of: FlagText(key)).map(facts(at:)) }
    }
}
