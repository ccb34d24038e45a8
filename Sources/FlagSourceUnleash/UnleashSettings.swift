public import FlagRemote

/// Settings for Unleash's front-end API, of the server itself or of Unleash Edge in front of it.
public struct UnleashSettings: Sendable, Hashable {
    /// How the context is sent.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// In the URL. The service can respond that nothing has changed.
        case get
        /// In the body, so that it is not in URL logs.
        case post
    }

    /// The interval of Unleash's own clients for apps: 15 seconds.
    public static let defaultRefreshInterval = Duration.seconds(15)

    /// The URL before `/api/frontend`.
    public let baseURL: SourceURL
    /// A front-end token; other kinds are rejected.
    public let token: Secret
    /// The evaluation context.
    public var context = UnleashContext()
    /// How the context is sent.
    public var question = Question.get
    /// The interval between two requests; `nil` or zero for never.
    public var refreshInterval: Duration? = defaultRefreshInterval
    /// The prefix that names must have; empty for none.
    public var keyPrefix = ""

    /// Settings for a server.
    ///
    /// - Parameters:
    ///   - baseURL: `https://flags.example.com`; a trailing `/api/frontend`, as in the service's documentation, is
    ///     allowed.
    ///   - token: a front-end token.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String, token: Secret) throws(SourceError) {
        var url = try SourceURL(
            base: text, of: "an Unleash server", example: "https://unleash.example.com",
            insteadUse: "a front-end token")
        url.path = Self.base(of: url.path)
        baseURL = url
        self.token = token
    }

    private static func base(of path: String) -> String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        for end in ["/frontend", "/api"] where path.hasSuffix(end) { path.removeLast(end.count) }
        return path.isEmpty ? "/" : path
    }

    /// Distinguishes environments at the same URL: the part of the token before its first dot, `project:environment`.
    /// That is not secret; what follows is. The environment of the context is only an attribute for toggles.
    var scope: String {
        guard let dot = token.reveal().firstIndex(of: ".") else { return "" }
        let scope = token.reveal()[..<dot]
        return scope.contains(":") ? String(scope) : ""
    }
}
