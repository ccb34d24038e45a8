import FlagModel

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
        guard record.kind == .object else { return record.compactJSON }
        var members: [(String, JSONOutput)] = []
        for key in ["recordName", "deleted", "serverErrorCode", "reason"] {
            if let value = record[key] { members.append((key, .raw(value.compactJSON))) }
        }
        if let fields = record["fields"] {
            let flagFields = [settings.nameField, settings.activeField].compactMap { name in
                fields[name].map { (name, JSONOutput.raw($0.compactJSON)) }
            }
            members.append(("fields", .object(flagFields)))
        }
        if let moment = record["modified"]?["timestamp"] {
            members.append(("modified", .object([("timestamp", .raw(moment.compactJSON))])))
        }
        return JSONOutput.object(members).text(indented: false)
    }
}
