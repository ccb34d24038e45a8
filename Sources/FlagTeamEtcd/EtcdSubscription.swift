import FlagModel
import FlagRemote

/// Follows a team's values: reports the changes of a watch, and those that it finds by reading in short intervals.
///
/// Each connection begins with a read, so that no change is missed, even after a compaction. A member that stops, or
/// that is cut off from the others, sends neither changes nor errors, hence the intervals; if a read fails, the next
/// member is watched.
struct EtcdSubscription: Sendable {
    let team: EtcdTeam
    let updates: AsyncStream<LiveUpdateEvent>.Continuation

    private var connection: EtcdConnection { team.connection }
    private var clock: SourceClock { connection.client.clock }

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
            let (member, start) = (await connection.member, clock.now())
            do throws(EtcdError) {
                try await watch(member)
            } catch {
                guard !Task.isCancelled else { return }
                updates.yield(.disconnected(error.error))
            }
            await connection.skip(member)
            // A member that ends each watch at once is not asked again and again without a wait.
            failures = clock.now().seconds - start.seconds > Self.longConnection ? 1 : failures + 1
            let wait = Self.backoff.wait(afterFailures: failures, random: clock.random())
            guard (try? await clock.sleep(wait)) != nil else { return }
        }
    }

    /// Reads the values and watches them at one member, until that fails.
    private func watch(_ member: Int) async throws(EtcdError) {
        let snapshot = try await team.read(at: member)
        updates.yield(.changed)
        let prefix = team.settings.address.flagsPrefix
        let stream = try await connection.open(.watch(prefix, from: snapshot.revision + 1), at: member)
        let error = await withTaskGroup(of: EtcdError.self) { group in
            group.addTask { await listen(to: stream) }
            group.addTask { await confirm(at: member, after: snapshot) }
            defer { group.cancelAll() }
            return await group.next()
        }
        if let error { throw error }
    }

    /// Reports the changes of a stream until it ends.
    private func listen(to stream: SourceStream) async -> EtcdError {
        let limit = connection.client.streamLimits.bodySize
        var messages = JSONObjects(stream.chunks, of: connection.name, sizeLimit: limit)
        do throws(SourceError) {
            while let message = try await messages.next() {
                if let failure = EtcdFailure(message) { return error(failure.message) }
                let result = message["result"]
                if result?["canceled"]?.bool == true {
                    return error(result?["cancel_reason"]?.text?.string ?? "canceled")
                }
                if result?["created"]?.bool == true { updates.yield(.connected) }
                if result?["events"]?.count ?? 0 > 0 { updates.yield(.changed) }
            }
            return error("the stream was closed")
        } catch {
            return EtcdError(error)
        }
    }

    /// Reads the values in short intervals until that fails, or until they are older than the start of the watch. Then
    /// the watch waits for revisions of a store that was replaced.
    private func confirm(at member: Int, after start: TeamSnapshot) async -> EtcdError {
        var (count, records) = (0, start.records)
        while (try? await clock.sleep(team.settings.confirmInterval)) != nil {
            let snapshot: TeamSnapshot
            do throws(EtcdError) {
                snapshot = try await team.read(at: member)
            } catch {
                return error
            }
            count += 1
            if snapshot.records != records || count % Self.recordedConfirmations == 0 {
                records = snapshot.records
                updates.yield(.changed)
            }
            guard snapshot.revision >= start.revision else {
                return error("it has older data than before, such as a backup")
            }
        }
        return EtcdError(.cancelled(connection.name))
    }

    private func error(_ reason: String) -> EtcdError {
        let sentence = "the member ended the stream of changes (\(reason)); reconnecting"
        let error = SourceError(.unreachable, of: connection.name, sentence)
        return EtcdError(error, EtcdFailure(message: reason))
    }
}
