import FlagModel
public import FlagRemote
import Synchronization

/// The values of a team in etcd v3, read and written through its JSON gateway.
///
/// The value of a flag is in the key `PREFIX/flags/KEY`, as JSON with author and time. Each change is a transaction,
/// which also adds an entry to the history, `PREFIX/history/ID`.
public final class EtcdTeam: TeamLayer, Sendable {
    private struct State {
        /// The known values; `nil` before the first response.
        var snapshot: TeamSnapshot?
        /// The number of the reading that has the known values, and of the last one that began.
        var (known, last) = (0, 0)
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

    /// Reads the values from a majority of members.
    ///
    /// The response replaces the known values, whatever its revision: if etcd was restored from a backup, its revisions
    /// have gone back. It is dropped only if a reading that began later has responded already.
    ///
    /// - Parameters:
    ///   - member: the member to ask; `nil` for any.
    ///   - isPending: whether the next fetch returns the values without a request.
    /// - Returns: the known values.
    @discardableResult
    func read(
        at member: Int? = nil, isPending: Bool = false, progress: @escaping ProgressHandler = { _ in }
    ) async throws(SourceError) -> TeamSnapshot {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let snapshot = TeamSnapshot(
            EtcdRange(try await response(at: member, progress)), prefix: settings.address.flagsPrefix)
        return state.withLock { state in
            if isPending { state.isPending = true }
            if let known = state.snapshot, state.known > number { return known }
            (state.snapshot, state.known) = (snapshot, number)
            return snapshot
        }
    }

    private func response(
        at member: Int?, _ progress: @escaping ProgressHandler
    ) async throws(SourceError) -> JSONValue {
        let call = EtcdCall.range(settings.address.flagsPrefix)
        guard let member else { return try await connection.send(call, progress: progress) }
        do throws(EtcdError) {
            return try await connection.send(call, to: member, progress: progress)
        } catch {
            throw error.error
        }
    }

    /// The known values; `nil` before the first response.
    var newest: TeamSnapshot? { state.withLock { $0.snapshot } }

    /// Lets the next fetch return the known values without a request, as a member has confirmed them.
    func recordConfirmation() { state.withLock { $0.isPending = true } }

    /// The values that a subscription has received or confirmed since the last fetch; `nil` if there are none.
    func readPendingValues() -> TeamSnapshot? {
        state.withLock { state in
            defer { state.isPending = false }
            return state.isPending ? state.snapshot : nil
        }
    }
}

/// The source of a team's values.
struct EtcdTeamSource: RemoteSource {
    let team: EtcdTeam

    var identity: SourceIdentity { SourceIdentity(name) }
    var name: String { team.connection.name }

    /// The newest values. While a subscription reports changes, they need no request.
    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        if let update = readPendingUpdate(since: version) { return update }
        return .values(try await team.read(progress: progress).document, version: nil)
    }

    /// The values have no version: after a restore, other values may have the same revisions.
    func readPendingUpdate(since version: String?) -> FetchResult? {
        team.readPendingValues().map { .values($0.document, version: nil) }
    }

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
