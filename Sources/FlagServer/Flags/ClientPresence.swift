#if Server
import FlagModel
import FlagPresence
import FlagRemote
import FlagStorage
import NIOPosix
import Platform
import ServiceLifecycle

/// What a running server does besides responding, once a second: tells pages of new evaluations, and announces itself
/// with its clients, so that `flagmenu apps` lists them.
struct ClientPresence: Service {
    let log: ClientLog
    let flags: ServedFlags
    let sets: ClientSets
    let changes: ServedChanges
    /// The folder in which apps announce themselves; `nil` to announce nothing.
    let folder: String?

    /// How many clients are announced at most, the most recent ones.
    private static let limit = 500
    /// How many bytes an announcement has at most. Readers ignore much larger ones.
    static let sizeLimit = 1 << 20
    /// How often idle event streams write a comment, see ``EventStream``, and how often changes of clients' own
    /// overrides by other processes are searched for, in seconds. Most proxies accept the pause, and evaluations have
    /// the changes at once.
    private static let longPause = 15

    func run() async throws {
        let file = folder.map { PresenceFile(in: $0) }
        defer { file?.end() }
        await cancelWhenGracefulShutdown {
            let startedAt = WallClock.milliseconds
            var (seconds, announced) = (0, 0)
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                seconds += 1
                if seconds.isMultiple(of: Self.longPause) {
                    sets.readChanges()
                    changes.wakeAll()
                }
                let evaluations = log.evaluations
                guard evaluations != announced else { continue }
                announced = evaluations
                changes.announce { $0.clients = evaluations }
                // A folder that cannot be written keeps no request from its response; the next change tries again.
                try? await Threads.writing.runIfActive {
                    if let file { try file.write(Self.text(file.id, startedAt: startedAt, clients)) }
                }
            }
        }
        // The server waits for open responses.
        changes.endAll()
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
                name: client?.string ?? "without a key", firstAt: entry.firstAt, lastAt: entry.lastAt,
                allAt: entry.allAt, hasOwnOverrides: client.flatMap { sets.overrides(of: $0.string) }?.isEmpty == false,
                flags: entry.flags.map { key, use in
                    DeclaredFlag(key: key, type: board.facts(of: FlagText(key)).type, defaultValue: nil, use: use)
                })
        }
    }
}
#endif
