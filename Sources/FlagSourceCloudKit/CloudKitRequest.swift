import FlagModel
public import FlagRemote

extension CloudKitSettings {
    /// As many records as CloudKit gives in one answer.
    static let pageSize = 200

    /// The name that messages use: the container.
    var name: String { "cloudkit:\(container)" }

    /// The path of the protocol for a query, which is also what a key signs.
    public var queryPath: String { "/database/1/\(container)/\(environment.rawValue)/public/records/query" }

    /// The question for the records that are flags, not signed yet. It wants nothing of them but the two fields.
    ///
    /// There is no order in it: to sort, CloudKit needs an index that most containers do not have, while the one on
    /// `recordName` that a query for everything needs comes with the record type's first query in the console.
    ///
    /// - Parameter marker: where the last answer stopped; `nil` for the first question.
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
