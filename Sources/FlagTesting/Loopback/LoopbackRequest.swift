public import FlagModel
public import FlagRemote

/// What a loopback server was asked.
public struct LoopbackRequest: Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The path, as it was sent.
    public let path: String
    /// What stood behind `?`, as it was sent.
    public let query: String?
    /// The headers.
    public let headers: SourceHeaders
    /// The content.
    public let body: [UInt8]

    init(method: String, target: String, headers: SourceHeaders, body: [UInt8]) {
        let mark = target.firstIndex(of: "?")
        self.method = method
        path = String(target[..<(mark ?? target.endIndex)])
        query = mark.map { String(target[target.index(after: $0)...]) }
        self.headers = headers
        self.body = body
    }

    /// The value of an item of the query, decoded.
    public func query(_ name: String) -> String? {
        for item in (query ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first.map(String.init).map(PercentEncoding.decoded) == name {
                return PercentEncoding.decoded(parts.count > 1 ? String(parts[1]) : "")
            }
        }
        return nil
    }

    /// The content as JSON; `nil` where it is none.
    public var json: JSONValue? { (try? JSONDocument(parsing: body))?.root }
}

/// What a loopback server does with a request.
public enum LoopbackReply: Sendable {
    /// Answers in good order.
    case answer(SourceResponse)
    /// Answers with a stream that stays open, named so that a test can push to it and break it off. What comes `first` is
    /// sent with its head.
    case stream(name: String, contentType: String, first: [UInt8] = [])
    /// Takes the request and never says anything.
    case hang
    /// Breaks the connection off without a word.
    case reset
    /// Answers a byte at a time, with that pause between two.
    case drip(SourceResponse, pause: Duration)
    /// Announces the whole answer, sends half of its body and closes the connection.
    case truncated(SourceResponse)
    /// Sends bytes as they are and closes the connection.
    case raw([UInt8])

    /// An answer with JSON.
    public static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> LoopbackReply {
        .answer(
            SourceResponse(
                status: status, headers: SourceHeaders([("Content-Type", "application/json")] + headers),
                body: Array(text.utf8)))
    }

    /// An answer with nothing but a status and headers.
    public static func status(_ status: Int, headers: [(String, String)] = []) -> LoopbackReply {
        .answer(SourceResponse(status: status, headers: SourceHeaders(headers)))
    }
}
