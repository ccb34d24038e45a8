import FlagModel
public import FlagRemote

extension CloudKitSettings {
    /// The maximum number of records in one CloudKit response.
    static let pageSize = 200

    /// The source's name in messages.
    var name: String { "cloudkit:\(container)" }

    /// The path of a query, which is part of the signature of a server-to-server key.
    public var queryPath: String { "/database/1/\(container)/\(environment.rawValue)/public/records/query" }

    /// The unsigned request for a page of flag records, with only the two fields of a flag.
    ///
    /// The query has no sort order, as sorting needs an index that most containers do not have. A query for all records
    /// needs only an index on `recordName`, which the console creates with the record type's first query.
    ///
    /// - Parameter marker: ``CloudKitPage/marker`` of the previous page; `nil` for the first page.
    public func request(continuing marker: String? = nil) -> SourceRequest {
        var members: [(String, JSONOutput)] = [
            ("query", .object([("recordType", .string(recordType))])), ("resultsLimit", .integer(Self.pageSize)),
            ("desiredKeys", .array([.string(nameField), .string(activeField)])),
        ]
        if let marker { members.append(("continuationMarker", .string(marker))) }
        var url = baseURL.adding(path: queryPath)
        if case .apiToken(let token) = credentials { url = url.adding(query: "ckAPIToken", token.reveal()) }
        return SourceRequest(json: name, url: url, body: .object(members))
    }
}
