package import FlagModel

/// Two states of the store, and the changes from the good one to the bad one, of which some are guilty.
package struct BisectPlan: Sendable {
    package enum Change: Sendable, Hashable {
        case flag(FlagText)
        case part(ContextPart)

        package var name: String {
            switch self {
            case .flag(let key): key.string
            case .part(let part): part.label
            }
        }

        /// What a state has of it; `nil` if nothing.
        fileprivate func value(in state: OverrideTable) -> String? {
            switch self {
            case .flag(let key): state.overrides[key.string]?.value
            case .part(let part): state.contexts.parts[part]
            }
        }

        fileprivate func edit(to value: String?) -> OverrideEdit {
            switch self {
            case .flag(let key): value.map { .set(key: key.string, value: $0) } ?? .clear(key: key.string)
            case .part(let part):
                .changeContext(ContextChange(source: part.source.string, edits: [part.edit(to: value)]))
            }
        }
    }

    /// The changes; each follows what it requires.
    package let changes: [Change]
    /// The search among the changes, which are numbered by their order.
    package let search: BisectSearch
    private let good: OverrideTable
    private let bad: OverrideTable

    /// - Parameter requires: returns the keys of the flags that a flag requires.
    package init(from good: OverrideTable, to bad: OverrideTable, requires: (FlagText) -> [FlagText]) {
        let keys = bad.overrides.mapValues(\.value).changedKeys(from: good.overrides.mapValues(\.value)).sorted()
        let parts = bad.contexts.changes(from: good.contexts).map { Change.part($0.part) }
        let changes = parts + BisectSearch.ordered(keys, requires: requires).map(Change.flag)
        let numbers = Dictionary(uniqueKeysWithValues: zip(changes, changes.indices))
        search = BisectSearch(
            requires: changes.map { change in
                guard case .flag(let key) = change else { return [] }
                return requires(key).compactMap { numbers[.flag($0)] }
            })
        (self.good, self.bad, self.changes) = (good, bad, changes)
    }

    /// The good state with the values of some of the changes.
    package func table(with numbers: Set<Int>) -> OverrideTable {
        good.applying(numbers.sorted().map { changes[$0].edit(to: difference($0).new) })
    }

    /// What a change makes of the good state.
    package func difference(_ number: Int) -> ValueDifference {
        let change = changes[number]
        return ValueDifference(key: change.name, old: change.value(in: good), new: change.value(in: bad))
    }

    /// The edits that take changes back to the good state.
    package func edits(undoing numbers: [Int]) -> [OverrideEdit] {
        numbers.map { changes[$0].edit(to: difference($0).old) }
    }

    /// Guilty changes by their names: `a with b, and c`.
    package func words(of sets: [BisectSearch.GuiltySet]) -> String {
        sets.map { $0.changes.map { changes[$0].name }.joined(separator: " with ") }.joined(separator: ", and ")
    }
}

// The log, from which a search can go on.
extension BisectPlan {
    private var changesJSON: JSONOutput {
        .array(
            changes.indices.map { number in
                let difference = difference(number)
                return .object([
                    ("name", .string(difference.key)), ("good", FlagJSON.text(difference.old)),
                    ("bad", FlagJSON.text(difference.new)),
                ])
            })
    }

    /// The changes, and the outcomes of a search among them by their numbers.
    package func json(_ search: BisectSearch) -> JSONOutput {
        let outcomes = search.log.map { state, outcome in
            JSONOutput.object([
                ("changes", .array(state.sorted().map(JSONOutput.integer))), ("outcome", .string(outcome.rawValue)),
            ])
        }
        return .object([("changes", changesJSON), ("outcomes", .array(outcomes))])
    }

    /// The search with the outcomes of a log, which is `null` before the first one; `nil` if it is not a log, or one of
    /// other changes.
    package func search(replaying log: [UInt8]) -> BisectSearch? {
        guard let log = try? JSONDocument(parsing: log).root else { return nil }
        if log.kind == .null { return search }
        guard log["changes"]?.compactJSON == changesJSON.text(indented: false) else { return nil }
        var search = search
        for entry in log["outcomes"]?.elements.map({ $0 }) ?? [] {
            let numbers = entry["changes"]?.elements.compactMap(\.wholeNumber) ?? []
            guard let outcome = entry["outcome"]?.text.flatMap({ BisectSearch.Outcome(rawValue: $0.string) }),
                // An entry that is damaged must not become the one of another state.
                entry["changes"]?.kind == .array, entry["changes"]?.count == numbers.count,
                numbers.allSatisfy(changes.indices.contains)
            else { return nil }
            search.record(outcome, for: Set(numbers))
        }
        return search
    }
}
