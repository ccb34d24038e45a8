import FlagModel

/// The content of an override file, so complete that writing it again loses nothing.
struct OverrideFile: Sendable, Hashable {
    /// The format that this version writes.
    static let format = 1
    /// The largest revision taken from a file: 2^53, up to which every JSON reader keeps whole numbers.
    static let revisionLimit = 1 << 53

    var revision = 0
    /// By key, compared as bytes: canonical equivalence would make one of two keys disappear.
    var entries: [FlagText: StoredOverride] = [:]
    /// Entries that are no override; they have no effect and stay as they are.
    var strangeEntries: [OtherMember] = []
    /// Members beside `format`, `revision` and `overrides`.
    var otherMembers: [OtherMember] = []

    /// The text of the file: indented, keys in the order of their Unicode scalars, one line feed at the end.
    var text: String {
        let members: [(String, JSONOutput)] = [
            ("format", .integer(Self.format)), ("revision", .integer(revision)),
            ("overrides", Self.output(of: entries, and: strangeEntries)),
        ]
        return JSONOutput.object(members + otherMembers.map(\.output)).text() + "\n"
    }

    /// Entries as they are written, in the order of their keys' Unicode scalars.
    static func output(of entries: [FlagText: StoredOverride], and strange: [OtherMember] = []) -> JSONOutput {
        let all = entries.map { ($0.key, $0.value.output) } + strange.map { ($0.name, JSONOutput.raw($0.source)) }
        return .object(all.sorted { $0.0 < $1.0 }.map { ($0.0.string, $0.1) })
    }
}
