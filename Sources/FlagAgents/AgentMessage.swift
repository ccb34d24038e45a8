import FlagModel

/// One request or notification of a client.
struct AgentMessage {
    /// The id of a request as JSON, which the response repeats; `nil` for a notification.
    let id: String?
    let method: String
    let params: JSONValue?

    /// The object of one line.
    static func root(of line: [UInt8]) throws(AgentError) -> JSONValue {
        guard line.count <= AgentSession.lineLimit else {
            throw AgentError(.parse, "A message has at most \(AgentSession.lineLimit >> 20) MiB.")
        }
        do throws(JSONError) {
            let root = try JSONDocument(parsing: line).root
            if root.kind == .object, root["jsonrpc"]?.text == "2.0" { return root }
        } catch {
            throw AgentError(.parse, error.asSentence)
        }
        throw AgentError(.invalidRequest, "A message is one JSON object with \"jsonrpc\": \"2.0\"; no batches.")
    }

    static func id(_ value: JSONValue?) throws(AgentError) -> String? {
        guard let value else { return nil }
        // A client may spell an id that it refers to in another way.
        if let text = value.text { return JSONOutput.string(text.string).text(indented: false) }
        if let number = value.wholeNumber { return "\(number)" }
        throw AgentError(.invalidRequest, "\"id\" must be a text or a whole number.")
    }

    /// Reads a message. Returns `nil` for a response, because this server requests nothing.
    init?(_ root: JSONValue, id: String?) throws(AgentError) {
        (self.id, params) = (id, root["params"])
        if root["method"] == nil, root["result"] != nil || root["error"] != nil { return nil }
        guard let method = root["method"]?.text?.string, params?.kind ?? .object == .object else {
            throw AgentError(.invalidRequest, "A request has a text \"method\" and an object \"params\".")
        }
        self.method = method
    }

    /// A member of what every modern request carries.
    func meta(_ name: String) -> JSONValue? { params?["_meta"]?[Self.meta + name] }

    static let meta = "io.modelcontextprotocol/"

    /// Whether the message is of the modern era: it names its version, or only that era has its method.
    var isModern: Bool {
        meta("protocolVersion") != nil || ["server/discover", "subscriptions/listen"].contains(method)
    }

    /// The response to the request.
    ///
    /// - Parameter isListed: whether modern clients may ask for how long the response stays valid: for no time.
    func response(_ members: [(String, JSONOutput)], isListed: Bool = false) -> JSONOutput {
        let kind: [(String, JSONOutput)] = isModern ? [("resultType", .string("complete"))] : []
        let caching: [(String, JSONOutput)] =
            isModern && isListed ? [("ttlMs", .integer(0)), ("cacheScope", .string("private"))] : []
        return .object([
            ("jsonrpc", .string("2.0")), ("id", .raw(id ?? "null")), ("result", .object(kind + members + caching)),
        ])
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
    let data: JSONOutput?

    init(_ code: Code, _ sentence: String, data: JSONOutput? = nil) {
        (self.code, self.sentence, self.data) = (code, sentence, data)
    }

    /// - Parameter id: the id of the request; `nil` if it could not be read.
    func response(to id: String?) -> JSONOutput {
        let code = JSONOutput.integer(code.rawValue)
        let error = JSONOutput.object(present: [("code", code), ("message", .string(sentence)), ("data", data)])
        return .object([("jsonrpc", .string("2.0")), ("id", .raw(id ?? "null")), ("error", error)])
    }
}
