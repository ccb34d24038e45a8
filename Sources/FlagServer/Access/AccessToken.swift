#if Server
/// A random text that gives access, such as a token, a one-time code or the id of a session.
public struct AccessToken: Sendable, Hashable {
    /// The text: letters, digits, `-` and `_`.
    public let text: String

    /// A given token.
    ///
    /// - Returns: `nil` for a text of fewer than 16 bytes, which could be guessed, and for one with other than visible
    ///   ASCII characters, which a header cannot have.
    public init?(_ text: String) {
        guard text.utf8.count >= 16, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        self.text = text
    }

    /// A new token of 192 random bits from the system.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let bytes = (0..<32).map { _ in letters[Int.random(in: 0..<64, using: &generator)] }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text is this token. Takes the same time for every text of the same length, so that the time of a
    /// response does not help to guess.
    func isEqual(to other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The tokens of a server.
public struct AccessTokens: Sendable {
    /// The token for writing, and for reading.
    public var writing: AccessToken
    /// The token for reading alone, for apps; `nil` if reading needs none.
    public var reading: AccessToken?

    /// Tokens; new ones by default.
    public init(writing: AccessToken = AccessToken(), reading: AccessToken?) {
        (self.writing, self.reading) = (writing, reading)
    }
}
#endif
