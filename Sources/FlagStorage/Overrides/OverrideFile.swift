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
    /// Members of the file other than those above and `format`.
    var otherMembers: [OtherMember] = []

    /// The bytes of the file: indented, keys in the order of their Unicode scalars, with a line feed at the end.
    var bytes: [UInt8] {
        var json = JSONBytes(indented: true)
        json.object { json in
            json.member("format", Self.format)
            json.member("revision", revision)
            json.member("overrides")
            Self.write(entries, and: strangeEntries, to: &json)
            if !contexts.isEmpty || !strangeContexts.isEmpty {
                json.member("contexts")
                contexts.write(and: strangeContexts, to: &json)
            }
            for member in otherMembers { member.write(to: &json) }
        }
        json.raw("\n")
        return json.bytes
    }

    /// Writes entries in the order of their keys' Unicode scalars.
    static func write(
        _ entries: [FlagText: StoredOverride], and strange: [OtherMember] = [], to json: inout JSONBytes
    ) {
        let strange = Dictionary(strange.map { ($0.name, $0) }) { first, _ in first }
        json.object { json in
            for key in (Array(entries.keys) + strange.keys).sorted() {
                if let entry = entries[key] {
                    json.member(key)
                    entry.write(to: &json)
                } else {
                    strange[key]?.write(to: &json)
                }
            }
        }
    }
}
