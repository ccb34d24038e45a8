public import FlagModel

/// The JSON of flags, as commands print it and the server sends it, in one place because scripts rely on its members.
public enum FlagJSON {
    /// A flag in a list. Every flag has the same members; members without a value are null.
    ///
    /// - Parameters:
    ///   - category: the name of the flag's category.
    ///   - source: the name of the source of the flag's remote value.
    ///   - isValueKnown: whether the effective value is known.
    public static func listed(
        _ facts: FlagFacts, category: String?, source: String?, isValueKnown: Bool = true
    ) -> JSONOutput {
        .object(
            stateMembers(facts, isValueKnown) + [
                ("category", text(category)),
                ("description", text(facts.item?.details?.string)),
                ("options", .array(facts.options.map(option))),
                ("values", .object(values(facts.explanation))),
            ] + authorAndTimes(of: facts.override) + [
                ("source", text(source)),
                ("declaredBy", declarations(of: facts)),
                ("mismatches", .array(facts.mismatches.map(JSONOutput.string))),
            ] + (facts.team.map { [("team", team($0))] } ?? [])
                + (facts.forcedCondition.map { [("forcedCondition", .string($0))] } ?? []))
    }

    /// The programs whose code declares a flag, and what each declares.
    private static func declarations(of facts: FlagFacts) -> JSONOutput {
        .array(
            facts.declarations.map { declaration in
                .object([
                    ("program", .string(declaration.program)), ("running", .bool(declaration.seenAt == nil)),
                    ("seenAt", text(declaration.seenAt?.rfc3339)), ("type", .string(declaration.flag.type.rawValue)),
                    ("default", text(declaration.flag.defaultValue)),
                ])
            })
    }

    /// A team's value with its author and times.
    private static func team(_ override: FlagOverride) -> JSONOutput {
        .object([("value", .string(override.value))] + authorAndTimes(of: override))
    }

    /// The author and the times of an override, and why it exists. Without an override, the members have no values.
    package static func authorAndTimes(of override: FlagOverride?) -> [(String, JSONOutput)] {
        [
            ("setBy", text(override?.setBy)), ("setAt", text(override?.setAt?.rfc3339)), ("note", text(override?.note)),
            ("endsAt", text(override?.end?.time?.rfc3339)),
            ("endsWithRestart", .bool(override?.end.map { $0.time == nil } ?? false)),
        ]
    }

    /// The note and the end of the override that decides the value of a flag, as far as it has them.
    public static func additions(of facts: FlagFacts?) -> [(String, JSONOutput)] {
        let override = facts?.override(in: facts?.explanation.winner)
        let end: (String, JSONOutput)? = override?.end.map { end in
            end.time.map { ("endsAt", .string($0.rfc3339)) } ?? ("endsWithRestart", .bool(true))
        }
        return [override?.note.map { ("note", .string($0)) }, end].compactMap { $0 }
    }

    /// The value of a flag in each layer of the explanation.
    private static func values(_ explanation: Explanation) -> [(String, JSONOutput)] {
        var seen: Set<FlagLayer> = []
        return explanation.entries.filter { seen.insert($0.layer).inserted }.map {
            ($0.layer.word, text($0.value?.string))
        }
    }

    /// The effective value of a flag, without its description.
    public static func value(_ value: String, of key: String, _ facts: FlagFacts?) -> JSONOutput {
        .object(
            [
                ("key", .string(key)), ("value", .string(value)), ("layer", text(facts?.explanation.winner?.word)),
                ("type", text(facts?.type.rawValue)),
            ] + additions(of: facts))
    }

    /// Everything about a flag.
    ///
    /// - Parameters:
    ///   - apps: what running apps do about the flag.
    ///   - isValueKnown: whether the effective value is known.
    public static func explanation(
        _ content: ExplanationContent, apps: [AppsStatus.Line], isValueKnown: Bool = true
    ) -> JSONOutput {
        let facts = content.facts
        return .object(
            stateMembers(facts, isValueKnown) + [
                ("description", text(facts.item?.details?.string)),
                ("min", facts.bounds?.minimum.map { .raw($0.string) } ?? .null),
                ("max", facts.bounds?.maximum.map { .raw($0.string) } ?? .null),
                ("owner", text(facts.item?.owner?.string)),
                ("expires", text(facts.item?.expires?.string)),
                ("requires", .array((facts.item?.requires ?? []).map { .string($0.string) })),
                ("restart", .bool(facts.item?.needsRestart ?? false)),
                ("declaredBy", declarations(of: facts)),
                ("mismatches", .array(facts.mismatches.map(JSONOutput.string))),
                ("options", .array(facts.options.map(option))),
                ("conditions", .array(facts.remoteConditions.map(step))),
                ("layers", .array(content.rows.filter { !$0.isOtherSource }.map { layer($0, facts) })),
                ("sources", .array(content.rows.compactMap(source))),
                ("apps", .array(apps.map { .object(app($0.app, $0.summary, isTaken: $0.isTaken)) })),
            ])
    }

    /// What a running app does about a flag.
    package static func app(_ name: String, _ summary: String, isTaken: Bool) -> [(String, JSONOutput)] {
        [("app", .string(name)), ("status", .string(summary)), ("taken", .bool(isTaken))]
    }

    /// The source of a row, with the source's value for the flag; `nil` for a row without a source. The remote layer
    /// has the value of the first source.
    private static func source(_ row: ExplanationContent.Row) -> JSONOutput? {
        guard let source = row.source else { return nil }
        return .object([
            ("source", .string(source.name)), ("value", text(row.value)),
            ("fetchedAt", text(source.valuesAt?.rfc3339)), ("cached", .bool(source.isFailed)),
        ])
    }

    /// The members of a flag in lists and explanations.
    private static func stateMembers(_ facts: FlagFacts, _ isValueKnown: Bool) -> [(String, JSONOutput)] {
        [
            ("key", .string(facts.key)),
            ("value", isValueKnown ? text(facts.value) : .null),
            ("layer", isValueKnown ? text(facts.explanation.winner?.word) : .null),
            ("type", .string(facts.type.rawValue)),
            ("state", .string(facts.state.jsonWord)),
            ("title", text(facts.item?.title?.string)),
        ]
    }

    /// A condition, with its effect on one flag.
    private static func step(_ step: ConditionStep) -> JSONOutput {
        .object(condition(step.condition) + [("part", .string(step.part.rawValue))])
    }

    /// A condition of a source.
    public static func condition(_ condition: RemoteCondition) -> [(String, JSONOutput)] {
        [
            ("name", .string(condition.name.string)), ("rule", .string(condition.rule)),
            ("applies", .bool(condition.applies)), ("result", .string(condition.result.rawValue)),
            ("forced", condition.forced.map(JSONOutput.bool) ?? .null), ("why", .string(condition.why)),
        ]
    }

    private static func option(_ option: FlagOption) -> JSONOutput {
        .object([("value", .string(option.value)), ("label", text(option.label))])
    }

    private static func layer(_ row: ExplanationContent.Row, _ facts: FlagFacts) -> JSONOutput {
        var members: [(String, JSONOutput)] = [("layer", .string(row.layer.word)), ("value", text(row.value))]
        if row.value != nil { members.append(("castable", .bool(row.isCastable))) }
        if let override = facts.override(in: row.layer) { members += authorAndTimes(of: override) }
        if row.layer == .remote, let note = facts.remoteNote { members.append(("note", .string(note))) }
        return .object(members)
    }

    /// The effect of a changed override.
    public static func change(_ effect: EffectiveChange) -> JSONOutput {
        .object(
            [
                ("key", .string(effect.new.key)), ("old", text(effect.old.value)),
                ("oldLayer", text(effect.old.explanation.winner?.word)), ("new", text(effect.new.value)),
                ("newLayer", text(effect.new.explanation.winner?.word)),
            ] + additions(of: effect.new))
    }

    /// A change of a condition or an attribute.
    public static func change(_ change: ContextPartChange) -> JSONOutput {
        .object([
            ("source", .string(change.part.source.string)),
            (change.part.kind.rawValue, .string(change.part.name.string)),
            ("old", change.old.map(JSONOutput.raw) ?? .null), ("new", change.new.map(JSONOutput.raw) ?? .null),
        ])
    }

    /// The status of a source.
    public static func source(_ status: SourceStatus) -> JSONOutput {
        let (state, moment, reason): (String, FlagTimestamp?, String?) =
            switch status.condition {
            case .unread: ("unread", nil, nil)
            case .read(let moment): ("read", moment, nil)
            case .failed(let reason, let cachedAt): ("failed", cachedAt, reason)
            }
        return .object([
            ("source", .string(status.name)), ("state", .string(state)), ("valuesFrom", text(moment?.rfc3339)),
            ("waiting", .bool(status.isWaiting)), ("error", text(reason)),
        ])
    }

    /// A string, or null.
    public static func text(_ text: String?) -> JSONOutput { text.map(JSONOutput.string) ?? .null }
}

extension OverrideState {
    /// The state's word in JSON.
    var jsonWord: String {
        switch self {
        case .notSet: "notSet"
        case .sameAsRemote: "sameAsRemote"
        case .overridden, .stale, .invalid: word
        }
    }
}
