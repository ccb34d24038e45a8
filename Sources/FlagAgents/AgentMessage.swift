import FlagModel

/// One message of a client.
struct AgentMessage {
    /// The id of a request, as the response repeats it; `nil` for a notification.
    let id: JSONOutput?
    let method: String
    let params: JSONValue?

    /// Reads one line. Returns `nil` for a response, because this server asks nothing.
    ///
    /// - Throws: an error that is the response.
    init?(_ line: [UInt8]) throws(AgentError) {
        let root: JSONValue
        do throws(JSONError) { root = try JSONDocument(parsing: line).root } catch {
            throw AgentError(.parse, error.asSentence)
        }
        guard root.kind == .object, root["jsonrpc"]?.text == "2.0" else {
            throw AgentError(.invalidRequest, "A message is one JSON object with \"jsonrpc\": \"2.0\"; no batches.")
        }
        id = try Self.id(root["id"])
        params = root["params"]
        guard let method = root["method"] else {
            guard root["result"] == nil, root["error"] == nil else { return nil }
            throw AgentError(.invalidRequest, "\"method\" is missing.", id: id)
        }
        guard let name = method.text?.string else {
            throw AgentError(.invalidRequest, "\"method\" must be a text.", id: id)
        }
        guard params.map({ $0.kind == .object }) ?? true else {
            throw AgentError(.invalidParams, "\"params\" must be an object.", id: id)
        }
        self.method = name
    }

    static func id(_ value: JSONValue?) throws(AgentError) -> JSONOutput? {
        guard let value else { return nil }
        if let text = value.text { return .string(text.string) }
        guard let number = value.wholeNumber else {
            throw AgentError(.invalidRequest, "\"id\" must be a text or a whole number.")
        }
        return .integer(number)
    }
}

/// The error that a request gets.
struct AgentError: Error {
    enum Code: Int {
        case parse = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case `internal` = -32603
        case unsupportedVersion = -32022
    }

    let code: Code
    let sentence: String
    /// The id of the request, if it could be read.
    var id: JSONOutput?
    var data: JSONOutput?

    init(_ code: Code, _ sentence: String, id: JSONOutput? = nil, data: JSONOutput? = nil) {
        (self.code, self.sentence, self.id, self.data) = (code, sentence, id, data)
    }

    /// The response to a request whose id could be read elsewhere.
    func response(to id: JSONOutput? = nil) -> JSONOutput {
        .object([
            ("jsonrpc", .string("2.0")), ("id", id ?? self.id ?? .null),
            (
                "error",
                .object(present: [
                    ("code", .integer(code.rawValue)), ("message", .string(sentence)), ("data", data),
                ])
            ),
        ])
    }
}
