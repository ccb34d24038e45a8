public import FlagRemote

/// Settings for Unleash's front-end API, of the server itself or of Unleash Edge in front of it.
public struct UnleashSettings: Sendable, Hashable {
    /// How the context is sent.
    public enum RequestMethod: String, Sendable, Hashable, CaseIterable {
        /// In the URL. The service can respond that nothing has changed.
        case get
        /// In the body, so that the context is not in URL logs.
        case post
    }

    /// The default refresh interval: 15 seconds, as in Unleash's clients for apps.
    public static let defaultRefreshInterval = Duration.seconds(15)

    /// The URL before `/api/frontend`.
    public let baseURL: SourceURL
    /// A front-end token; the service rejects other kinds.
    public let token: Secret
    /// A backend token of the same environment. Older versions of Unleash call it a client token. With this token, the
    /// source reads the names of all toggles, because the front-end API lists only toggles that are on.
    public var backendToken: Secret?
    /// The evaluation context.
    public var context = UnleashContext()
    /// How the context is sent.
    public var requestMethod = RequestMethod.get
    /// The interval between two requests; `nil` or zero for never.
    public var refreshInterval: Duration? = defaultRefreshInterval
    /// The prefix of the names to read; empty for all names.
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

    /// The part of the token before its first dot, `project:environment`, which is not secret; empty if the token has
    /// another form. This part distinguishes environments at the same URL.
    var scope: String {
        guard let dot = token.reveal().firstIndex(of: ".") else { return "" }
        let scope = token.reveal()[..<dot]
        return scope.contains(":") ? String(scope) : ""
    }
}
