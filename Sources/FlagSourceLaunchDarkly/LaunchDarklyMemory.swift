import FlagModel
import FlagRemote
import Synchronization

/// What a source and its subscription know in this run.
final class LaunchDarklyMemory: Sendable {
    private struct State {
        /// The flags from the stream; `nil` if there is none.
        var streamed: StreamedFlags?
        /// Whether they were not fetched yet.
        var hasNews = false
        var isReportRefused = false
        var hasFailed = false
    }

    private let state = Mutex(State())

    /// The prefix of versions from the stream, which the service does not know.
    private static let prefix = "stream:"

    /// The update from the stream since the last fetch.
    func takeNews() -> [UInt8]? {
        state.withLock { state in
            guard state.hasNews else { return nil }
            state.hasNews = false
            return state.streamed?.bytes
        }
    }

    /// The version of streamed flags.
    static func version(of bytes: [UInt8]) -> String {
        prefix + StableHash.text(String(decoding: bytes, as: UTF8.self))
    }

    /// The version for the request. After a failure there is none, as in the SDKs: the next response is complete.
    func versionToAsk(_ version: String?) -> String? {
        guard let version, !version.hasPrefix(Self.prefix) else { return nil }
        return state.withLock { $0.hasFailed ? nil : version }
    }

    /// Records whether the last request succeeded.
    func noteAnswer(isGood: Bool) { state.withLock { $0.hasFailed = !isGood } }

    /// Whether the service accepts the method REPORT, as far as is known.
    var mayReport: Bool { state.withLock { !$0.isReportRefused } }

    /// Records that it does not.
    func noteReportRefused() { state.withLock { $0.isReportRefused = true } }

    /// A response merged with the stream, the newest version of each flag. The same flags have the same bytes with or
    /// without a stream, so that they do not count as a change.
    func joining(_ answer: JSONValue) -> [UInt8] {
        let answered = StreamedFlags(answer)
        return state.withLock { state in
            state.streamed?.join(answered)
            return (state.streamed ?? answered).bytes
        }
    }

    /// Drops the streamed flags when the stream has ended: later changes are not reported.
    func forgetStream() { state.withLock { ($0.streamed, $0.hasNews) = (nil, false) } }

    /// Handles an event. Returns whether there is something to fetch that was not reported yet.
    func take(_ event: ServerSentEvent) -> Bool {
        guard ["put", "patch", "delete"].contains(event.name) else { return event.name == "ping" }
        // An event that cannot be decoded still means a change: fetch.
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

    /// A change is new, or old, or (`nil`) a reason to fetch, as there are no flags that it would change. Until the
    /// next fetch, further changes are not reported: one fetch takes all.
    private static func note(_ isNews: Bool??, _ state: inout State) -> Bool {
        guard let isNews = isNews ?? nil else { return true }
        defer { state.hasNews = state.hasNews || isNews }
        return isNews && !state.hasNews
    }
}
