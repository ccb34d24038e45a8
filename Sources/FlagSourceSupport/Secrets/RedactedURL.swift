/// Addresses as logs, errors and titles may show them.
public enum RedactedURL {
    /// A query item is hidden when its name has one of these words in it, in any case.
    private static let secretWords = [
        "key", "token", "secret", "sig", "auth", "password", "passwd", "pwd", "credential", "code", "jwt", "session",
    ]

    /// The same when it is one of these: LaunchDarkly's proof that a context is no invention.
    private static let secretNames = ["h"]

    /// An address without its secrets: user information is hidden, and the values of query items whose names sound like
    /// credentials. What cannot be read as an address is hidden from the `?` on.
    public static func text(_ url: String) -> String {
        guard let parts = SourceURL(url) else {
            let shown = url.prefix { !"?#@".contains($0) }
            return shown.count < url.count ? "\(shown)…" : url
        }
        return text(parts)
    }

    /// The same of an address in its parts.
    public static func text(_ url: SourceURL) -> String {
        let user = url.userInfo == nil ? "" : "\(Secret.mask)@"
        let query = url.query.map {
            "?" + $0.split(separator: "&", omittingEmptySubsequences: false).map(item).joined(separator: "&")
        }
        return "\(url.scheme)://\(user)\(url.authority)\(url.path)\(query ?? "")"
    }

    private static func item(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = item[..<equals]
        return isSecret(PercentEncoding.decoded(String(name))) ? "\(name)=\(Secret.mask)" : String(item)
    }

    /// Whether a name, of a query item or of a header, sounds like that of a credential.
    public static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return secretNames.contains(name) || secretWords.contains { name.range(ofText: $0) != nil }
    }
}
