import FlagModel

/// One record as a flag.
struct CloudKitRecord {
    /// The record's own name, which tells twins apart.
    let recordName: String
    /// The flag's key.
    let key: FlagText
    /// Whether it is on.
    let isActive: Bool
    /// The last change, in milliseconds since 1970; 0 where CloudKit does not say.
    let modified: Int64

    /// Reads a record; `nil` for one that is deleted or belongs to others.
    ///
    /// - Throws: why it is no flag.
    init?(_ record: JSONValue, _ settings: CloudKitSettings) throws(Unusable) {
        recordName = record["recordName"]?.text?.string ?? ""
        let name =
            recordName.isEmpty ? "a record without a name" : "the record \(JSONOutput.quoted(recordName, limit: 60))"
        if let failure = CloudKitFailure(record) {
            throw Unusable(sentence: "\(name) was left out: CloudKit did not return it (\(failure.words))")
        }
        guard record["deleted"]?.bool != true else { return nil }
        guard let key = Self.text(record["fields"]?[settings.nameField]), !key.isEmpty else {
            throw Unusable(sentence: "\(name) was left out: it has no text in the field \"\(settings.nameField)\"")
        }
        guard key.string.hasPrefix(settings.keyPrefix) else { return nil }
        guard let field = record["fields"]?[settings.activeField], let isActive = Self.isOn(field) else {
            throw Unusable(
                sentence: "the flag \(JSONOutput.quoted(key.string, limit: 60)) was left out: its field "
                    + "\"\(settings.activeField)\" is not an integer")
        }
        self.key = key
        self.isActive = isActive
        modified = (record["modified"]?["timestamp"]).flatMap { Int64($0.text?.string ?? $0.source) } ?? 0
    }

    /// Why a record is no flag.
    struct Unusable: Error { let sentence: String }

    /// Whether it counts instead of another one of the same key: the one that was changed last does.
    func replaces(_ other: CloudKitRecord) -> Bool {
        (modified, recordName) > (other.modified, other.recordName)
    }

    private static func text(_ field: JSONValue?) -> FlagText? {
        guard let field, field["type"].map({ $0.text == "STRING" }) ?? true else { return nil }
        return field["value"]?.text
    }

    /// Like CloudKitFeatureToggles, which takes an `INT64` and nothing else, anything but 0 for on; and `true` and `false`,
    /// which the web services give for no field today, but which can mean nothing else. With `numbersAsStrings` an integer
    /// is a text.
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
