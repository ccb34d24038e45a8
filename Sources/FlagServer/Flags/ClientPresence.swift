#if Server
import FlagModel
import FlagPresence
import FlagRemote
import FlagStorage
import Platform
import ServiceLifecycle

/// Announces the server with its clients, so that `flagmenu apps` lists them.
struct ClientPresence: Service {
    let log: ClientLog
    let flags: ServedFlags
    let changes: ServedChanges
    /// The folder in which apps announce themselves; `nil` to announce nothing.
    let folder: String?

    /// How many clients are announced, the most recent ones.
    private static let limit = 500
    /// How many bytes the flags of all clients may take, so that the announcement stays below the size that menus read.
    private static let sizeLimit = 1 << 20
    /// The pause between two announcements.
    private static let pause = Duration.seconds(1)

    func run() async throws {
        guard let folder, let reader = changes.subscribe() else { return try await gracefulShutdown() }
        let (file, startedAt) = (PresenceFile(in: folder), WallClock.milliseconds)
        defer { file.end() }
        for await _ in reader.subscription.signals {
            guard reader.subscription.drain().contains(.clients) else { continue }
            let announcement = RunningApp(
                id: file.id, name: "flagmenu serve", process: getpid(),
                startedAt: startedAt, flags: [], clients: clients)
            // A folder that cannot be written keeps no request from its response; the next change tries again.
            _ = await Task(executorPreference: OwnThreads.server) { try? file.write(announcement.text(flags: [])) }
                .value
            // A pause must not keep the server from ending.
            await cancelWhenGracefulShutdown { try? await Task.sleep(for: Self.pause) }
        }
        // The streams end before this service is told to, and a service that ends earlier counts as a failure.
        try await gracefulShutdown()
    }

    private var clients: [RunningApp.Client] {
        let board = flags.moment.shared.board
        var size = 0
        let announced = log.entries.prefix(Self.limit).prefix { _, entry in
            // The key and its times take about 200 bytes.
            size += entry.flags.reduce(0) { $0 + 200 + ($1.value.value?.utf8.count ?? 0) }
            return size <= Self.sizeLimit
        }
        return announced.map { client, entry in
            RunningApp.Client(
                name: client?.string ?? "without a key", firstAt: entry.firstAt, lastAt: entry.last.at,
                allAt: entry.allAt, hasOwnOverrides: flags.hasOwnOverrides(client?.string),
                flags: entry.flags.compactMap { key, evaluation in
                    guard let layer = evaluation.layer else { return nil }
                    let use = FlagUse(
                        value: evaluation.value, layer: layer, since: evaluation.since, readAt: evaluation.at,
                        wasRead: true)
                    return DeclaredFlag(
                        key: key, type: board.facts(of: FlagText(key)).type, defaultValue: nil, use: use)
                })
        }
    }
}
#endif
