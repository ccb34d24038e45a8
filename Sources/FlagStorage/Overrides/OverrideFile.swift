import FlagModel

/// The document of a tester's changes: overrides, and changes of evaluation contexts and conditions. Unknown members are
/// included, so that writing the file loses nothing.
struct OverrideFile: Sendable, Hashable {
    /// The format that this version writes. Format 1 had no contexts.
    static let format = 2
    /// The maximum revision: 2^53. Up to this limit, every JSON reader preserves whole numbers.
    static let revisionLimit = 1 << 53

    var revision = 0
    /// Whether the contexts are still in a file of their own; see ``FormerContexts``.
    var isOfFormat1 = false
    /// The overrides by key. `FlagText` compares bytes, so that canonically equivalent keys are not lost.
    var entries: [FlagText: StoredOverride] = [:]
    /// Invalid entries of `overrides`; they have no effect and stay in the file unchanged.
    var strangeEntries: [OtherMember] = []
    /// The changes of contexts and conditions by source.
    var contexts: FlagTable<StoredContext> = [:]
    /// Entries of `contexts` that are not objects; they have no effect and stay in the file unchanged.
    var strangeContexts: [OtherMember] = []
    /// The scenario that was applied last.
    var scenario: AppliedScenario?
    /// Members of the file other than those above and `format`.
    var otherMembers: [OtherMember] = []

    /// The changes that readers see.
    var table: OverrideTable {
        OverrideTable(
            revision: revision,
            overrides: FlagTable(entries.map { ($0.key.string, $0.value.override) }) { first, _ in first },
            contexts: contexts.overrides, scenario: scenario)
    }

    /// Whether an override ends by itself.
    var hasEnds: Bool { entries.values.contains { $0.override.end != nil } }

    /// Removes the overrides that have ended, and corrects the ends of the others.
    ///
    /// - Returns: the removals.
    mutating func removeEnded(at clock: ClockReading) -> [StoredChange] {
        let ended = entries.filter { $0.value.override.end?.hasEnded(at: clock) == true }
        for key in ended.keys { entries[key] = nil }
        entries = entries.mapValues { entry in
            var entry = entry
            entry.override.end = entry.override.end?.corrected(at: clock)
            return entry
        }
        return ended.map { StoredChange(key: $0.key, before: $0.value, after: nil) }.sorted { $0.key < $1.key }
    }

    /// The bytes of the file: indented, keys in the order of their Unicode scalars, with a line feed at the end.
    var bytes: [UInt8] {
        var members: [(String, JSONOutput)] = [
            ("format", .integer(Self.format)), ("revision", .integer(revision)),
            ("overrides", Self.json(of: entries, and: strangeEntries)),
        ]
        if !contexts.isEmpty || !strangeContexts.isEmpty {
            members.append(("contexts", contexts.json(and: strangeContexts)))
        }
        if let scenario { members.append(("scenario", scenario.json)) }
        return Array((JSONOutput.object(members + otherMembers.map(\.json)).text() + "\n").utf8)
    }

    /// Entries in the order of their keys' Unicode scalars.
    static func json(of entries: [FlagText: StoredOverride], and strange: [OtherMember] = []) -> JSONOutput {
        let members = entries.map { ($0.key, $0.value.json) } + strange.map { ($0.name, .raw($0.source)) }
        return .object(members.sorted { $0.0 < $1.0 }.map { ($0.0.string, $0.1) })
    }
}
