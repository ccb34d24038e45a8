/// Addresses as logs, errors and titles may show them.
public enum RedactedURL {
    /// A name sounds like that of a credential when it has one of these words in it, in any case.
    private static let secretWords = [
        "key", "token", "secret", "sig", "auth", "password", "passwd", "pwd", "credential", "code", "jwt", "session",
    ]

    /// The same when it is one of these: the proof of some services that a context is no invention.
    private static let secretNames = ["h"]

    /// An address without its secrets: user information is hidden, and the whole query, as no name tells for sure what is a
    /// credential, and one may stand there without a name. What cannot be read as an address is hidden from the `?` on, and
    /// where an `@` may end a password, all but the scheme.
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

    /// The same of an address in its parts.
    public static func text(_ url: SourceURL) -> String {
        let user = url.userInfo == nil ? "" : "\(Secret.mask)@"
        let query = url.query.map { $0.isEmpty ? "?" : "?\(Secret.mask)" }
        return "\(url.scheme)://\(user)\(url.authority)\(url.path)\(query ?? "")"
    }

    /// Whether a text is a key of an SDK, such as somebody writes where the name of an environment belongs: `sdk-`, `mob-` or
    /// `api-` and a UUID.
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
