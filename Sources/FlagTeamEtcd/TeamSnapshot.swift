import FlagModel

/// All values of a team at one revision.
struct TeamSnapshot: Sendable, Hashable {
    /// The cluster, and the revision up to which all changes are included.
    private(set) var position: EtcdPosition
    /// The stored records by flag, each with the revision that wrote it.
    private(set) var records: [String: Stored]

    /// A stored record.
    struct Stored: Sendable, Hashable {
        let record: TeamRecord
        let changedAt: Int64
    }

    /// The snapshot in a response.
    ///
    /// - Parameter prefix: the beginning of the keys, before the key of the flag.
    init(_ range: EtcdRange, prefix: String) {
        position = range.position
        records = [:]
        for entry in range.entries { set(entry, prefix) }
    }

    private mutating func set(_ entry: EtcdEntry, _ prefix: String) {
        guard entry.key.hasPrefix(prefix) else { return }
        records[String(entry.key.dropFirst(prefix.count))] = Stored(
            record: TeamRecord(parsing: entry.value), changedAt: entry.changedAt)
    }

    /// Applies the changes of a watch. Changes that the snapshot includes already are ignored.
    ///
    /// - Returns: whether anything changed.
    mutating func apply(_ events: [EtcdEvent], prefix: String) -> Bool {
        let newEvents = events.filter { $0.entry.changedAt > position.revision }
        for event in newEvents {
            if event.isRemoval {
                records[String(event.entry.key.dropFirst(prefix.count))] = nil
            } else {
                set(event.entry, prefix)
            }
        }
        guard let last = newEvents.map(\.entry.changedAt).max() else { return false }
        position = EtcdPosition(cluster: position.cluster, revision: last)
        return true
    }

    /// Whether this snapshot is newer than another one, which it then replaces. The revisions of a cluster that was
    /// created again cannot be compared.
    func isNewer(than other: TeamSnapshot?) -> Bool {
        guard let other, other.position.cluster == position.cluster else { return true }
        return position.revision > other.position.revision
    }

    /// The overrides by flag.
    var overrides: [String: Override] { records.mapValues(\.record.override) }

    /// Names the content. A change of any flag changes the newest revision or, if a flag was removed, the count. The
    /// revision of the cluster also changes with keys of others.
    var version: String {
        "\(position.cluster).\(records.values.map(\.changedAt).max() ?? 0).\(records.count)"
    }

    /// The document that is cached and decoded.
    var document: [UInt8] {
        let flags = records.sorted { $0.key < $1.key }.map {
            ($0.key, JSONOutput.object($0.value.record.override.members))
        }
        return Array(JSONOutput.object([("team", .object(flags))]).text(indented: false).utf8)
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
        var overrides: [String: Override] = [:]
        for (key, value) in team.members {
            guard let text = value["value"]?.text else { continue }
            overrides[key.string] = Override(value: text.string, value)
        }
        return RemoteDocument(overrides: overrides)
    }
}
