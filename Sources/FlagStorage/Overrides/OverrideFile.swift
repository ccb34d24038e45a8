import FlagModel

/// The content of an override file, so complete that writing it back loses nothing.
struct OverrideFile: Sendable, Hashable {
    /// The format that this version writes.
    static let format = 1
    /// The largest accepted revision: 2^53, up to which every JSON reader preserves whole numbers.
    static let revisionLimit = 1 << 53

    var revision = 0
    /// By key, compared as bytes: with canonical equivalence one of two keys would be lost.
    var entries: [FlagText: StoredOverride] = [:]
    /// Invalid entries; they have no effect and stay unchanged.
    var strangeEntries: [OtherMember] = []
    /// Members beside `format`, `revision` and `overrides`.
    var otherMembers: [OtherMember] = []

    /// The bytes of the file: indented, keys in the order of their Unicode scalars, one line feed at the end.
    var bytes: [UInt8] {
        var json = JSONBytes(indented: true)
        json.object { json in
            json.member("format", Self.format)
            json.member("revision", revision)
            json.member("overrides")
            Self.write(entries, and: strangeEntries, to: &json)
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
