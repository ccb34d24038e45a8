import FlagModel

/// All values of a team at one revision.
struct TeamSnapshot: Sendable, Hashable {
    /// The cluster, and the revision up to which all changes are included.
    private(set) var position: EtcdPosition
    /// The stored records by the bytes of their flags, which need not be text.
    private(set) var records: [[UInt8]: Stored] = [:]
    /// The beginning of the keys, before the flag.
    private let prefix: String

    /// A stored record.
    struct Stored: Sendable, Hashable {
        let record: TeamRecord
        /// The revision that wrote the record.
        let changedAt: Int64

        init(_ entry: EtcdEntry) { (record, changedAt) = (TeamRecord(parsing: entry.value), entry.changedAt) }
    }

    /// The snapshot in a response.
    ///
    /// - Parameter prefix: the beginning of the keys, before the flag.
    init(_ range: EtcdRange, prefix: String) {
        (position, self.prefix) = (range.position, prefix)
        for entry in range.entries { records[flag(of: entry)] = Stored(entry) }
    }

    private func flag(of entry: EtcdEntry) -> [UInt8] { Array(entry.key.dropFirst(prefix.utf8.count)) }

    /// Applies the changes of a watch. Changes that the snapshot includes already are ignored.
    ///
    /// - Returns: whether anything changed.
    mutating func apply(_ events: [EtcdEvent]) -> Bool {
        let newEvents = events.filter { $0.entry.changedAt > position.revision }
        for event in newEvents {
            records[flag(of: event.entry)] = event.isRemoval ? nil : Stored(event.entry)
        }
        guard let last = newEvents.map(\.entry.changedAt).max() else { return false }
        position = EtcdPosition(cluster: position.cluster, revision: last)
        return true
    }

    /// Whether a response with the record that changed last shows that nothing else has changed either. Revisions alone do
    /// not: a store that was restored from a backup may have reached the same revision by other changes.
    func isConfirmed(by range: EtcdRange) -> Bool {
        let newest = range.entries.first
        return range.position.reaches(position) && range.count == records.count
            && newest?.changedAt == records.values.map(\.changedAt).max()
            && newest.map(Stored.init) == newest.flatMap { records[flag(of: $0)] }
    }

    /// The overrides of all flags that are text, in the order of their bytes.
    private var texts: [(flag: String, override: FlagOverride)] {
        records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { bytes, stored in
            String(validating: bytes, as: UTF8.self).map { ($0, stored.record.override) }
        }
    }

    /// The overrides by flag.
    var overrides: FlagTable<FlagOverride> { FlagTable(texts.map { ($0.flag, $0.override) }) { _, last in last } }

    /// The document that is cached and decoded.
    var document: [UInt8] {
        let flags = texts.map { ($0.flag, JSONOutput.object($0.override.members)) }
        let skipped = records.keys.filter { String(validating: $0, as: UTF8.self) == nil }
            .map { String(decoding: $0, as: UTF8.self) }.sorted()
        return Array(
            JSONOutput.object([("team", .object(flags)), ("skipped", .array(skipped.map(JSONOutput.string)))])
                .text(indented: false).utf8)
    }
}

/// A change that a watch reports.
struct EtcdEvent: Sendable, Hashable {
    let entry: EtcdEntry
    let isRemoval: Bool

    init?(_ json: JSONValue) {
        guard let entry = json["kv"].flatMap(EtcdEntry.init) else { return nil }
        self.entry = entry
        isRemoval = json["type"]?.text?.string == "DELETE"
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
        for (key, value) in team.members {
            guard let text = value["value"]?.text else { continue }
            overrides[key.string] = FlagOverride(value: text.string, value)
        }
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
