import FlagModel
public import FlagRemote
import Synchronization

/// The values of a team in etcd v3, read and written through its JSON gateway.
///
/// The value of a flag is in the key `PREFIX/flags/KEY`, as JSON with author and time. Each change is a transaction,
/// which also adds an entry to the history, `PREFIX/history/ID`.
public final class EtcdTeam: TeamLayer, Sendable {
    private struct State {
        /// The newest values; `nil` before the first response.
        var snapshot: TeamSnapshot?
        /// Whether a subscription has received or confirmed values that no fetch has returned yet.
        var isPending = false
    }

    /// The settings.
    public var settings: EtcdSettings { connection.settings }
    let connection: EtcdConnection
    private let state = Mutex(State())

    /// The values at an address.
    public init(_ settings: EtcdSettings, client: SourceClient) { connection = EtcdConnection(settings, client) }

    /// The source of the values.
    public var source: any RemoteSource { EtcdTeamSource(team: self) }

    /// The reason in the settings.
    public var readOnlyReason: String? { settings.readOnlyReason }

    /// The newest values, read from a majority of members.
    func read(at member: Int? = nil, progress: @escaping ProgressHandler = { _ in }) async throws(SourceError)
        -> TeamSnapshot
    {
        let call = EtcdCall.range(settings.address.flagsPrefix)
        guard let member else { return snapshot(try await connection.send(call, progress: progress)) }
        do throws(EtcdError) {
            return snapshot(try await connection.send(call, to: member, progress: progress))
        } catch {
            throw error.error
        }
    }

    /// The newest values if they differ from the known ones; `nil` if one member confirms the known ones. Only changes
    /// are requested.
    func readIfChanged(at member: Int) async throws(SourceError) -> TeamSnapshot? {
        guard let known = newest else { return try await read(at: member) }
        let range: EtcdRange
        do throws(EtcdError) {
            let call = EtcdCall.range(settings.address.flagsPrefix, .changes(after: known.position.revision))
            range = EtcdRange(try await connection.send(call, to: member))
        } catch {
            throw error.error
        }
        let isSame =
            range.entries.isEmpty && range.count == known.records.count
            && range.position.cluster == known.position.cluster && range.position.revision >= known.position.revision
        return isSame ? nil : try await read(at: member)
    }

    /// The newest known values; `nil` before the first response.
    var newest: TeamSnapshot? { state.withLock { $0.snapshot } }

    private func snapshot(_ response: JSONValue) -> TeamSnapshot {
        TeamSnapshot(EtcdRange(response), prefix: settings.address.flagsPrefix)
    }

    /// Records values that were read, unless newer ones are known.
    ///
    /// - Parameter isPending: whether a fetch should return them without a request.
    func record(_ snapshot: TeamSnapshot, isPending: Bool) {
        state.withLock { state in
            if isPending { state.isPending = true }
            if snapshot.isNewer(than: state.snapshot) { state.snapshot = snapshot }
        }
    }

    /// The newest known values as a response to a fetch.
    func result(since version: String?) -> FetchResult? {
        guard let snapshot = newest else { return nil }
        return snapshot.version == version ? .unchanged : .values(snapshot.document, version: snapshot.version)
    }

    /// The values that a subscription has received since the last fetch; `nil` if there are none.
    func takePending(since version: String?) -> FetchResult? {
        let isPending = state.withLock { state in
            defer { state.isPending = false }
            return state.isPending
        }
        return isPending ? result(since: version) : nil
    }
}

/// The source of a team's values.
struct EtcdTeamSource: RemoteSource {
    let team: EtcdTeam

    var identity: SourceIdentity { SourceIdentity(name) }
    var name: String { team.connection.name }

    /// The newest values. While a subscription reports changes, they need no request.
    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        if let update = takeUpdate(since: version) { return update }
        let snapshot = try await team.read(progress: progress)
        team.record(snapshot, isPending: false)
        return team.result(since: version) ?? .values(snapshot.document, version: snapshot.version)
    }

    func takeUpdate(since version: String?) -> FetchResult? { team.takePending(since: version) }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try TeamDocument.decode(bytes) }

    func changes() -> AsyncStream<LiveUpdateEvent>? {
        let (events, continuation) = AsyncStream.makeStream(
            of: LiveUpdateEvent.self, bufferingPolicy: .bufferingNewest(64))
        let subscription = EtcdSubscription(team: team, updates: continuation)
        // On the threads of the engine, so that an app whose tasks block does not delay changes.
        let task = Task(executorPreference: OwnThreads.engine) { await subscription.run() }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }
}
