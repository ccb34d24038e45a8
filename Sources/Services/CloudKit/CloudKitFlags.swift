public import FlagModel
import FlagRemote

/// Decodes the flags of a response. A container has no catalog: all flags are Booleans in one category.
public enum CloudKitFlags {
    /// Decodes records, from a response of CloudKit or from the cache.
    ///
    /// - Throws: why the whole response cannot be used; a single unusable record is left out with a warning.
    public static func document(_ bytes: [UInt8], _ settings: CloudKitSettings) throws(DocumentError) -> RemoteDocument
    {
        var flags = EvaluatedFlags()
        let elements = try CloudKitPage.root(of: bytes)["records"].map { Array($0.elements) } ?? []
        let records = elements.compactMap { CloudKitRecord($0, settings, &flags) }
        var newest: [FlagText: CloudKitRecord] = [:]
        for record in records {
            guard let other = newest.updateValue(record, forKey: record.key) else { continue }
            // CloudKit sends records in no order. One record can appear twice if it changed while the pages were read.
            let isNewer = (record.modified, record.recordName) > (other.modified, other.recordName)
            let (loser, winner) = isNewer ? (other, record) : (record, other)
            newest[record.key] = winner
            guard winner.recordName != loser.recordName else { continue }
            flags.warn(
                "the record \(JSONOutput.quoted(loser.recordName, limit: 60)) was left out: "
                    + "\(JSONOutput.quoted(winner.recordName, limit: 60)) is newer and has the same "
                    + "\(JSONOutput.quoted(winner.key.string, limit: 60))")
        }
        for key in records.map(\.key) {
            guard let record = newest.removeValue(forKey: key) else { continue }
            let item = FlagItem(key: record.key, options: FlagOption.booleans, declaredType: .bool)
            let note = record.modified > 0 ? "modified \(FlagTimestamp(seconds: record.modified / 1_000).rfc3339)" : nil
            flags.add(item, value: record.isActive ? "true" : "false", note: note.map { FlagText($0) })
        }
        return RemoteDocument(flags)
    }
}

/// One record as a flag.
private struct CloudKitRecord {
    /// The record's name. Two records with the same key have different names.
    let recordName: String
    let key: FlagText
    /// Whether the flag is on.
    let isActive: Bool
    /// The last change, in milliseconds since 1970; 0 if CloudKit does not send it.
    let modified: Int64

    /// Decodes a record; `nil` if the record is deleted, its key does not have the prefix, or it is not a flag, which is a
    /// warning.
    init?(_ record: JSONValue, _ settings: CloudKitSettings, _ flags: inout EvaluatedFlags) {
        recordName = record["recordName"]?.text?.string ?? ""
        let name =
            recordName.isEmpty ? "a record without a name" : "the record \(JSONOutput.quoted(recordName, limit: 60))"
        if let failure = CloudKitFailure(record) {
            flags.warn("\(name) was left out: CloudKit did not return it (\(failure.summary))")
            return nil
        }
        guard record["deleted"]?.bool != true else { return nil }
        let field = record["fields"]?[settings.nameField]
        let isText = field?["type"].map { $0.text == "STRING" } ?? true
        guard isText, let key = field?["value"]?.text, !key.isEmpty else {
            flags.warn("\(name) was left out: it has no text in the field \"\(settings.nameField)\"")
            return nil
        }
        guard key.string.hasPrefix(settings.keyPrefix) else { return nil }
        guard let isActive = record["fields"]?[settings.activeField].flatMap(Self.isOn) else {
            let field = "its field \"\(settings.activeField)\""
            flags.warn("the flag \(key.quoted) was left out: \(field) is not an integer")
            return nil
        }
        (self.key, self.isActive) = (key, isActive)
        modified = (record["modified"]?["timestamp"]).flatMap { Int64($0.text?.string ?? $0.source) } ?? 0
    }

    /// Whether a field means on; `nil` if the field's type is not supported. As in CloudKitFeatureToggles, an `INT64`
    /// other than 0 is on; with `numbersAsStrings` the number is a string. Booleans are accepted, although the web
    /// services do not send them today.
    private static func isOn(_ field: JSONValue) -> Bool? {
        guard let value = field["value"] else { return nil }
        let type = field["type"]?.text
        switch value.kind {
        case .bool: return value.bool
        case .number where type == nil || type == "INT64": return Int64(value.source).map { $0 != 0 }
        case .string where type == "INT64": return (value.text?.string).flatMap { Int64($0) }.map { $0 != 0 }
        default: return nil
        }
    }
}

/// One page of records. Only the members that flags need are cached; the user who created or changed a record is
/// dropped.
struct CloudKitPage {
    /// The records as JSON, each reduced to its name, the two fields of a flag and the time of the last change.
    let records: [String]
    /// The marker of the next page; `nil` for the last page.
    let marker: String?

    /// Parses a response.
    ///
    /// - Throws: why the response is malformed.
    init(parsing body: [UInt8], _ settings: CloudKitSettings) throws(DocumentError) {
        let root = try Self.root(of: body)
        records = (root["records"]?.elements).map { $0.map { Self.reduced($0, settings) } } ?? []
        marker = root["continuationMarker"]?.text?.string
    }

    /// The root object of a response, or of the cached records.
    static func root(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, root["records"]?.kind == .array else {
            throw .unknownShape("the response has no list \"records\"; is this the URL of CloudKit's web services?")
        }
        return root
    }

    /// A record with only the members that flags need.
    private static func reduced(_ record: JSONValue, _ settings: CloudKitSettings) -> String {
        var members = ["recordName", "deleted", "serverErrorCode", "reason"].compactMap { name in
            record[name].map { (name, JSONOutput.raw($0.compactJSON)) }
        }
        if let fields = record["fields"] {
            let names = [settings.nameField, settings.activeField]
            members.append(("fields", fields.members { names.contains($0.string) }))
        }
        if let modified = record["modified"] { members.append(("modified", modified.members { $0 == "timestamp" })) }
        return JSONOutput.object(members).text(indented: false)
    }
}
