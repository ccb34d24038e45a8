public import FlagModel
public import FlagRemote

/// The values of a team in etcd v3, read and written through its JSON gateway.
///
/// The value of a flag is in the key `PREFIX/flags/KEY`, as JSON with author and time. Each change is a transaction,
/// which also adds an entry to the history, `PREFIX/history/ID`.
public actor EtcdTeam: TeamLayer {
    /// The settings.
    public nonisolated var settings: EtcdSettings { connection.settings }
    let connection: EtcdConnection

    /// The known values; `nil` before the first response.
    private var snapshot: TeamSnapshot?
    /// The number of the reading that has the known values, and of the last one that began.
    private var (known, last) = (0, 0)

    /// The values at an address.
    public init(_ settings: EtcdSettings, client: SourceClient) { connection = EtcdConnection(settings, client) }

    /// The source of the values.
    public nonisolated var source: any RemoteSource { EtcdTeamSource(team: self) }

    /// The reason in the settings.
    public nonisolated var readOnlyReason: String? { settings.readOnlyReason }

    /// Reads the values from a majority of members.
    ///
    /// The response replaces the known values, whatever its revision: if etcd was restored from a backup, its revisions
    /// have gone back. It is dropped only if a reading that began later has responded already.
    ///
    /// - Parameter member: the member to ask; `nil` for any.
    /// - Returns: the known values.
    func read(at member: Int? = nil) async throws(EtcdError) -> TeamSnapshot {
        last += 1
        let number = last
        let response = try await connection.send(.range(settings.address.flagsPrefix), at: member)
        if let snapshot, known > number { return snapshot }
        let snapshot = TeamSnapshot(EtcdRange(response), prefix: settings.address.flagsPrefix)
        (self.snapshot, known) = (snapshot, number)
        return snapshot
    }

    /// Changes the values in one transaction, which is retried if others change the same flags meanwhile.
    public func apply(_ request: TeamRequest, by author: String) async throws(SourceError) -> TeamCommit {
        if let reason = readOnlyReason {
            throw SourceError(.rejected, of: connection.name, reason)
        }
        var write = TeamWrite(self, request, by: author)
        let commit = try await write.run()
        // A reading that began before the change must not return older values after it. If this one fails, the change
        // was made nevertheless.
        _ = try? await read()
        return commit
    }

    /// The newest changes, the newest first. Their order is that of etcd's revisions.
    public func history(limit: Int?) async throws(SourceError) -> [TeamChange] {
        guard limit != 0 else { return [] }
        let call = EtcdCall.range(settings.address.historyPrefix, .newestFirst, limit: limit ?? 0)
        do throws(EtcdError) {
            return EtcdRange(try await connection.send(call)).entries.compactMap { TeamChange($0) }
        } catch {
            throw error.error
        }
    }
}

/// The source of a team's values.
struct EtcdTeamSource: RemoteSource {
    let team: EtcdTeam

    var identity: SourceIdentity { SourceIdentity(name) }
    var name: String { team.connection.name }

    /// The values have no version: after a restore, other values may have the same revisions.
    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        do throws(EtcdError) {
            return .values(try await team.read().document, version: nil)
        } catch {
            throw error.error
        }
    }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try TeamDocument.decode(bytes) }

    func changes() -> AsyncStream<LiveUpdateEvent>? {
        .reported { await EtcdSubscription(team: team, updates: $0).run() }
    }
}
