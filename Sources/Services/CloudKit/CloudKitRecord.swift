import FlagModel

/// One record as a flag.
struct CloudKitRecord {
    /// The record's name. Two records with the same key have different names.
    let recordName: String
    /// The flag's key.
    let key: FlagText
    /// Whether the flag is on.
    let isActive: Bool
    /// The last change, in milliseconds since 1970; 0 if CloudKit does not send it.
    let modified: Int64

    /// Decodes a record; `nil` if the record is deleted, or its key does not have the prefix.
    ///
    /// - Throws: why the record is not a flag.
    init?(_ record: JSONValue, _ settings: CloudKitSettings) throws(Unusable) {
        recordName = record["recordName"]?.text?.string ?? ""
        let name =
            recordName.isEmpty ? "a record without a name" : "the record \(JSONOutput.quoted(recordName, limit: 60))"
        if let failure = CloudKitFailure(record) {
            throw Unusable(sentence: "\(name) was left out: CloudKit did not return it (\(failure.summary))")
        }
        guard record["deleted"]?.bool != true else { return nil }
        guard let key = Self.text(record["fields"]?[settings.nameField]), !key.isEmpty else {
            throw Unusable(sentence: "\(name) was left out: it has no text in the field \"\(settings.nameField)\"")
        }
        guard key.string.hasPrefix(settings.keyPrefix) else { return nil }
        guard let field = record["fields"]?[settings.activeField], let isActive = Self.isOn(field) else {
            throw Unusable(
                sentence: "the flag \(key.quoted) was left out: its field "
                    + "\"\(settings.activeField)\" is not an integer")
        }
        self.key = key
        self.isActive = isActive
        modified = (record["modified"]?["timestamp"]).flatMap { Int64($0.text?.string ?? $0.source) } ?? 0
    }

    /// Why a record is not a flag.
    struct Unusable: Error { let sentence: String }

    /// Whether this record replaces another record with the same key: the record that was changed later is used.
    func replaces(_ other: CloudKitRecord) -> Bool {
        (modified, recordName) > (other.modified, other.recordName)
    }

    private static func text(_ field: JSONValue?) -> FlagText? {
        guard let field, field["type"].map({ $0.text == "STRING" }) ?? true else { return nil }
        return field["value"]?.text
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
