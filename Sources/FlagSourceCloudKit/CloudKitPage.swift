import FlagModel

/// One answer of several that make up all records. What is kept of it is what flags are made of: who has made or changed a
/// record is nobody's business here.
struct CloudKitPage {
    /// Its records as JSON, each with its name, its two fields and the moment of its last change.
    let records: [String]
    /// Where it stops; `nil` for the last one.
    let marker: String?

    /// Takes an answer apart.
    ///
    /// - Throws: what is wrong with it.
    init(parsing body: [UInt8], _ settings: CloudKitSettings) throws(DocumentError) {
        let root = try Self.root(of: body)
        records = (root["records"]?.elements).map { $0.map { Self.kept($0, settings) } } ?? []
        marker = root["continuationMarker"]?.text?.string
    }

    /// The object that an answer is, and that the kept records are, too.
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
