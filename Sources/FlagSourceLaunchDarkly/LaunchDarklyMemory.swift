import FlagModel
import FlagRemote
import Synchronization

/// What a source and who listens for it know of this run.
final class LaunchDarklyMemory: Sendable {
    private struct State {
        /// What the stream has told; `nil` while there is none.
        var streamed: StreamedFlags?
        /// Whether that was not fetched yet.
        var hasNews = false
        var isReportRefused = false
        var hasFailed = false
    }

    private let state = Mutex(State())

    /// Versions of what the stream has told begin with it; the service does not know them.
    private static let prefix = "stream:"

    /// What the stream has told since the last fetch.
    func takeNews() -> [UInt8]? {
        state.withLock { state in
            guard state.hasNews else { return nil }
            state.hasNews = false
            return state.streamed?.bytes
        }
    }

    /// What a set that was streamed is called.
    static func version(of bytes: [UInt8]) -> String {
        prefix + StableHash.text(String(decoding: bytes, as: UTF8.self))
    }

    /// The version to ask with. After a failure there is none, as in the SDKs: the next answer is a whole one.
    func versionToAsk(_ version: String?) -> String? {
        guard let version, !version.hasPrefix(Self.prefix) else { return nil }
        return state.withLock { $0.hasFailed ? nil : version }
    }

    /// Notes how the service has answered.
    func noteAnswer(isGood: Bool) { state.withLock { $0.hasFailed = !isGood } }

    /// Whether the service takes the method REPORT, as far as is known.
    var mayReport: Bool { state.withLock { !$0.isReportRefused } }

    /// Notes that it does not.
    func noteReportRefused() { state.withLock { $0.isReportRefused = true } }

    /// An answer joined with what the stream has told, the newest version of each flag. The same flags have the same bytes whether
    /// there is a stream or not, so that none of them differs from itself.
    func joining(_ answer: JSONValue) -> [UInt8] {
        let answered = StreamedFlags(answer)
        return state.withLock { state in
            state.streamed?.join(answered)
            return (state.streamed ?? answered).bytes
        }
    }

    /// Forgets what the stream has told, as it has ended: from now on changes go untold.
    func forgetStream() { state.withLock { ($0.streamed, $0.hasNews) = (nil, false) } }

    /// Takes an event over. Returns whether there is something to fetch that nobody was told of yet.
    func take(_ event: ServerSentEvent) -> Bool {
        guard ["put", "patch", "delete"].contains(event.name) else { return event.name == "ping" }
        // What cannot be read was said for a reason: ask.
        guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root, root.kind == .object else {
            return true
        }
        return state.withLock { state in
            switch event.name {
            case "put":
                state.streamed = StreamedFlags(root)
                return Self.note(true, &state)
            case "patch": return Self.note(state.streamed?.patch(root), &state)
            default: return Self.note(state.streamed?.delete(root), &state)
            }
        }
    }

    /// A change: it is news, or old, or (`nil`) a reason to ask, as there is no set that it would change. Until the news
    /// are fetched, more of them are told to nobody: one fetch takes all.
    private static func note(_ isNews: Bool??, _ state: inout State) -> Bool {
        guard let isNews = isNews ?? nil else { return true }
        defer { state.hasNews = state.hasNews || isNews }
        return isNews && !state.hasNews
    }
}
