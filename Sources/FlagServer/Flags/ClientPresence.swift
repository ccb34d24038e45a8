#if Server
import FlagModel
import FlagPresence
import FlagRemote
import FlagStorage
import NIOPosix
import Platform
import ServiceLifecycle

/// Announces the server with its clients, so that `flagmenu apps` lists them.
struct ClientPresence: Service {
    let log: ClientLog
    let flags: ServedFlags
    let changes: ServedChanges
    /// The folder in which apps announce themselves; `nil` to announce nothing.
    let folder: String?

    /// How many clients are announced at most, the most recent ones.
    private static let limit = 500
    /// How many bytes an announcement has at most. Readers ignore much larger ones.
    static let sizeLimit = 1 << 20
    /// The pause between two announcements.
    private static let pause = Duration.seconds(1)

    func run() async throws {
        guard let folder, let subscription = changes.subscribe() else { return try await gracefulShutdown() }
        let (file, startedAt) = (PresenceFile(in: folder), WallClock.milliseconds)
        defer { file.end() }
        var announced = 0
        for await _ in subscription.signals where changes.counts.clients != announced {
            announced = changes.counts.clients
            // A folder that cannot be written keeps no request from its response; the next change tries again.
            try? await Threads.writing.runIfActive {
                try file.write(Self.text(file.id, startedAt: startedAt, clients))
            }
            // A pause must not keep the server from ending.
            await cancelWhenGracefulShutdown { try? await Task.sleep(for: Self.pause) }
        }
        // The streams end before this service is told to, and a service that ends earlier counts as a failure.
        try await gracefulShutdown()
    }

    /// The announcement of as many clients, the most recent ones first, as readers accept. In JSON, texts may be longer.
    static func text(_ id: String, startedAt: Int64, _ clients: [RunningApp.Client]) -> String {
        var count = clients.count
        while true {
            let text = RunningApp(
                id: id, name: "flagmenu serve", process: getpid(), startedAt: startedAt, flags: [],
                clients: Array(clients.prefix(count))
            ).text(flags: [])
            if count == 0 || text.utf8.count <= sizeLimit { return text }
            count /= 2
        }
    }

    private var clients: [RunningApp.Client] {
        let board = flags.moment.shared.board
        var size = 0
        // Encoding many large values only to leave them out would take long.
        let announced = log.entries.prefix(Self.limit).prefix { _, entry in
            size += entry.flags.reduce(0) { $0 + $1.key.utf8.count + ($1.value.value?.utf8.count ?? 0) }
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
