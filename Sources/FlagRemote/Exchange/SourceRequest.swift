package import FlagModel

/// One request to a service.
public struct SourceRequest: Sendable, Hashable {
    /// The HTTP methods that services use.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        /// A read request with a body, which some services require (RFC 3253, section 3.6).
        case report = "REPORT"
    }

    /// The source's name in errors.
    public let source: String
    /// The method.
    public var method: Method
    /// The URL; it may contain secrets.
    public var url: SourceURL
    /// The headers.
    public var headers: SourceHeaders
    /// The body; empty for none.
    public var body: [UInt8]
    /// Whether the request changes the flags of all users, which decides the remedies if it fails.
    public var isPublishing = false
    /// The part of the URL's path that is a credential; `nil` if there is none.
    public var pathSecret: Secret?

    /// A request.
    public init(
        source: String, method: Method = .get, url: SourceURL, headers: SourceHeaders = SourceHeaders(),
        body: [UInt8] = []
    ) {
        self.source = source
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A request for JSON, by `GET` or, with a body, by `POST`.
    ///
    /// - Parameter version: the ETag of the known document, so that the service need not send it again.
    package init(
        json source: String, url: SourceURL, headers: SourceHeaders = SourceHeaders(), body: JSONOutput? = nil,
        since version: String? = nil
    ) {
        self.init(
            source: source, method: body == nil ? .get : .post, url: url, headers: headers, body: body?.bytes ?? [])
        self.headers["Accept"] = "application/json"
        if body != nil { self.headers["Content-Type"] = "application/json" }
        if let version { self.headers["If-None-Match"] = version }
    }
}

extension SourceRequest: CustomStringConvertible, CustomReflectable {
    /// The first line and the headers, secrets masked, and the length of the body.
    public var description: String {
        "\(method.rawValue) \(masking(RedactedURL.text(url)))\n\(headers)\n\(body.count) bytes"
    }

    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The response of a service.
public struct SourceResponse: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The headers.
    public var headers: SourceHeaders
    /// The body, decompressed.
    public var body: [UInt8]

    /// A response.
    public init(status: Int, headers: SourceHeaders = SourceHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}
