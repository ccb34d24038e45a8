public import FlagModel
public import FlagRemote

extension EtcdTeam {
    /// Changes the values in one transaction, which is retried if others change the same flags meanwhile.
    public func apply(_ request: TeamRequest, by author: String) async throws(SourceError) -> TeamCommit {
        if let reason = settings.readOnlyReason {
            throw SourceError(code: .rejected, path: connection.name, sentence: reason)
        }
        var write = TeamWrite(self, request, by: author)
        let commit = try await write.run()
        // The next reading of this process has the change. If this fails, the change was made nevertheless.
        _ = try? await read(isPending: true)
        return commit
    }

    /// The newest changes, the newest first. Their order is that of etcd's revisions.
    public func history(limit: Int?) async throws(SourceError) -> [TeamChange] {
        guard limit != 0 else { return [] }
        let call = EtcdCall.range(settings.address.historyPrefix, .newestFirst, limit: limit ?? 0)
        let entries = EtcdRange(try await connection.send(call)).entries
        return entries.compactMap { entry in
            TeamHistoryRecord(parsing: entry.value).map {
                TeamChange(
                    revision: Int(entry.createdAt), at: $0.at, by: $0.by, action: $0.action, changes: $0.changes)
            }
        }
    }
}

/// One change of a team's values, from its first attempt until it is known whether it was made.
///
/// The entry of the history has a unique key, which each attempt creates. An attempt whose response was lost is sent
/// again: if it was made, the key exists, and nothing is made twice.
struct TeamWrite {
    private let team: EtcdTeam
    private let request: TeamRequest
    private let author: String
    private let start: FlagTimestamp
    private let id: String
    /// The leases that were granted, by the time at which they end.
    private var leases: [FlagTimestamp: Int64] = [:]
    /// Whether an attempt may still be made, because its response was lost.
    private var isUncertain = false

    /// The maximum number of flags in one change. A transaction of etcd has at most 128 operations.
    private static let flagLimit = 100
    /// How far the history grows beyond its limit before it is shortened, so that few changes shorten it.
    private static let historySlack = 50
    private static let backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(500))

    init(_ team: EtcdTeam, _ request: TeamRequest, by author: String) {
        (self.team, self.request, self.author) = (team, request, author)
        start = team.connection.client.clock.now()
        // All ids have the same length, so that none is the beginning of another one.
        id = "\(start.rfc3339)-\(String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16))"
    }

    private var address: EtcdAddress { team.settings.address }
    private var connection: EtcdConnection { team.connection }
    private var historyKey: String { address.historyPrefix + id }

    /// Makes the change, and retries it after conflicts and failures until the time limit.
    mutating func run() async throws(SourceError) -> TeamCommit {
        var attempts = 0
        while true {
            do throws(EtcdError) {
                if let commit = try await attempt() { return commit }
            } catch {
                guard error.isAboutMember, !isOver, error.error.cause != .unconnected || isUncertain else {
                    throw failure(error.error)
                }
            }
            attempts += 1
            guard !isOver else { throw failure(conflict) }
            let wait = Self.backoff.wait(afterFailures: attempts, random: connection.client.clock.random())
            guard (try? await connection.client.clock.sleep(wait)) != nil else {
                throw failure(.cancelled(connection.name))
            }
        }
    }

    private var isOver: Bool {
        Duration.seconds(connection.client.clock.now().seconds - start.seconds) > team.settings.writeTimeout
    }

    private var conflict: SourceError {
        SourceError(code: .faulty, path: connection.name, sentence: "others change the same flags all the time; retry")
    }

    /// The error with the outcome of the write.
    private func failure(_ error: SourceError) -> SourceError {
        var error = error
        error.sentence +=
            isUncertain
            ? "; it is not known whether the change was made, flagmenu history --layer team lists it if it was"
            : "; the team's values were not changed"
        return error
    }

    /// One attempt; returns `nil` after a conflict.
    private mutating func attempt() async throws(EtcdError) -> TeamCommit? {
        let snapshot: TeamSnapshot
        do throws(SourceError) {
            if isUncertain, let commit = try await commitMade() { return commit }
            snapshot = try await team.read()
        } catch {
            throw EtcdError(error)
        }
        let changes = request.changes(of: snapshot.overrides, at: start, by: author)
        guard !changes.isEmpty else { return TeamCommit(revision: 0, changes: []) }
        guard changes.count <= Self.flagLimit else { throw EtcdError(tooMany(changes.count)) }
        let member = connection.member
        for end in Set(changes.compactMap { $0.new?.endsAt }) where leases[end] == nil {
            leases[end] = try await grant(until: end, at: member)
        }
        let outcome: EtcdOutcome
        do throws(EtcdError) {
            outcome = EtcdOutcome(try await connection.send(transaction(changes, snapshot).call, to: member))
        } catch {
            connection.skip(member)
            if !error.isSureNotMade { isUncertain = true }
            // Another member may be reached; if none can, reading fails next.
            guard error.error.cause != .unconnected else { return nil }
            throw error
        }
        return await commit(outcome, changes)
    }

    private func tooMany(_ count: Int) -> SourceError {
        SourceError(
            code: .rejected, path: connection.name,
            sentence: "\(count) flags are too many for one change, at most \(Self.flagLimit) are possible; change fewer"
        )
    }

    private func grant(until end: FlagTimestamp, at member: Int) async throws(EtcdError) -> Int64? {
        let seconds = max(1, end.seconds - connection.client.clock.now().seconds)
        do throws(EtcdError) {
            return try await connection.send(.grant(seconds: seconds), to: member)["ID"]?.number
        } catch {
            connection.skip(member)
            throw error
        }
    }

    private func transaction(_ changes: [OverrideChange], _ snapshot: TeamSnapshot) -> EtcdTransaction {
        var transaction = EtcdTransaction()
        transaction.require(historyKey, changedAt: 0)
        for change in changes {
            let key = address.flagsPrefix + change.key
            transaction.require(key, changedAt: snapshot.records[Array(change.key.utf8)]?.changedAt ?? 0)
            if let new = change.new {
                transaction.put(key, TeamRecord(new, write: id).text, lease: new.endsAt.flatMap { leases[$0] })
            } else {
                transaction.remove(key.utf8)
            }
        }
        let record = TeamHistoryRecord(at: start, by: author, action: request.label, changes: changes)
        transaction.put(historyKey, record.text)
        transaction.count(address.historyPrefix)
        transaction.readOtherwise(historyKey)
        return transaction
    }

    /// The commit of an outcome; `nil` if others have changed the flags.
    private func commit(_ outcome: EtcdOutcome, _ changes: [OverrideChange]) async -> TeamCommit? {
        guard outcome.isMade else { return outcome.ranges.lazy.compactMap(commit(in:)).first }
        let surplus = (outcome.ranges.last?.count ?? 0) - team.settings.historyLimit
        if surplus > Self.historySlack {
            // If this fails, the next change shortens the history. The change itself was made.
            try? await shortenHistory(by: min(surplus, Self.flagLimit))
        }
        return TeamCommit(revision: Int(outcome.revision), changes: changes)
    }

    /// The commit of an earlier attempt whose response was lost; `nil` if no attempt was made.
    private func commitMade() async throws(SourceError) -> TeamCommit? {
        commit(in: EtcdRange(try await connection.send(.range(historyKey))))
    }

    private func commit(in range: EtcdRange) -> TeamCommit? {
        guard let entry = range.entries.first, let record = TeamHistoryRecord(parsing: entry.value) else { return nil }
        return TeamCommit(revision: Int(entry.createdAt), changes: record.changes)
    }

    private func shortenHistory(by count: Int) async throws(SourceError) {
        let range = try await connection.send(.range(address.historyPrefix, .oldestFirst, limit: count))
        var removal = EtcdTransaction()
        for entry in EtcdRange(range).entries { removal.remove(entry.key) }
        _ = try await connection.send(removal.call)
    }
}
