import FlagModel

/// A member of a JSON object that this version does not know. Its spelling is preserved.
struct OtherMember: Sendable, Hashable {
    let name: FlagText
    let source: String

    /// The member as it is written.
    var json: (String, JSONOutput) { (name.string, .raw(source)) }
}

/// One entry of an override file: the override, and unknown members.
struct StoredOverride: Sendable, Hashable {
    var override: FlagOverride
    var otherMembers: [OtherMember] = []

    /// The entry with another override. Members with known names whose values could not be parsed are dropped.
    func replacing(_ override: FlagOverride) -> StoredOverride {
        let knownNames = ["value", "setAt", "setBy", "note"] + OverrideEnd.memberNames
        let unknownMembers = otherMembers.filter { !knownNames.contains($0.name.string) }
        return StoredOverride(override: override, otherMembers: unknownMembers)
    }
}

extension StoredOverride {
    /// Parses an entry; `nil` if it is not an object with a value.
    ///
    /// A value without quotes, such as `true` or `42`, is read as text.
    init?(reading entry: JSONValue) {
        guard let value = entry["value"]?.flagText else { return nil }
        self.init(override: FlagOverride(value: value.string, end: OverrideEnd(reading: entry)))
        let endNames = override.end?.membersJSON.map { FlagText($0.0) } ?? []
        for (name, member) in entry.members where name != "value" && !endNames.contains(name) { add(member, as: name) }
    }

    private mutating func add(_ member: JSONValue, as name: FlagText) {
        if name == "setAt", let text = member.text, let time = FlagTimestamp(rfc3339: text) {
            override.setAt = time
        } else if name == "setBy", let text = member.text {
            override.setBy = text.string
        } else if name == "note", let text = member.text, !text.isEmpty {
            override.note = text.string
        } else {
            otherMembers.append(OtherMember(name: name, source: member.source))
        }
    }

    /// The entry as it is written.
    var json: JSONOutput {
        var members: [(String, JSONOutput)] = [("value", .string(override.value))]
        if let setAt = override.setAt { members.append(("setAt", .string(setAt.rfc3339))) }
        if let setBy = override.setBy { members.append(("setBy", .string(setBy))) }
        if let note = override.note { members.append(("note", .string(note))) }
        members += override.end?.membersJSON ?? []
        return .object(members + otherMembers.map(\.json))
    }
}

/// A change of one entry, with all that is needed to undo it.
struct StoredChange: Sendable, Hashable {
    let key: FlagText
    let before: StoredOverride?
    let after: StoredOverride?

    /// The change that undoes this one.
    var inverse: StoredChange { StoredChange(key: key, before: after, after: before) }

    /// The change of the override, without unknown members.
    var summary: OverrideChange {
        OverrideChange(key: key.string, old: before?.override, new: after?.override)
    }
}

/// The changes of one action, with all that is needed to undo it.
struct StoredChanges: Sendable, Hashable {
    var overrides: [StoredChange] = []
    var contexts: [ContextPartChange] = []
    /// The change of the applied scenario; `nil` if it stays the same.
    var scenario: ScenarioChange?

    /// The applied scenario before and after an action.
    struct ScenarioChange: Sendable, Hashable {
        let old: AppliedScenario?
        let new: AppliedScenario?
    }

    var isEmpty: Bool { overrides.isEmpty && contexts.isEmpty && scenario == nil }

    /// What both change, such as the key of a flag; `nil` if that is nothing.
    func firstName(alsoIn other: StoredChanges) -> String? {
        let (keys, parts) = (Set(other.overrides.map(\.key)), Set(other.contexts.map(\.part)))
        return overrides.first { keys.contains($0.key) }?.key.quoted
            ?? contexts.first { parts.contains($0.part) }.map { "The \($0.part.label)" }
            ?? (scenario == nil || other.scenario == nil ? nil : "The applied scenario")
    }

    /// The changes that undo these.
    var inverse: StoredChanges {
        StoredChanges(
            overrides: overrides.map(\.inverse), contexts: contexts.map(\.inverse),
            scenario: scenario.map { ScenarioChange(old: $0.new, new: $0.old) })
    }

    /// Removes the ends that have passed: an undo never brings one back.
    mutating func removePastEnds(at clock: ClockReading) {
        overrides = overrides.map { change in
            guard var after = change.after, after.override.end?.hasEnded(at: clock) == true else { return change }
            after.override.end = nil
            return StoredChange(key: change.key, before: change.before, after: after.replacing(after.override))
        }
    }

    /// The changes whose overrides and parts are in a file as they were before, and the others.
    func split(by file: OverrideFile) -> (changes: StoredChanges, skipped: StoredChanges) {
        let parts = file.contexts.overrides.parts
        func isApplicable(_ change: StoredChange) -> Bool {
            !StoredChange(key: change.key, before: change.before, after: file.entries[change.key]).summary.isOfValue
        }
        func part(_ isApplied: Bool) -> StoredChanges {
            StoredChanges(
                overrides: overrides.filter { isApplicable($0) == isApplied },
                contexts: contexts.filter { (parts[$0.part] == $0.old) == isApplied },
                scenario: isApplied && scenario?.old == file.scenario ? scenario : nil)
        }
        return (part(true), part(false))
    }
}
