import FlagFormats
public import FlagModel
public import FlagRemote

/// Flags from a JSON document on a web server: keys and values, a template of Firebase Remote Config, a catalog, a flag
/// file of flagd, or a manifest of OpenFeature.
///
/// ```swift
/// var settings = try URLSourceSettings(url: "https://example.com/flags.json")
/// settings.bearerToken = Secret(token)
/// let flags = FlagStore(app: "shop", sources: [URLSource(settings, client: client)])
/// ```
public struct URLSource: RemoteSource {
    private let settings: URLSourceSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: URLSourceSettings, client: SourceClient) {
        (self.settings, self.client) = (settings, client)
    }

    /// The URL without its query, and a short hash of the query.
    public var identity: SourceIdentity {
        let url = settings.url
        return "\(url.scheme)://\(url.authority)\(url.path)#\(Secret(url.query ?? "").mark)"
    }

    /// The host and the document's file name.
    public var name: String { settings.url.documentName }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Fetches the document, unless the server responds that the known version is the newest.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let response = try await client.reporting(to: progress).send(request(since: version))
        let result = try FetchResult(response, since: version, of: name)
        guard case .values(let body, nil) = result else { return result }
        return .values(body, version: Self.lastModified(response.headers))
    }

    /// Decodes the document, and evaluates it if the settings have an evaluation.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let text = JSONComments.removed(from: bytes, named: settings.url.documentName)
        let document = try RemoteDocument(ofAnyFormat: text)
        return settings.evaluate?(text, document) ?? document
    }

    private func request(since version: String?) -> SourceRequest {
        var request = SourceRequest(json: name, url: settings.url)
        if let version {
            request.headers[HTTPDate.timestamp(version) == nil ? "If-None-Match" : "If-Modified-Since"] = version
        }
        if let token = settings.bearerToken { request.headers.set("Authorization", secret: token, prefix: "Bearer ") }
        return request
    }

    /// The version of a document whose server sends no `ETag`: the date of the document's last change. `nil` if the
    /// document changed in the same second as the response, as it may change again in that second (RFC 9110, section
    /// 8.8.2.2).
    private static func lastModified(_ headers: SourceHeaders) -> String? {
        guard let text = headers["Last-Modified"], let modified = HTTPDate.timestamp(text),
            let now = headers["Date"].flatMap(HTTPDate.timestamp), now.seconds > modified.seconds
        else { return nil }
        return text
    }
}

/// Settings for a document on a web server.
public struct URLSourceSettings: Sendable {
    /// The default poll interval: a minute.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The URL of the document.
    public let url: SourceURL
    /// The token that is sent as `Authorization: Bearer`, only to the origin of ``url``.
    public var bearerToken: Secret?
    /// How often the document is polled while the source is followed; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// Evaluates each document; `nil` for no evaluation.
    public var evaluate: DocumentEvaluation?

    /// Settings for a document.
    ///
    /// - Parameter url: such as `https://example.com/flags.json`. `http` is only allowed for a server on this machine.
    ///   Messages never show the URL's query.
    /// - Throws: why the URL is not valid.
    public init(url text: String) throws(SourceError) {
        guard let url = SourceURL(text) else {
            throw Self.failure(
                .rejected, text, "not a document URL; example: https://example.com/flags.json")
        }
        guard url.userInfo == nil else {
            throw Self.failure(
                .rejected, text, "the URL must not contain a user or a password; use a token")
        }
        guard url.isSecure || url.isLoopback else {
            throw Self.failure(
                .insecure, text, "http is for servers on this machine only; use https",
                ["Write https:// at the start of the URL, or fetch the document to a file and name that."])
        }
        self.url = url
    }

    private static func failure(
        _ code: SourceError.Code, _ url: String, _ sentence: String, _ remedies: [String] = []
    ) -> SourceError {
        let name = SourceURL(url)?.documentName ?? RedactedURL.text(url)
        return SourceError(code, of: name, sentence, remedies: remedies)
    }
}
