import FlagModel
import FlagRemote

/// All values of a team at one revision.
struct TeamSnapshot: Sendable {
    /// The revision up to which all changes are included.
    let revision: Int64
    /// The stored records by the bytes of their flags, which need not be text.
    let records: [[UInt8]: EtcdEntry]

    /// The snapshot in a response.
    ///
    /// - Parameter prefix: the beginning of the keys, before the flag.
    init(_ range: EtcdRange, prefix: String) {
        revision = range.revision
        let records = range.entries.map { (Array($0.key.dropFirst(prefix.utf8.count)), $0) }
        self.records = Dictionary(records) { _, last in last }
    }

    /// The overrides of all flags that are text.
    var overrides: FlagTable<FlagOverride> {
        let texts = records.compactMap { bytes, entry in
            String(validating: bytes, as: UTF8.self).map { ($0, FlagOverride(parsing: entry.value)) }
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
        guard !skipped.isEmpty else { return RemoteDocument(overrides: overrides) }
        let words = skipped.count.counted(
            "key of the team is not UTF-8 and has no effect", "keys of the team are not UTF-8 and have no effect")
        let names = skipped.prefix(3).map { JSONOutput.quoted($0, limit: 60) }.joined(separator: ", ")
        let issue = DocumentIssue(sentence: "\(words): \(names); etcdctl del removes such a key")
        return RemoteDocument(overrides: overrides, issues: [issue])
    }
}

// The JSON that is stored for one flag: its value, its author, when it was set, and when it ends.
extension FlagOverride {
    /// Reads a stored text. A text that is not such JSON is the value of a flag that someone set with other tools.
    init(parsing bytes: [UInt8]) {
        let root = (try? JSONDocument(parsing: bytes))?.root
        self = root.flatMap { FlagOverride($0) } ?? FlagOverride(value: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads a stored object; `nil` if it has no value.
    init?(_ json: JSONValue) {
        guard let value = json["value"]?.text else { return nil }
        self.init(
            value: value.string, setAt: json.timestamp("at"), setBy: json["by"]?.text?.string,
            note: json["note"]?.text?.string, end: json.timestamp("ends").map(OverrideEnd.moment))
    }

    /// The object to store, without the members that are unknown.
    var json: JSONOutput {
        let texts = [("by", setBy), ("at", setAt?.rfc3339), ("note", note), ("ends", end?.time?.rfc3339)]
        return .object(
            [("value", .string(value))] + texts.compactMap { name, text in text.map { (name, .string($0)) } })
    }

    /// The text to store.
    var text: String { json.text(indented: false) }
}

// The JSON that is stored for one change in the history.
extension TeamChange {
    /// Reads an entry of the history; `nil` if it is not the record of a change.
    init?(_ entry: EtcdEntry) {
        guard let root = (try? JSONDocument(parsing: entry.value))?.root,
            let at = root.timestamp("at"), let by = root["by"]?.text, let action = root["action"]?.text,
            let changes = root["changes"]
        else { return nil }
        self.init(
            revision: Int(entry.createdAt), at: at, by: by.string, action: action.string,
            changes: changes.elements.compactMap { change in
                guard let key = change["key"]?.text else { return nil }
                return OverrideChange(
                    key: key.string, old: change["old"].flatMap { FlagOverride($0) },
                    new: change["new"].flatMap { FlagOverride($0) })
            })
    }

    /// The text to store.
    var text: String {
        let changes = changes.map { change in
            JSONOutput.object([
                ("key", .string(change.key)), ("old", change.old?.json ?? .null), ("new", change.new?.json ?? .null),
            ])
        }
        return JSONOutput.object([
            ("at", .string(at.rfc3339)), ("by", .string(by)), ("action", .string(action)), ("changes", .array(changes)),
        ]).text(indented: false)
    }
}
