import FlagModel
public import FlagRemote

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
        return SourceError(code: code, path: name, sentence: sentence, cause: nil, remedies: remedies)
    }
}
