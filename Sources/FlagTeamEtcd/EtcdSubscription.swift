import FlagModel
import FlagRemote

/// Follows a team's values: reads them whenever a watch reports a change, and in short intervals.
///
/// Each connection begins with a read, so that no change is missed, even after a compaction. A member that stops, or
/// that is cut off from the others, sends neither changes nor errors, hence the intervals; if a read fails, the next
/// member is watched.
struct EtcdSubscription: Sendable {
    let team: EtcdTeam
    let updates: AsyncStream<LiveUpdateEvent>.Continuation

    private var connection: EtcdConnection { team.connection }
    private var clock: SourceClock { connection.client.clock }
    private var prefix: String { team.settings.address.flagsPrefix }

    /// The waits before connecting again. They are short, as a change must be visible soon after a failure.
    private static let backoff = Backoff(first: .milliseconds(100), longest: .seconds(2))
    /// After how many seconds a connection counts as successful, so that the waits begin at the first one again.
    private static let longConnection: Int64 = 5
    /// After how many confirmations the engine records the time of the newest one, which it writes to the cache.
    private static let recordedConfirmations = 20

    /// Runs until the task is cancelled.
    func run() async {
        var failures = 0
        while !Task.isCancelled {
            let (member, start) = (connection.member, clock.now())
            do throws(SourceError) {
                try await watch(member)
            } catch {
                guard !Task.isCancelled else { return }
                updates.yield(.disconnected(error))
            }
            connection.skip(member)
            // A member that ends each watch at once is not asked again and again without a wait.
            failures = clock.now().seconds - start.seconds > Self.longConnection ? 1 : failures + 1
            let wait = Self.backoff.wait(afterFailures: failures, random: clock.random())
            guard (try? await clock.sleep(wait)) != nil else { return }
        }
    }

    /// Reads the values and watches them at one member, until that fails.
    private func watch(_ member: Int) async throws(SourceError) {
        let snapshot = try await team.read(at: member, isPending: true)
        updates.yield(.changed)
        let stream = try await open(from: snapshot.revision + 1, at: member)
        let error = await withTaskGroup(of: SourceError.self) { group in
            group.addTask { await listen(to: stream, member) }
            group.addTask { await confirm(at: member, after: snapshot) }
            defer { group.cancelAll() }
            return await group.next()
        }
        if let error { throw error }
    }

    private func open(from revision: Int64, at member: Int) async throws(SourceError) -> SourceStream {
        let headers: SourceHeaders
        do throws(EtcdError) {
            headers = try await connection.headers(at: member)
        } catch {
            throw error.error
        }
        let request = connection.request(.watch(prefix, from: revision), to: member, headers)
        return try await connection.client.open(request, limits: connection.client.streamLimits)
    }

    /// Reads the values after each message of a stream, until it ends.
    private func listen(to stream: SourceStream, _ member: Int) async -> SourceError {
        var messages = EtcdMessages(stream, connection)
        do {
            guard try await messages.next() != nil else { return messages.closed }
            updates.yield(.connected)
            while let hasChanges = try await messages.next() {
                guard hasChanges else { continue }
                try await team.read(at: member, isPending: true)
                updates.yield(.changed)
            }
            return messages.closed
        } catch let error as EtcdError {
            return error.error
        } catch {
            return error as? SourceError ?? messages.closed
        }
    }

    /// Reads the values in short intervals until that fails, or until they are older than the start of the watch. Then
    /// the watch waits for revisions of a store that was replaced.
    private func confirm(at member: Int, after start: TeamSnapshot) async -> SourceError {
        var (count, records) = (0, start.records)
        while (try? await clock.sleep(team.settings.confirmInterval)) != nil {
            let snapshot: TeamSnapshot
            do throws(SourceError) {
                snapshot = try await team.read(at: member)
            } catch {
                return error
            }
            count += 1
            if snapshot.records != records || count % Self.recordedConfirmations == 0 {
                records = snapshot.records
                team.recordConfirmation()
                updates.yield(.changed)
            }
            guard snapshot.revision >= start.revision else { return wentBack }
        }
        return .cancelled(connection.name)
    }

    private var wentBack: SourceError {
        SourceError(
            code: .unreachable, path: connection.name,
            sentence: "etcd has older data than before, such as a backup; reconnecting")
    }
}
