#if Server
import FlagModel
import Synchronization

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
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        text = String(decoding: (0..<32).map { _ in letters[Int.random(in: 0..<64)] }, as: UTF8.self)
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

/// The one-time links to the page, and the sessions of the browsers that opened them. They are only in memory, so they
/// end with the server.
final class Sessions: Sendable {
    /// How long a link can be opened, in seconds.
    static let linkLifetime: Int64 = 600
    /// How many sessions and links there may be; the oldest ends first.
    private static let limit = 100

    private struct State {
        var codes: [(code: AccessToken, made: FlagTimestamp)] = []
        var sessions: [AccessToken] = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> FlagTimestamp

    init(now: @escaping @Sendable () -> FlagTimestamp) { self.now = now }

    /// A new code for a link that can be opened once.
    func makeCode() -> AccessToken {
        let code = AccessToken()
        state.withLock { $0.codes = $0.codes.suffix(Self.limit - 1) + [(code, now())] }
        return code
    }

    /// Exchanges a code for a session.
    ///
    /// - Returns: the id of the session; `nil` if the code is unknown, was used, or is too old.
    func open(_ code: String) -> AccessToken? {
        state.withLock { state in
            guard let index = state.codes.firstIndex(where: { $0.code.isEqual(to: code) }) else { return nil }
            let made = state.codes.remove(at: index).made
            guard now().seconds - made.seconds <= Self.linkLifetime else { return nil }
            let session = AccessToken()
            state.sessions = state.sessions.suffix(Self.limit - 1) + [session]
            return session
        }
    }

    /// Whether a text is the id of a session.
    func isOpen(_ id: some StringProtocol) -> Bool {
        state.withLock { $0.sessions }.contains { $0.isEqual(to: id) }
    }
}
#endif
