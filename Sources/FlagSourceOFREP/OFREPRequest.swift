import FlagModel
public import FlagRemote

/// What an event said about the flags to refetch.
public struct RefetchHint: Sendable, Hashable {
    /// The newest version, as the server names it.
    public var etag: String?
    /// When it changed, as the server formats it: seconds since 1970, or ISO 8601.
    public var lastModified: String?

    /// A hint.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }
}

extension OFREPSettings {
    /// The name that messages use: the server's host.
    var name: String { "ofrep:\(baseURL.authority)" }

    /// The request for all flags (protocol 0.3.0, `POST /ofrep/v1/evaluate/flags`).
    ///
    /// - Parameters:
    ///   - version: the ETag of the known flags, sent back unchanged.
    ///   - hint: the event that led to this request.
    public func request(since version: String? = nil, after hint: RefetchHint? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/ofrep/v1/evaluate/flags")
        if let etag = hint?.etag { url = url.adding(query: "flagConfigEtag", etag) }
        if let moment = hint?.lastModified { url = url.adding(query: "flagConfigLastModified", moment) }
        var headers = credentials
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json"
        if let version { headers["If-None-Match"] = version }
        return SourceRequest(
            source: name, method: .post, url: url, headers: headers, body: Array("{\"context\":\(context.json)}".utf8))
    }

    /// The request for an event stream. Credentials are sent if the stream has the server's own origin.
    public func request(for stream: EventStreamAddress) -> SourceRequest {
        let isOwn = stream.url.origin == baseURL.origin
        return SourceRequest(source: name, url: stream.url, headers: isOwn ? credentials : SourceHeaders())
    }

    private var credentials: SourceHeaders {
        var result = headers
        if let bearerToken { result.set("Authorization", secret: bearerToken, prefix: "Bearer ") }
        if let apiKey { result.set("X-API-Key", secret: apiKey) }
        return result
    }

    /// The explanation in an error response: `errorCode` and `errorDetails`.
    static func detail(_ response: SourceResponse) -> String? {
        guard let root = (try? JSONDocument(parsing: response.body))?.root else { return nil }
        let parts = [root["errorCode"], root["errorDetails"]].compactMap { $0?.text?.string }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
