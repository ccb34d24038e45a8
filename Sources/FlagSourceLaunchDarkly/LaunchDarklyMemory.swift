import FlagModel
import FlagRemote
import Synchronization

/// The state that a source and its subscription share in a run.
final class LaunchDarklyMemory: Sendable {
    private struct State {
        /// The flags from the stream; `nil` if there is no stream.
        var streamed: StreamedFlags?
        /// Whether ``streamed`` has changes that no fetch has returned yet.
        var hasUpdates = false
        /// Whether the service has rejected the method REPORT.
        var isReportRejected = false
        /// Whether the last request failed.
        var hasFailed = false
    }

    private let state = Mutex(State())

    /// The prefix of versions of streamed flags. The service does not know these versions.
    private static let prefix = "stream:"

    /// The flags from the stream, if they have changed since the last fetch; else `nil`.
    func readPendingFlags() -> [UInt8]? {
        state.withLock { state in
            guard state.hasUpdates else { return nil }
            state.hasUpdates = false
            return state.streamed?.bytes
        }
    }

    /// The version of streamed flags.
    static func version(of bytes: [UInt8]) -> String {
        prefix + StableHash.text(String(decoding: bytes, as: UTF8.self))
    }

    /// The version to send with a request. After a failure the version is `nil`, as in the SDKs, so that the response
    /// is complete.
    ///
    /// - Parameter version: the version of the values that the caller has.
    func versionToRequest(_ version: String?) -> String? {
        guard let version, !version.hasPrefix(Self.prefix) else { return nil }
        return state.withLock { $0.hasFailed ? nil : version }
    }

    /// Records whether the last request succeeded.
    func recordResponse(isGood: Bool) { state.withLock { $0.hasFailed = !isGood } }

    /// Whether the service has not rejected the method REPORT in this run.
    var mayReport: Bool { state.withLock { !$0.isReportRejected } }

    /// Records that the service rejects the method REPORT.
    func recordReportRejection() { state.withLock { $0.isReportRejected = true } }

    /// A response merged with the flags from the stream, each flag in its newest version. Equal flags have equal bytes,
    /// with or without a stream, so that they do not count as a change.
    func joining(_ result: JSONValue) -> [UInt8] {
        let fetched = StreamedFlags(result)
        return state.withLock { state in
            state.streamed?.join(fetched)
            return (state.streamed ?? fetched).bytes
        }
    }

    /// Drops the streamed flags, as they are no longer current after the stream has ended.
    func forgetStream() { state.withLock { ($0.streamed, $0.hasUpdates) = (nil, false) } }

    /// Handles an event. Returns `true` if there is a change to fetch that was not reported yet.
    func handle(_ event: ServerSentEvent) -> Bool {
        guard ["put", "patch", "delete"].contains(event.name) else { return event.name == "ping" }
        // An event that cannot be decoded still means a change: fetch.
        guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root, root.kind == .object else {
            return true
        }
        return state.withLock { state in
            switch event.name {
            case "put":
                state.streamed = StreamedFlags(root)
                return Self.record(true, &state)
            case "patch": return Self.record(state.streamed?.patch(root), &state)
            default: return Self.record(state.streamed?.delete(root), &state)
            }
        }
    }

    /// Records a change of a flag. Returns whether to report the change. The next fetch returns all changes, so only
    /// the first change before a fetch is reported.
    ///
    /// - Parameter isUpdate: whether the change is newer than the streamed flags; `nil` if there are no streamed flags,
    ///   or the event is malformed, so that a fetch is needed.
    private static func record(_ isUpdate: Bool??, _ state: inout State) -> Bool {
        guard let isUpdate = isUpdate ?? nil else { return true }
        defer { state.hasUpdates = state.hasUpdates || isUpdate }
        return isUpdate && !state.hasUpdates
    }
}
