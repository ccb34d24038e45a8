#if Server
import FlagModel
import FlagPresence
import NIOPosix
import Platform
import ServiceLifecycle
import Synchronization

/// What a running server does besides responding, once a second: tells pages of new evaluations, and announces itself
/// with its clients, so that `flagmenu apps` lists them.
extension ServedFlags: Service {
    /// How many clients are announced at most, the most recent ones.
    private static let announcedLimit = 500
    /// How many bytes an announcement has at most. Readers ignore much larger ones.
    static let announcementSize = 2 << 20

    /// Runs until the server ends.
    func run() async throws {
        let file = presenceFolder.map { PresenceFile(in: $0) }
        defer { file?.end() }
        await cancelWhenGracefulShutdown { [self] in
            let startedAt = WallClock.milliseconds
            var announced = 0
            for second in 1... {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                let (evaluations, isPause) = (log.evaluations, second.isMultiple(of: pause))
                let hasNew = evaluations != announced
                announced = evaluations
                if isPause { sets.readChanges() }
                if isPause || hasNew { changes.wakeAll() }
                guard hasNew, let file else { continue }
                // A folder that cannot be written keeps no request from its response; the next change tries again.
                try? await Threads.writing.runIfActive { [self] in
                    try file.write(Self.announcement(file.id, startedAt: startedAt, announcedClients))
                }
            }
        }
    }

    /// The announcement of as many clients, the most recent ones first, as readers accept.
    static func announcement(_ id: String, startedAt: Int64, _ clients: some Sequence<RunningApp.Client>) -> String {
        var size = 1_000
        let announced = clients.prefix { client in
            // In JSON, a byte of a text takes at most six, and the other members of a client or a flag less than 200.
            size += 200 + 6 * client.name.utf8.count
            for flag in client.flags { size += 200 + 6 * (flag.key.utf8.count + (flag.use?.value?.utf8.count ?? 0)) }
            return size < announcementSize
        }
        return RunningApp(
            id: id, name: "flagmenu serve", process: getpid(), startedAt: startedAt, flags: [], clients: announced
        ).text(flags: [])
    }

    private var announcedClients: some Sequence<RunningApp.Client> {
        let board = shared.board
        return log.entries.prefix(Self.announcedLimit).lazy.map { [sets] client, entry in
            RunningApp.Client(
                name: client?.string ?? "without a key", firstAt: entry.firstAt, lastAt: entry.lastAt,
                allAt: entry.allAt,
                hasOwnOverrides: client.flatMap { sets.overrides(of: $0.string) }?.isEmpty == false,
                flags: entry.flags.map { key, use in
                    DeclaredFlag(key: key, type: board.facts(of: FlagText(key)).type, defaultValue: nil, use: use)
                })
        }
    }
}

/// What each client asked last and what it got, for the page, `flagmenu status` and the list of running apps.
final class ClientLog: Sendable {
    /// The evaluations of a client.
    struct Entry: Sendable {
        /// The flag of the last evaluation; `nil` if the client evaluated all flags.
        var lastKey: String?
        var lastValue: String?
        /// The layer of the last value; `nil` if no layer has one.
        var lastLayer: FlagLayer?
        /// When the client was last seen, in milliseconds since 1970 UTC, as all times here.
        var lastAt: Int64 = 0
        /// The last evaluation of each flag, of as many as are remembered. Empty after the client has evaluated all
        /// flags, as it then has newer values.
        var flags: FlagTable<FlagUse> = [:]
        /// When the client last evaluated all flags; `nil` if it has not.
        var allAt: Int64?
        /// When the client was first seen.
        let firstAt: Int64
        /// The number of evaluations so far.
        var count = 0

        fileprivate mutating func add(_ key: String?, _ value: String?, _ layer: FlagLayer?, at time: Int64) {
            (lastKey, lastValue, lastLayer, lastAt, count) = (key, value, layer, time, count + 1)
            guard let key else { return (allAt, flags) = (time, [:]) }
            let old = flags[key]
            guard let layer, old != nil || flags.count < ClientLog.flagLimit else { return flags[key] = nil }
            let since = old?.value == value && old?.layer == layer ? old?.since : nil
            flags[key] = FlagUse(value: value, layer: layer, since: since ?? time, readAt: time, wasRead: true)
        }
    }

    /// How many clients are remembered; those that have not asked for the longest time are forgotten first.
    static let limit = 1_000
    /// How many flags of a client are remembered, those that it asked for first.
    static let flagLimit = 100
    /// How many bytes of an id or a key are remembered.
    private static let idLimit = 200

    private struct State {
        var entries: [FlagText?: Entry] = [:]
        var evaluations = 0
        var rejections = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    /// - Parameter now: returns the time in milliseconds since 1970 UTC.
    init(now: @escaping @Sendable () -> Int64 = { WallClock.milliseconds }) { self.now = now }

    /// Records an evaluation.
    ///
    /// - Parameters:
    ///   - client: the targeting key; `nil` if the client sent none.
    ///   - key: the flag; `nil` if the client evaluated all flags.
    func record(_ client: String?, key: String?, value: String?, layer: FlagLayer?) {
        let (client, key, now) = (client.map { FlagText(Self.cut($0)) }, key.map(Self.cut), now())
        state.withLock { state in
            if state.entries[client] == nil, state.entries.count >= Self.limit,
                let oldest = state.entries.min(by: { $0.value.lastAt < $1.value.lastAt })
            {
                state.entries.removeValue(forKey: oldest.key)
            }
            state.entries[client, default: Entry(firstAt: now)].add(key, value, layer, at: now)
            state.evaluations += 1
        }
    }

    /// The first bytes of an id or a key, so that long ones do not fill the memory.
    private static func cut(_ text: String) -> String {
        String(decoding: text.utf8.prefix(idLimit), as: UTF8.self)
    }

    /// Counts a request without a valid token. Its client is in no list, so the number is the only trace of it.
    func recordRejection() { state.withLock { $0.rejections += 1 } }

    /// How many requests had no valid token.
    var rejections: Int { state.withLock { $0.rejections } }

    /// How many evaluations there were.
    var evaluations: Int { state.withLock { $0.evaluations } }

    /// The clients, the most recent one first.
    var entries: [(client: FlagText?, entry: Entry)] {
        state.withLock { Array($0.entries) }.sorted {
            ($1.value.lastAt, $0.key ?? "") < ($0.value.lastAt, $1.key ?? "")
        }.map { (client: $0.key, entry: $0.value) }
    }
}
#endif
