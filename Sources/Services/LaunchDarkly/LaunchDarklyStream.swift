import FlagModel
import FlagRemote
import Synchronization

extension LaunchDarklySource {
    /// Listens to the environment's stream until the task is cancelled, or the service rejects the subscription
    /// permanently.
    func listen(_ updates: AsyncStream<LiveUpdateEvent>.Continuation) async {
        let isReport = isReporting
        await EventFeed(client, settings.streamRequest(isReport: isReport)).run { update in
            switch update {
            // An event with all flags, or a ping, follows immediately, so there is no need to fetch here.
            case .opened: updates.yield(.connected)
            case .event(let event): if state.withLock({ $0.handle(event) }) { updates.yield(.changed) }
            case .lost(let error, _):
                let isUnknown = isReport && LaunchDarklySettings.isUnknownMethod(error)
                state.withLock { state in
                    (state.streamed, state.hasUpdates) = (nil, false)
                    if isUnknown { state.isReportRejected = true }
                }
                guard !isUnknown else { return false }
                updates.yield(.disconnected(error))
                return !Self.isPermanent(error)
            }
            return true
        }
        if isReport, !isReporting { await listen(updates) }
    }

    /// Whether an error is permanent, as in the SDKs: the key, the URL or the request is wrong. Only polling continues
    /// then.
    private static func isPermanent(_ error: SourceError) -> Bool {
        guard let status = error.status else { return false }
        return 400...499 ~= status && ![400, 408, 429].contains(status)
    }
}

/// The state that a source and its subscription share in a run.
struct LaunchDarklyState {
    /// The flags from the stream; `nil` if there is no stream.
    var streamed: StreamedFlags?
    /// Whether ``streamed`` has changes that no fetch has returned yet.
    var hasUpdates = false
    /// Whether the service has rejected the method REPORT.
    var isReportRejected = false
    /// Whether the last request failed.
    var hasFailed = false

    /// The flags from the stream, if they have changed since the last fetch; else `nil`.
    mutating func readPendingFlags() -> [UInt8]? {
        defer { hasUpdates = false }
        return hasUpdates ? streamed?.bytes : nil
    }

    /// A response merged with the flags from the stream, each flag in its newest version. Equal flags have equal bytes,
    /// with or without a stream, so that they do not count as a change.
    mutating func joining(_ result: JSONValue) -> [UInt8] {
        let fetched = StreamedFlags(result)
        streamed?.join(fetched)
        return (streamed ?? fetched).bytes
    }

    /// Handles an event. Returns `true` if there is a change to fetch that was not reported yet: the next fetch returns
    /// all changes, so only the first change before a fetch is reported.
    mutating func handle(_ event: ServerSentEvent) -> Bool {
        guard ["put", "patch", "delete"].contains(event.name) else { return event.name == "ping" }
        // An event that cannot be decoded, or is about unknown flags, still means a change: fetch.
        guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root, root.kind == .object else {
            return true
        }
        var isNewer = true
        if event.name == "put" {
            streamed = StreamedFlags(root)
        } else {
            guard let replaced = streamed?.replace(root, isDeleted: event.name == "delete") ?? nil else { return true }
            isNewer = replaced
        }
        defer { hasUpdates = hasUpdates || isNewer }
        return isNewer && !hasUpdates
    }
}

/// The flags of an environment from its stream, each in its newest version.
struct StreamedFlags {
    /// A flag as JSON, or `nil` for a flag that was deleted, with its version.
    private typealias Entry = (version: Int?, json: String?)

    /// Whether an entry replaces another one: its version is greater, or one of the two entries has no version.
    private static func isNewer(_ entry: Entry, than other: Entry?) -> Bool {
        guard let otherVersion = other?.version, let version = entry.version else { return true }
        return version > otherVersion
    }

    private var entries: [FlagText: Entry] = [:]

    /// All flags, from a response or from the event `put`.
    init(_ set: JSONValue) {
        for (key, entry) in set.members {
            entries[key] = (Self.version(entry), entry.flagText?.string)
        }
    }

    /// Replaces or removes one flag, from the events `patch` and `delete`. The version of a deleted flag stays, so that
    /// an older patch cannot restore the flag. Returns whether the event is newer than the known flag; `nil` if the event
    /// is malformed.
    mutating func replace(_ flag: JSONValue, isDeleted: Bool) -> Bool? {
        guard let key = flag["key"]?.text, !key.isEmpty else { return nil }
        // The event has the flag's key as a member, which flags in a response do not have.
        let members = flag.members.filter { $0.key != "key" }.map {
            ($0.key.string, JSONOutput.raw($0.value.compactJSON))
        }
        let json = isDeleted ? nil : JSONOutput.object(members).text(indented: false)
        let entry = (Self.version(flag), json)
        guard Self.isNewer(entry, than: entries[key]) else { return false }
        entries[key] = entry
        return true
    }

    /// Merges a response, whose flags may be older or newer than those from the stream.
    mutating func join(_ result: StreamedFlags) {
        entries.merge(result.entries) { streamed, fetched in Self.isNewer(fetched, than: streamed) ? fetched : streamed
        }
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
