import FlagModel
import FlagRemote
import Synchronization

/// Subscribes to the stream of an environment and reports changes.
struct LaunchDarklySubscription: Sendable {
    let settings: LaunchDarklySettings
    let client: SourceClient
    let memory: LaunchDarklyMemory
    let updates: AsyncStream<LiveUpdateEvent>.Continuation

    /// Runs until the task is cancelled, or the service rejects the subscription permanently.
    func run() async {
        if settings.usesReport, memory.mayReport {
            await listen(isReport: true)
            guard !memory.mayReport else { return }
        }
        await listen(isReport: false)
    }

    private func listen(isReport: Bool) async {
        await EventFeed(client, settings.streamRequest(isReport: isReport)).run { update in
            switch update {
            // An event with all flags, or a ping, follows immediately, so there is no need to fetch here.
            case .opened: updates.yield(.connected)
            case .event(let event): if memory.handle(event) { updates.yield(.changed) }
            case .lost(let error, _):
                memory.forgetStream()
                if isReport, LaunchDarklySettings.isUnknownMethod(error) {
                    memory.recordReportRejection()
                    return false
                }
                updates.yield(.disconnected(error))
                return !Self.isPermanent(error)
            }
            return true
        }
    }

    /// Whether an error is permanent, as in the SDKs: the key, the URL or the request is wrong. Only polling continues
    /// then.
    private static func isPermanent(_ error: SourceError) -> Bool {
        guard let status = error.status else { return false }
        return 400...499 ~= status && ![400, 408, 429].contains(status)
    }
}

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

/// The flags of an environment from its stream, each in its newest version.
struct StreamedFlags {
    private struct Entry {
        let version: Int?
        /// The flag as JSON; `nil` for a flag that was deleted.
        let json: String?

        /// Whether this entry replaces another one: its version is greater, or one of the two entries has no version.
        func isNewer(than entry: Entry?) -> Bool {
            guard let otherVersion = entry?.version, let version else { return true }
            return version > otherVersion
        }
    }

    private var entries: [FlagText: Entry] = [:]

    /// All flags, from a response or from the event `put`.
    init(_ set: JSONValue) {
        for (key, entry) in set.members {
            entries[key] = Entry(version: Self.version(entry), json: entry.flagText?.string)
        }
    }

    /// Replaces one flag, from the event `patch`. Returns whether the flag is newer than the known one; `nil` if the
    /// event is malformed.
    mutating func patch(_ flag: JSONValue) -> Bool? {
        // The event has the flag's key as a member, which flags in a response do not have.
        let members = flag.members.filter { $0.key != "key" }.map {
            ($0.key.string, JSONOutput.raw($0.value.compactJSON))
        }
        return replace(flag, JSONOutput.object(members).text(indented: false))
    }

    /// Removes one flag, from the event `delete`. The flag's version stays, so that an older patch cannot restore the
    /// flag. Returns the same as ``patch(_:)``.
    mutating func delete(_ flag: JSONValue) -> Bool? { replace(flag, nil) }

    private mutating func replace(_ flag: JSONValue, _ json: String?) -> Bool? {
        guard flag.kind == .object, let key = flag["key"]?.text, !key.isEmpty else { return nil }
        let entry = Entry(version: Self.version(flag), json: json)
        guard entry.isNewer(than: entries[key]) else { return false }
        entries[key] = entry
        return true
    }

    /// Merges a response, whose flags may be older or newer than those from the stream.
    mutating func join(_ result: StreamedFlags) {
        entries.merge(result.entries) { streamed, fetched in fetched.isNewer(than: streamed) ? fetched : streamed }
    }

    /// All flags in the format of a response; the same flags always have the same bytes.
    var bytes: [UInt8] {
        let present = entries.sorted { $0.key < $1.key }.compactMap { key, entry in
            entry.json.map { (key.string, JSONOutput.raw($0)) }
        }
        return Array(JSONOutput.object(present).text(indented: false).utf8)
    }

    private static func version(_ flag: JSONValue) -> Int? { flag["version"].flatMap { Int($0.source) } }
}
