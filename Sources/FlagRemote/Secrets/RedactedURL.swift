/// Addresses as logs, errors and titles may show them.
public enum RedactedURL {
    /// A name with one of these words in it, in any case, sounds like that of a credential.
    private static let secretWords = [
        "key", "token", "secret", "sig", "auth", "password", "passwd", "pwd", "credential", "code", "jwt", "session",
    ]

    /// Names that are secret as a whole: the proof of some services that a context is genuine.
    private static let secretNames = ["h"]

    /// An address without its secrets: user information is hidden, and the whole query, as names do not reliably show
    /// what is a credential, and one may have no name. If it cannot be parsed, everything from the `?` on is hidden,
    /// and if an `@` may end a password, all but the scheme.
    public static func text(_ url: String) -> String {
        if isSDKKey(url) { return "\(url.prefix(4))\(Secret.mask)" }
        guard let parts = SourceURL(url) else {
            let mayHoldUser = url.contains("@")
            let start = url.range(ofText: "://")?.upperBound ?? url.startIndex
            let shown = mayHoldUser ? url[..<start].prefix { !"?#@".contains($0) } : url.prefix { !"?#".contains($0) }
            return shown.count < url.count ? "\(shown)…" : url
        }
        return text(parts)
    }

    /// The same for a parsed address.
    public static func text(_ url: SourceURL) -> String {
        let user = url.userInfo == nil ? "" : "\(Secret.mask)@"
        let query = url.query.map { $0.isEmpty ? "?" : "?\(Secret.mask)" }
        return "\(url.scheme)://\(user)\(url.authority)\(url.path)\(query ?? "")"
    }

    /// Whether a text is an SDK key, which users confuse with the name of an environment: `sdk-`, `mob-` or `api-` and
    /// a UUID.
    package static func isSDKKey(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 6 && ["sdk", "mob", "api"].contains(parts[0])
            && parts.dropFirst().map(\.utf8.count) == [8, 4, 4, 4, 12]
    }

    /// Whether a name, of a query item or of a header, sounds like that of a credential.
    public static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return secretNames.contains(name) || secretWords.contains { name.range(ofText: $0) != nil }
    }
}
