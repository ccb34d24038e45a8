public import FlagModel
public import FlagRemote
import Synchronization

/// Overrides that a team shares, kept in memory instead of on a server, for tests and previews.
public final class InMemoryTeam: TeamLayer, Sendable {
    private struct State {
        var overrides: FlagTable<FlagOverride> = [:]
        var changes: [TeamChange] = []
        var listeners: [AsyncStream<LiveUpdateEvent>.Continuation] = []
    }

    private let state = Mutex(State())

    /// A team with these values by flag.
    public init(_ values: FlagTable<String> = [:]) {
        state.withLock { $0.overrides = values.mapValues { FlagOverride(value: $0) } }
    }

    /// The source of the values.
    public var source: any RemoteSource { Source(team: self) }

    /// Changes the values. Those with an end stay.
    public func apply(_ request: TeamRequest, by author: String) async throws(SourceError) -> TeamCommit {
        let now = SourceClock.system.now()
        return state.withLock { state in
            let changes = request.changes(of: state.overrides, at: now, by: author)
            guard !changes.isEmpty else { return TeamCommit(revision: 0, changes: []) }
            for change in changes { state.overrides[change.key] = change.new }
            let change = TeamChange(
                revision: state.changes.count + 1, at: now, by: author, action: request.label, changes: changes)
            state.changes.insert(change, at: 0)
            // Those that have ended are forgotten.
            state.listeners.removeAll { if case .terminated = $0.yield(.changed) { true } else { false } }
            return TeamCommit(revision: change.revision, changes: changes)
        }
    }

    /// The changes, the newest first.
    public func history(limit: Int?) async throws(SourceError) -> [TeamChange] {
        state.withLock { Array($0.changes.prefix(limit ?? .max)) }
    }

    private struct Source: RemoteSource {
        let team: InMemoryTeam

        var identity: SourceIdentity { "memory:team" }
        var name: String { "team in memory" }
        var isCached: Bool { false }

        func readSynchronously() throws(SourceError) -> FetchResult? {
            let overrides = team.state.withLock { $0.overrides }.sortedByKey
            // Each version has other bytes, so that the engine decodes it.
            return .values(Array("\(overrides)".utf8), version: nil)
        }

        func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
            RemoteDocument(overrides: team.state.withLock { $0.overrides })
        }

        func changes() -> AsyncStream<LiveUpdateEvent>? {
            let (events, listener) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
            team.state.withLock { $0.listeners.append(listener) }
            listener.yield(.connected)
            return events
        }
    }
}
