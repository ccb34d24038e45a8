import FlagModel
import FlagRemote

/// All values of a team at one revision.
struct TeamSnapshot: Sendable {
    /// The revision up to which all changes are included.
    let revision: Int64
    /// The stored records by the bytes of their flags, which need not be text.
    let records: [[UInt8]: Stored]

    struct Stored: Sendable, Hashable {
        let override: FlagOverride
        /// The revision that wrote the record.
        let changedAt: Int64

        init(_ entry: EtcdEntry) { (override, changedAt) = (FlagOverride(parsing: entry.value), entry.changedAt) }
    }

    /// The snapshot in a response.
    ///
    /// - Parameter prefix: the beginning of the keys, before the flag.
    init(_ range: EtcdRange, prefix: String) {
        revision = range.revision
        records = Dictionary(
            range.entries.map { (Array($0.key.dropFirst(prefix.utf8.count)), Stored($0)) }
        ) { _, last in last }
    }

    /// The overrides of all flags that are text.
    var overrides: FlagTable<FlagOverride> {
        let texts = records.compactMap { bytes, stored in
            String(validating: bytes, as: UTF8.self).map { ($0, stored.override) }
        }
        return FlagTable(texts) { _, last in last }
    }

    /// The document that is cached and decoded.
    var document: [UInt8] {
        let flags = overrides.sortedByKey.map { ($0.key, $0.value.json) }
        let skipped = records.keys.filter { String(validating: $0, as: UTF8.self) == nil }
            .map { String(decoding: $0, as: UTF8.self) }.sorted()
        return JSONOutput.object([("team", .object(flags)), ("skipped", .array(skipped.map(JSONOutput.string)))]).bytes
    }
}

/// The document of a team's values.
enum TeamDocument {
    /// Decodes a document.
    ///
    /// - Throws: why it is not one.
    static func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let root = try JSONDocument(document: bytes).root
        guard let team = root["team"], team.kind == .object else {
            throw .unknownShape("the document has no object \"team\"")
        }
        var overrides: FlagTable<FlagOverride> = [:]
        for (key, value) in team.members { overrides[key.string] = FlagOverride(value) }
        let skipped = root["skipped"]?.elements.compactMap { $0.text?.string } ?? []
        return RemoteDocument(overrides: overrides, issues: issue(of: skipped).map { [$0] } ?? [])
    }

    /// The issue of keys that are not text; `nil` if there are none.
    private static func issue(of skipped: [String]) -> DocumentIssue? {
        guard !skipped.isEmpty else { return nil }
        let words = skipped.count.counted(
            "key of the team is not UTF-8 and has no effect", "keys of the team are not UTF-8 and have no effect")
        let names = skipped.prefix(3).map { JSONOutput.quoted($0, limit: 60) }.joined(separator: ", ")
        return DocumentIssue(sentence: "\(words): \(names); etcdctl del removes such a key")
    }
}
