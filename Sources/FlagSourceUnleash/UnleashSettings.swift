public import FlagRemote

/// How Unleash's front-end API is asked: that of the server itself, or of Unleash Edge before it.
public struct UnleashSettings: Sendable, Hashable {
    /// How the context travels.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// In the address. The service can answer that nothing has changed.
        case get
        /// In the body, so that no log of addresses holds it.
        case post
    }

    /// The pause between two questions, that of Unleash's own clients for apps: 15 seconds.
    public static let defaultRefreshInterval = Duration.seconds(15)

    /// The address before `/api/frontend`.
    public let baseURL: SourceURL
    /// A front-end token; those of other kinds are refused.
    public let token: Secret
    /// For whom toggles are evaluated.
    public var context = UnleashContext()
    /// How the context travels.
    public var question = Question.get
    /// The pause between two questions; `nil` or zero for never.
    public var refreshInterval: Duration? = defaultRefreshInterval
    /// Toggles whose names do not begin with it are passed over; empty for none.
    public var keyPrefix = ""

    /// Settings for a server.
    ///
    /// - Parameters:
    ///   - baseURL: `https://flags.example.com`; `/api/frontend` behind it, as the service's own pages show it, is the same.
    ///   - token: a front-end token.
    /// - Throws: what is wrong with the address.
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

    /// What tells the environment from others at the same address: what the token says, which is `project:environment`
    /// before its first dot. That is no secret; what follows is. The environment of the context is no more than a fact that
    /// toggles may go by.
    var scope: String {
        guard let dot = token.reveal().firstIndex(of: ".") else { return "" }
        let scope = token.reveal()[..<dot]
        return scope.contains(":") ? String(scope) : ""
    }
}
