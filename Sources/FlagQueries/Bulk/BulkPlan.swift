public import FlagModel

/// The plan of a bulk action: its changes, to be confirmed. Menu and commands change and skip the same flags by it.
public struct BulkPlan: Sendable, Equatable {
    /// The change of one flag.
    public struct Line: Sendable, Equatable {
        /// The flag's key.
        public let key: String
        /// The value before the change: the override's value if the override is cleared, otherwise the value in use.
        /// `nil` if there is no value.
        public let before: String?
        /// The value after the change; `nil` if no layer has one.
        public let after: String?

        init(key: String, before: String?, after: String?) {
            (self.key, self.before, self.after) = (key, before, after)
        }

        init(_ change: ContextPartChange) {
            self.init(
                key: change.part.label, before: change.part.shown(change.old), after: change.part.shown(change.new))
        }
    }

    /// A skipped flag, and why, as a sentence.
    public struct Exception: Sendable, Equatable {
        /// The flag's key.
        public let key: String
        /// Why the flag is skipped.
        public let reason: String

        package var sentence: String { "\(key) is left out. \(reason)" }
    }

    /// The kind of change. The raw value is the label of the key that confirms it.
    public enum BulkAction: String, Sendable {
        case clear = "reset"
        case set, activate
        case importing = "import"
        case move
        case share = "set it"
    }

    /// The input of the plan. If values change before it is confirmed, the plan is made again from this input.
    package enum Request: Sendable, Equatable {
        case clearing(keys: [String], withContexts: Bool, adjective: String, scope: String)
        case setting(keys: [String], value: String)
        case importing(file: String, ImportPlan, withUnknown: Bool, replacing: Bool)
        case activating
        case moving(keys: [String], team: String)
        case sharing(keys: [String], value: String, team: String)
    }

    package private(set) var request: Request
    /// The title of a dialog that shows the plan.
    public let title: String
    /// The kind of change.
    public let bulkAction: BulkAction
    /// The result of the change, in one or more sentences.
    public let outcome: String
    /// The changes, in the order of the list.
    public let lines: [Line]
    /// The skipped flags, with reasons.
    public let exceptions: [Exception]
    /// The keys of flags that have the new value already. A dialog shows only the number of these flags.
    public private(set) var unchanged: [String] = []
    /// The edits to save after confirmation; empty for an activation.
    public let edits: [OverrideEdit]

    /// The keys of flags that get a value, or have it already.
    package var keysSet: [String] { edits.keysSet(besides: exceptions) }
}

extension BulkPlan {
    /// The plan to clear overrides.
    ///
    /// - Parameters:
    ///   - flags: the flags; those without an override are skipped.
    ///   - contexts: the changes of contexts and conditions to reset, too; `nil` if they stay.
    ///   - adjective: a word for the overrides, such as `marked`; empty for all overrides.
    ///   - scope: where the flags are, such as `in Login`; empty for flags in any place.
    public static func clearing(
        _ flags: [FlagFacts], with contexts: FlagTable<ContextOverride>? = nil, adjective: String = "",
        scope: String = ""
    ) -> BulkPlan {
        let overridden = flags.filter { $0.override != nil }
        let parts = FlagTable<ContextOverride>().changes(from: contexts ?? [:])
        let count = overridden.count + parts.count
        let noun = (parts.isEmpty ? "override" : "change") + (count == 1 ? "" : "s")
        let words = ["Reset", "\(count)", adjective, noun, scope].filter { !$0.isEmpty }
        return BulkPlan(
            request: .clearing(
                keys: overridden.map(\.key), withContexts: contexts != nil, adjective: adjective, scope: scope),
            title: "\(words.joined(separator: " "))?", bulkAction: .clear,
            outcome: overridden.contains { $0.team != nil } ? "The values below return." : "The remote values return.",
            lines: overridden.map { flag in
                Line(key: flag.key, before: flag.override?.value ?? "", after: flag.valueWithoutOverride)
            } + parts.map(Line.init),
            exceptions: [],
            edits: overridden.map { .clear(key: $0.key) }
                + (contexts ?? [:]).sortedByKey.map {
                    .changeContext(ContextChange(source: $0.key, edits: [.reset]))
                })
    }

    /// The changes that set flags to a value.
    private struct Settings {
        var (lines, exceptions, edits): ([Line], [Exception], [OverrideEdit]) = ([], [], [])
        /// The keys of flags that already have the value.
        var unchanged: [String] = []

        /// - Parameters:
        ///   - flags: the flags.
        ///   - value: the value for all of them.
        ///   - current: returns the value that a flag has now.
        ///   - isUnchanged: returns whether a flag already has the value.
        init(
            _ flags: [FlagFacts], to value: String, from current: (FlagFacts) -> String?,
            isUnchanged: (FlagFacts) -> Bool
        ) {
            for flag in flags {
                guard !isUnchanged(flag) else {
                    unchanged.append(flag.key)
                    continue
                }
                guard case .valid(let stored) = flag.check(on: value) else {
                    exceptions.append(Exception(key: flag.key, reason: flag.invalidReason(toChoosing: value)))
                    continue
                }
                lines.append(Line(key: flag.key, before: current(flag), after: stored))
                edits.append(.set(key: flag.key, value: stored))
            }
        }
    }

    /// The plan to set flags to a value. Flags that already have the value are listed in ``unchanged``, flags that
    /// cannot have the value in ``exceptions``.
    public static func setting(_ flags: [FlagFacts], to value: String) -> BulkPlan {
        let settings = Settings(flags, to: value, from: \.value) { $0.alreadyHas(value) }
        let (exceptions, unchanged) = (settings.exceptions, settings.unchanged)
        let quotedValue = JSONOutput.quoted(value, limit: 40)
        let outcome = [
            exceptions.isEmpty
                ? "They keep the value until it is reset."
                : "\(exceptions.count.counted("flag cannot have the value", "flags cannot have the value")), unchanged.",
            unchanged.isEmpty
                ? "" : "\(unchanged.count.counted("other already has", "others already have")) the value.",
        ]
        return BulkPlan(
            request: .setting(keys: flags.map(\.key), value: value),
            title: "Set \(settings.lines.count.counted("flag")) to \(quotedValue)?", bulkAction: .set,
            outcome: outcome.filter { !$0.isEmpty }.joined(separator: " "), lines: settings.lines,
            exceptions: exceptions, unchanged: unchanged, edits: settings.edits)
    }

    /// The plan to import overrides from a file. Flags whose entries cannot be imported keep their overrides.
    ///
    /// - Parameters:
    ///   - plan: the checked entries of the file.
    ///   - file: the path of the file.
    ///   - withUnknown: whether to import keys that no flag has.
    ///   - table: the current changes.
    ///   - replacing: whether to remove changes that the file does not name.
    ///   - app: the app to import into.
    ///   - facts: returns the facts of the flag with a key.
    public static func importing(
        _ plan: ImportPlan, from file: String, withUnknown: Bool = false, over table: OverrideTable,
        replacing: Bool, into app: String, facts: (String) -> FlagFacts
    ) -> BulkPlan {
        let overrides = table.overrides
        let contextEdits = plan.contextEdits(over: table.contexts, replacing: replacing)
        let contextChanges = table.applying(contextEdits).contexts.changes(from: table.contexts)
        let leftOut = plan.leftOut(withUnknown: withUnknown)
        var values = plan.values(withUnknown: withUnknown)
        if replacing { for issue in leftOut { values[issue.key] = overrides[issue.key]?.value } }
        let keys = replacing ? values.keySet.union(overrides.keySet) : values.keySet
        let changedKeys = keys.sorted().map(\.string).filter { overrides[$0]?.value != values[$0] }
        let count = changedKeys.count + contextChanges.count
        let sortedValues = values.sortedByKey
        let outcome = [
            plan.entries.app.flatMap { $0 == app ? nil : "The file has the overrides of \($0), this is \(app)." },
            replacing ? "Overrides that are not in the file are reset." : "Overrides that are not in the file stay.",
            leftOut.isEmpty
                ? nil : "\(leftOut.count.counted("entry is", "entries are")) left out; the end of the list shows why.",
        ]
        return BulkPlan(
            request: .importing(file: file, plan, withUnknown: withUnknown, replacing: replacing),
            title: count == 0 ? "Nothing to import" : "Import \(count.counted("change"))?",
            bulkAction: .importing,
            outcome: outcome.compactMap { $0 }.joined(separator: " "),
            lines: changedKeys.map { key in
                let flag = facts(key)
                return Line(key: key, before: flag.value, after: values[key] ?? flag.valueWithoutOverride)
            } + contextChanges.map(Line.init),
            exceptions: leftOut.map { Exception(key: $0.key, reason: $0.sentence) },
            edits: (replacing
                ? overrides.replaced(by: values) : sortedValues.map { .set(key: $0.key, value: $0.value) })
                + plan.annotations(of: plan.values(withUnknown: withUnknown)) + contextEdits)
    }

    /// The plan to activate fetched values.
    ///
    /// - Parameters:
    ///   - waiting: the values that wait for activation.
    ///   - overrides: the current overrides, which win over the waiting values.
    package static func activating(_ waiting: [ValueDifference], overrides: FlagTable<FlagOverride>) -> BulkPlan {
        let overridden = waiting.count { overrides[$0.key] != nil }
        let overrideNote =
            overridden == 0
            ? ""
            : " \(overridden.counted("is overridden and stays", "are overridden and stay")) as you set \(overridden == 1 ? "it" : "them")."
        return BulkPlan(
            request: .activating, title: "Activate \(waiting.count.counted("remote value"))?", bulkAction: .activate,
            outcome: "\(ValueDifference.summary(waiting)) Apps use them from then on.\(overrideNote)",
            lines: waiting.map { Line(key: $0.key, before: $0.old, after: $0.new) }, exceptions: [], edits: [])
    }

    /// The plan to move overrides to the team, which names the team.
    ///
    /// - Parameters:
    ///   - flags: the flags; those without an override are skipped.
    ///   - team: the address of the team, without secrets.
    package static func moving(_ flags: [FlagFacts], toTeam team: String) -> BulkPlan {
        let overridden = flags.filter { $0.override != nil }
        let (these, them) = overridden.count == 1 ? ("the override here is", "it") : ("the overrides here are", "them")
        return BulkPlan(
            request: .moving(keys: flags.map(\.key), team: team),
            title: "Move \(overridden.count.counted("override")) to the team?", bulkAction: .move,
            outcome: "Everyone who uses \(team) gets \(them); \(these) reset.",
            lines: overridden.map { flag in
                Line(key: flag.key, before: flag.team?.value ?? flag.valueWithoutOverride, after: flag.override?.value)
            },
            exceptions: [], edits: overridden.map { .set(key: $0.key, value: $0.override?.value ?? "") })
    }

    /// The plan to set flags for the team, which names the team. Flags that the team has set to the value are listed
    /// in ``unchanged``, flags that cannot have the value in ``exceptions``.
    ///
    /// - Parameters:
    ///   - flags: the flags.
    ///   - value: the value for all of them.
    ///   - team: the address of the team, without secrets.
    ///   - movesOverrides: whether the overrides of the flags on this machine are cleared.
    public static func sharing(
        _ flags: [FlagFacts], as value: String, withTeam team: String, movesOverrides: Bool = false
    ) -> BulkPlan {
        let settings = Settings(flags, to: value, from: { $0.team?.value ?? $0.valueWithoutOverride }) { flag in
            flag.team.map { flag.isSame($0.value, value) } == true && !(movesOverrides && flag.override != nil)
        }
        let clears = movesOverrides && flags.contains { $0.override != nil }
        return BulkPlan(
            request: .sharing(keys: flags.map(\.key), value: value, team: team),
            title: "Set \(settings.lines.count.counted("flag")) for the team?", bulkAction: .share,
            outcome: "Everyone who uses \(team) gets it\(clears ? "; the override here is reset." : ".")",
            lines: settings.lines, exceptions: settings.exceptions, unchanged: settings.unchanged,
            edits: settings.edits)
    }

    /// The plan to clear values of the team. The menu has none yet; the command line does.
    ///
    /// - Parameters:
    ///   - flags: the flags; those without a value of the team are skipped.
    ///   - team: the address of the team, without secrets.
    public static func clearing(_ flags: [FlagFacts], ofTeam team: String) -> BulkPlan {
        let shared = flags.filter { $0.team != nil }
        return BulkPlan(
            request: .clearing(keys: shared.map(\.key), withContexts: false, adjective: "", scope: "of the team"),
            title: "Reset \(shared.count.counted("value")) of the team?", bulkAction: .clear,
            outcome: "Everyone who uses \(team) gets the remote values.",
            lines: shared.map { Line(key: $0.key, before: $0.team?.value, after: nil) }, exceptions: [],
            edits: shared.map { .clear(key: $0.key) })
    }

    /// The plan for the same request, made again with current values.
    ///
    /// - Parameters:
    ///   - table: the current changes.
    ///   - waiting: the remote values that wait for activation.
    ///   - app: the app to import into.
    ///   - facts: returns the facts of the flag with a key.
    package func refreshed(
        over table: OverrideTable, waiting: [ValueDifference], in app: String,
        facts: (String) -> FlagFacts
    ) -> BulkPlan {
        var plan =
            switch request {
            case .clearing(let keys, let withContexts, let adjective, let scope):
                Self.clearing(
                    keys.map(facts), with: withContexts ? table.contexts : nil, adjective: adjective, scope: scope)
            case .setting(let keys, let value): Self.setting(keys.map(facts), to: value)
            case .importing(let file, let plan, let withUnknown, let replacing):
                Self.importing(
                    plan, from: file, withUnknown: withUnknown, over: table, replacing: replacing, into: app,
                    facts: facts)
            case .activating: Self.activating(waiting, overrides: table.overrides)
            case .moving(let keys, let team): Self.moving(keys.map(facts), toTeam: team)
            case .sharing(let keys, let value, let team):
                Self.sharing(keys.map(facts), as: value, withTeam: team, movesOverrides: true)
            }
        // The old request also has the flags that currently need no change, as they may need a change later.
        plan.request = request
        return plan
    }
}

extension [OverrideEdit] {
    /// The keys of flags that get a value. Skipped flags only keep theirs.
    func keysSet(besides exceptions: [BulkPlan.Exception]) -> [String] {
        flatMap(\.keysSet).filter { key in !exceptions.contains { $0.key == key } }
    }
}

extension FlagTable<FlagOverride> {
    /// The edits that make values the only overrides. One whose value stays keeps its note and its end.
    fileprivate func replaced(by values: FlagTable<String>) -> [OverrideEdit] {
        let kept = sortedByKey.filter { values[$0.key] == $0.value.value }.flatMap { key, override in
            [.end(key: key, .kept)] + [override.note].compactMap { $0 }.map { OverrideEdit.note(key: key, $0) }
        }
        return [.replaceAll(values)] + kept
    }
}

extension ImportPlan {
    /// The edits that add the notes and ends of the imported flags.
    fileprivate func annotations(of values: FlagTable<String>) -> [OverrideEdit] {
        entries.notes.sortedByKey.filter { values[$0.key] != nil }.map { .note(key: $0.key, $0.value) }
            + entries.lives.sortedByKey.filter { values[$0.key] != nil }.map { .end(key: $0.key, $0.value) }
    }

    /// The edits that import the contexts. If changes are replaced, those of other sources are reset, unless the file is
    /// of a kind without contexts.
    fileprivate func contextEdits(over current: FlagTable<ContextOverride>, replacing: Bool) -> [OverrideEdit] {
        guard let contexts = entries.contexts else { return [] }
        let sources = replacing ? contexts.keySet.union(current.keySet) : contexts.keySet
        return sources.sorted().map { source in
            let edits = (replacing ? [ContextEdit.reset] : []) + (contexts[source]?.edits ?? [])
            return .changeContext(ContextChange(source: source.string, edits: edits))
        }
    }
}

extension ImportIssue {
    /// Why the entry is skipped, as a sentence to show beside its key.
    fileprivate var sentence: String {
        switch reason {
        case .unreadable(let sentence), .unknown(let sentence, _), .unknownSource(let sentence): sentence
        case .invalid(let sentence):
            sentence.hasPrefix("\(key): ") ? String(sentence.dropFirst(key.count + 2)) : sentence
        }
    }
}

extension FlagFacts {
    /// Why the flag cannot be set to a value, as a sentence to show beside its key.
    fileprivate func invalidReason(toChoosing value: String) -> String {
        let isClosedList = hasChoice && !isOpenToOtherValues
        return (isClosedList ? nil : invalidReason(to: value))
            ?? "\(JSONOutput.quoted(value, limit: 40)) is not one of its options."
    }
}
