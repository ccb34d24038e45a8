import FlagModel
public import FlagRemote

/// Which document is fetched, and how.
public struct URLSourceSettings: Sendable {
    /// The usual time between two polls: a minute.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The address of the document.
    public let url: SourceURL
    /// Sent as `Authorization: Bearer`, to the document's own origin only.
    public var bearerToken: Secret?
    /// How often the document is fetched while somebody looks at its values; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// Evaluates each document that was read; `nil` if nobody can.
    public var evaluate: DocumentEvaluation?

    /// Settings for a document.
    ///
    /// - Parameter url: `https://example.com/flags.json`. `http` is for a server on this machine. A query is never shown.
    /// - Throws: what is wrong with the URL.
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
