import FlagModel

/// One page of all records. Only what flags are made of is cached: who made or changed a record is dropped.
struct CloudKitPage {
    /// Its records as JSON, each with its name, its two fields and the time of its last change.
    let records: [String]
    /// The continuation marker; `nil` for the last page.
    let marker: String?

    /// Parses a response.
    ///
    /// - Throws: what is wrong with it.
    init(parsing body: [UInt8], _ settings: CloudKitSettings) throws(DocumentError) {
        let root = try Self.root(of: body)
        records = (root["records"]?.elements).map { $0.map { Self.kept($0, settings) } } ?? []
        marker = root["continuationMarker"]?.text?.string
    }

    /// The root object of a response, and of the cached records.
    static func root(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, root["records"]?.kind == .array else {
            throw .unknownShape("the response has no list \"records\"; is this the URL of CloudKit's web services?")
        }
        return root
    }

    private static func kept(_ record: JSONValue, _ settings: CloudKitSettings) -> String {
        guard record.kind == .object else { return record.compactJSON }
        var members: [(String, JSONOutput)] = []
        for key in ["recordName", "deleted", "serverErrorCode", "reason"] {
            if let value = record[key] { members.append((key, .raw(value.compactJSON))) }
        }
        if let fields = record["fields"] {
            let wanted = [settings.nameField, settings.activeField].compactMap { name in
                fields[name].map { (name, JSONOutput.raw($0.compactJSON)) }
            }
            members.append(("fields", .object(wanted)))
        }
        if let moment = record["modified"]?["timestamp"] {
            members.append(("modified", .object([("timestamp", .raw(moment.compactJSON))])))
        }
        return JSONOutput.object(members).text(indented: false)
    }
}
