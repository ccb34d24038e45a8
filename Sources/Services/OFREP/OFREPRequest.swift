import FlagModel
public import FlagRemote

/// An event that requests to fetch the flags again.
struct RefetchEvent {
    /// The ETag of the newest flags; `nil` if the event has none.
    var etag: String?
    /// When the flags changed, in the server's format: seconds since 1970, or ISO 8601; `nil` if the event has none.
    var lastModified: String?
}

extension OFREPSettings {
    /// The source's name in messages, with the server's host.
    var name: String { "ofrep:\(baseURL.authority)" }

    /// The request for all flags (protocol 0.3.0, `POST /ofrep/v1/evaluate/flags`).
    ///
    /// - Parameters:
    ///   - version: the ETag of the known flags; `nil` for a complete response.
    ///   - refetchEvent: the event that led to this request; `nil` if none did.
    func request(since version: String? = nil, after refetchEvent: RefetchEvent? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/ofrep/v1/evaluate/flags")
        if let etag = refetchEvent?.etag { url = url.adding(query: "flagConfigEtag", etag) }
        if let moment = refetchEvent?.lastModified { url = url.adding(query: "flagConfigLastModified", moment) }
        return SourceRequest(
            json: name, url: url, headers: credentials, body: .object([("context", .raw(context.json))]), since: version
        )
    }

    /// The request for an event stream. Credentials are sent only if the stream has the origin of the server.
    public func request(for stream: EventStreamAddress) -> SourceRequest {
        let hasSameOrigin = stream.url.origin == baseURL.origin
        return SourceRequest(source: name, url: stream.url, headers: hasSameOrigin ? credentials : SourceHeaders())
    }

    private var credentials: SourceHeaders {
        var result = headers
        if let bearerToken { result.set("Authorization", secret: bearerToken, prefix: "Bearer ") }
        if let apiKey { result.set("X-API-Key", secret: apiKey) }
        return result
    }

    /// The explanation in an error response, from `errorCode` and `errorDetails`.
    static func detail(_ response: SourceResponse) -> String? {
        guard let root = (try? JSONDocument(parsing: response.body))?.root else { return nil }
        let parts = [root["errorCode"], root["errorDetails"]].compactMap { $0?.text?.string }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
