public import FlagModel
public import FlagRemote

/// A request to a loopback server.
public struct LoopbackRequest: Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The path, as it was sent.
    public let path: String
    /// The part after `?`, as it was sent.
    public let query: String?
    /// The headers.
    public let headers: SourceHeaders
    /// The content.
    public let body: [UInt8]

    package init(method: String, target: String, headers: SourceHeaders, body: [UInt8]) {
        let mark = target.firstIndex(of: "?")
        self.method = method
        path = String(target[..<(mark ?? target.endIndex)])
        query = mark.map { String(target[target.index(after: $0)...]) }
        (self.headers, self.body) = (headers, body)
    }

    /// The decoded value of the first query item with a name; `nil` if there is none.
    public func query(_ name: String) -> String? { PercentEncoding.parameters(of: query)[name] }

    /// The content as JSON; `nil` if it is not JSON.
    public var json: JSONValue? { (try? JSONDocument(parsing: body))?.root }
}

/// The reply of a loopback server.
public enum LoopbackReply: Sendable {
    /// Sends a response.
    case respond(SourceResponse)
    /// Sends a stream that stays open, with `first` after the head. A test uses the name to send more bytes on the
    /// stream, or to break off the stream.
    case stream(name: String, contentType: String, first: [UInt8] = [])
    /// Never responds.
    case hang
    /// Resets the connection.
    case reset
    /// Sends the response byte by byte, with a pause after each byte.
    case drip(SourceResponse, pause: Duration)
    /// Sends the head and half of the body, and closes the connection.
    case truncated(SourceResponse)
    /// Sends bytes unchanged, and closes the connection.
    case raw([UInt8])

    /// A response with JSON.
    public static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> LoopbackReply {
        .respond(
            SourceResponse(
                status: status, headers: SourceHeaders([("Content-Type", "application/json")] + headers),
                body: Array(text.utf8)))
    }

    /// A response with only a status and headers.
    public static func status(_ status: Int, headers: [(String, String)] = []) -> LoopbackReply {
        .respond(SourceResponse(status: status, headers: SourceHeaders(headers)))
    }
}
