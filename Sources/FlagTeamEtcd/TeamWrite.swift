import FlagModel
import FlagRemote

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
            guard !isOver else { throw failure(error(.faulty, "others change the same flags all the time; retry")) }
            let wait = Self.backoff.wait(afterFailures: attempts, random: connection.client.clock.random())
            guard (try? await connection.client.clock.sleep(wait)) != nil else {
                throw failure(.cancelled(connection.name))
            }
        }
    }

    private var isOver: Bool {
        Duration.seconds(connection.client.clock.now().seconds - start.seconds) > team.settings.writeTimeout
    }

    private func error(_ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code, of: connection.name, sentence)
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
        // An earlier attempt whose response was lost may have been made.
        if isUncertain, let commit = commit(in: EtcdRange(try await connection.send(.range(historyKey)))) {
            return commit
        }
        let snapshot = try await team.read()
        let changes = request.changes(of: snapshot.overrides, at: start, by: author)
        guard !changes.isEmpty else { return TeamCommit(revision: 0, changes: []) }
        guard changes.count <= Self.flagLimit else {
            let sentence = "\(changes.count) flags are too many for one change, at most \(Self.flagLimit) are possible"
            throw EtcdError(error(.rejected, "\(sentence); change fewer"))
        }
        let member = await connection.member
        let response: JSONValue
        var isSent = false
        do throws(EtcdError) {
            try await grantLeases(for: changes, at: member)
            isSent = true
            response = try await connection.send(transaction(changes, snapshot), at: member)
        } catch {
            await connection.skip(member)
            if isSent, !error.isSureNotMade { isUncertain = true }
            // Another member may be reached; if none can, reading fails next.
            guard error.error.cause != .unconnected else { return nil }
            throw error
        }
        let ranges = response["responses"]?.elements.compactMap { $0["response_range"].map(EtcdRange.init) } ?? []
        guard response["succeeded"]?.bool == true else { return ranges.lazy.compactMap(commit(in:)).first }
        // If this fails, the next change shortens the history. The change itself was made.
        try? await shortenHistory(of: ranges.last?.count ?? 0)
        return TeamCommit(revision: Int(EtcdRange(response).revision), changes: changes)
    }

    private mutating func grantLeases(for changes: [OverrideChange], at member: Int) async throws(EtcdError) {
        for end in Set(changes.compactMap { $0.new?.end?.time }) where leases[end] == nil {
            let seconds = max(1, end.seconds - connection.client.clock.now().seconds)
            leases[end] = try await connection.send(.grant(seconds: seconds), at: member)["ID"]?.number
        }
    }

    private func transaction(_ changes: [OverrideChange], _ snapshot: TeamSnapshot) -> EtcdCall {
        let record = TeamChange(revision: 0, at: start, by: author, action: request.label, changes: changes)
        var conditions = [EtcdCall.unchanged(historyKey, since: 0)]
        var operations: [JSONOutput] = []
        for change in changes {
            let key = address.flagsPrefix + change.key
            let known = snapshot.records[Array(change.key.utf8)]?.changedAt
            conditions.append(EtcdCall.unchanged(key, since: known ?? 0))
            let put = change.new.map { EtcdCall.put(key, $0.text, lease: $0.end?.time.flatMap { leases[$0] }) }
            operations.append(put ?? EtcdCall.remove(Array(key.utf8)))
        }
        operations += [EtcdCall.put(historyKey, record.text), EtcdCall.count(address.historyPrefix)]
        return .transaction(if: conditions, operations, otherwise: [EtcdCall.read(historyKey)])
    }

    /// The commit of an attempt that was made; `nil` if none was.
    private func commit(in range: EtcdRange) -> TeamCommit? {
        range.entries.first.flatMap { TeamChange($0) }.map { TeamCommit(revision: $0.revision, changes: $0.changes) }
    }

    private func shortenHistory(of count: Int) async throws(EtcdError) {
        let surplus = min(count - team.settings.historyLimit, Self.flagLimit)
        guard surplus > Self.historySlack else { return }
        let range = try await connection.send(.range(address.historyPrefix, .oldestFirst, limit: surplus))
        _ = try await connection.send(.transaction(EtcdRange(range).entries.map { EtcdCall.remove($0.key) }))
    }
}
