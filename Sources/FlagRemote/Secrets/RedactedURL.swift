/// Addresses without secrets, for logs, errors and titles.
public enum RedactedURL {
    /// Words in the names of credentials. A name that contains one of them, in any case, is the name of a credential.
    private static let secretWords = [
        "key", "token", "secret", "signature", "auth", "password", "passwd", "pwd", "credential", "code", "jwt",
        "session",
    ]

    /// Whole names of credentials: `h` is a hash that proves to some services that a context is genuine, `sig` a signature.
    private static let secretNames = ["h", "sig"]

    /// An address with the user information and the whole query masked, as the names in a query do not reliably show
    /// which values are credentials. If the address cannot be parsed, only the part before `?` or `#` is shown. If such
    /// an address contains `@`, which may follow a password, only the scheme is shown.
    public static func text(_ url: String) -> String {
        if isSDKKey(url) { return "\(url.prefix(4))\(Secret.mask)" }
        guard let parsed = SourceURL(url) else {
            let mayHavePassword = url.contains("@")
            let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
            let shown =
                mayHavePassword ? url[..<start].prefix { !"?#@".contains($0) } : url.prefix { !"?#".contains($0) }
            return shown.count < url.count ? "\(shown)…" : url
        }
        return text(parsed)
    }

    /// A text that a user has typed in place of a URL, as ``text(_:)-(String)``. A credential is masked.
    package static func typed(_ text: String) -> String {
        SourceURL(text) == nil && isCredential(text)
            ? Secret.mask : self.text(text)
    }

    /// A parsed address with the user information and the whole query masked.
    public static func text(_ url: SourceURL) -> String {
        let user = url.userInfo == nil ? "" : "\(Secret.mask)@"
        let query = url.query.map { $0.isEmpty ? "?" : "?\(Secret.mask)" }
        return "\(url.scheme)://\(user)\(url.authority)\(url.path)\(query ?? "")"
    }

    /// The beginnings of keys of PostHog, Flagsmith and GrowthBook.
    private static let keyPrefixes = ["phc_", "phx_", "phs_", "ser.", "secret_"]

    /// Whether a text is an SDK key: `sdk-`, `mob-` or `api-` and a UUID, or a key with the beginning of another vendor's.
    /// Users may enter a key instead of the name of an environment or of an address.
    package static func isSDKKey(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return isStatsigKey(parts) || keyPrefixes.contains { text.hasPrefix($0) && text.utf8.count >= 12 }
            || parts.count == 6 && ["sdk", "mob", "api"].contains(parts[0])
                && parts.dropFirst().map(\.utf8.count) == [8, 4, 4, 4, 12]
    }

    /// Whether the parts of a text are those of a key of Statsig: `client`, `secret` or `console`, and at least 20
    /// letters and digits.
    private static func isStatsigKey(_ parts: [Substring]) -> Bool {
        parts.count == 2 && ["client", "secret", "console"].contains(parts[0]) && parts[1].utf8.count >= 20
            && parts[1].allSatisfy { $0.isLetter || $0.isNumber }
    }

    /// Whether the name of a query item or header is probably the name of a credential.
    public static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return secretNames.contains(name) || secretWords.contains(where: name.contains)
    }

    /// The minimum length of a credential, in bytes. Credentials are rarely shorter, and paths are rarely as long.
    private static let credentialLength = 20

    /// Whether a text looks like a credential rather than a path or an address: the text has a known token format, or has a long word
    /// of letters and digits and no file extension.
    package static func isCredential(_ text: String) -> Bool {
        guard !["/", "./", "../", "~"].contains(where: text.hasPrefix), text.utf8.count >= credentialLength else {
            return false
        }
        // The content of a key file.
        if text.contains(where: \.isNewline) || text.hasPrefix("-----BEGIN ") { return true }
        // JSON Web Tokens, Google tokens, and tokens that begin with the name of a project and environment.
        if ["eyJ", "ya29.", "Bearer "].contains(where: text.hasPrefix) || text.contains(":") { return true }
        let words = text.split(separator: "/")
        guard let last = words.last, !hasFileExtension(last) else { return false }
        return words.contains { word in
            word.utf8.count >= credentialLength && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
        }
    }

    /// Whether a name has a file extension, such as `.txt`.
    private static func hasFileExtension(_ name: Substring) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let fileExtension = name[dot...].dropFirst()
        return 1...5 ~= fileExtension.count && fileExtension.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
