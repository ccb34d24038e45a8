#if Server
import FlagModel
import Synchronization

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
        state.withLock { state in
            state.codes.append((code, now()))
            if state.codes.count > Self.limit { state.codes.removeFirst() }
        }
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
            state.sessions.append(session)
            if state.sessions.count > Self.limit { state.sessions.removeFirst() }
            return session
        }
    }

    /// Whether a text is the id of a session.
    func isOpen(_ id: some StringProtocol) -> Bool {
        state.withLock { $0.sessions }.contains { $0.isEqual(to: id) }
    }
}
#endif
