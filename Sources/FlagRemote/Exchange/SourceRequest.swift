/// One question to a service.
public struct SourceRequest: Sendable, Hashable {
    /// The methods that the services know.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        /// A question with a body, as some services have it (RFC 3253, section 3.6).
        case report = "REPORT"
    }

    /// What somebody wants with it, which decides what there is to do where it fails.
    public enum Purpose: Sendable, Hashable {
        /// To know flags.
        case reading
        /// To change what everybody gets.
        case publishing
    }

    /// The source that asks, as messages name it.
    public let source: String
    /// What to do.
    public var method: Method
    /// Where; it may hold secrets.
    public var url: SourceURL
    /// What is said besides.
    public var headers: SourceHeaders
    /// What is sent; empty for nothing.
    public var body: [UInt8]
    /// What it is for; nothing of that is sent.
    public var purpose = Purpose.reading

    /// A question.
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
}

extension SourceRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The first line and the headers, secrets masked, and the length of the body.
    public var description: String {
        "\(method.rawValue) \(RedactedURL.text(url))\n\(headers)\n\(body.count) bytes"
    }

    /// The same.
    public var debugDescription: String { description }

    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// What a service answers.
public struct SourceResponse: Sendable, Hashable {
    /// The status of HTTP.
    public var status: Int
    /// What is said besides.
    public var headers: SourceHeaders
    /// The content, decompressed.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: SourceHeaders = SourceHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
