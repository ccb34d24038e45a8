import FlagModel
public import FlagRemote

extension CloudKitSettings {
    /// The most records in one CloudKit response.
    static let pageSize = 200

    /// The name that messages use: the container.
    var name: String { "cloudkit:\(container)" }

    /// The protocol path of a query, which a key also signs.
    public var queryPath: String { "/database/1/\(container)/\(environment.rawValue)/public/records/query" }

    /// The request for the records that are flags, not signed yet. It asks only for the two fields.
    ///
    /// The query has no sort order: for that CloudKit needs an index that most containers do not have, while the index
    /// on `recordName`, which a query for everything needs, is created with the record type's first query in the
    /// console.
    ///
    /// - Parameter marker: the marker of the last page; `nil` for the first request.
    public func request(continuing marker: String? = nil) -> SourceRequest {
        var members: [(String, JSONOutput)] = [
            ("query", .object([("recordType", .string(recordType))])), ("resultsLimit", .integer(Self.pageSize)),
            ("desiredKeys", .array([.string(nameField), .string(activeField)])),
        ]
        if let marker { members.append(("continuationMarker", .string(marker))) }
        var url = baseURL.adding(path: queryPath)
        if case .apiToken(let token) = credentials { url = url.adding(query: "ckAPIToken", token.reveal()) }
        return SourceRequest(
            source: name, method: .post, url: url,
            headers: SourceHeaders([("Content-Type", "application/json"), ("Accept", "application/json")]),
            body: Array(JSONOutput.object(members).text(indented: false).utf8))
    }
}
