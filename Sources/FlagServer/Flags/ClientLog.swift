#if Server
import FlagModel
import FlagPresence
import FlagStorage
import Synchronization

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
        var lastAt: Int64
        /// The last evaluation of each flag, of as many as are remembered. Empty after the client has evaluated all
        /// flags, as it then has newer values.
        var flags: FlagTable<FlagUse> = [:]
        /// When the client last evaluated all flags; `nil` if it has not.
        var allAt: Int64?
        /// When the client was first seen.
        let firstAt: Int64
        /// The number of evaluations so far.
        var count = 0

        init(at time: Int64) { (lastAt, firstAt) = (time, time) }
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
            state.entries[client, default: Entry(at: now)].add(key, value, layer, at: now)
            state.evaluations += 1
        }
    }

    /// The first bytes of an id or a key, so that long ones do not fill the memory.
    private static func cut(_ text: String) -> String {
        text.utf8.count > idLimit ? String(decoding: text.utf8.prefix(idLimit), as: UTF8.self) : text
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

extension ClientLog.Entry {
    fileprivate mutating func add(_ key: String?, _ value: String?, _ layer: FlagLayer?, at time: Int64) {
        (lastKey, lastValue, lastLayer, lastAt, count) = (key, value, layer, time, count + 1)
        guard let key else {
            (allAt, flags) = (time, [:])
            return
        }
        let old = flags[key]
        guard old != nil || flags.count < ClientLog.flagLimit else { return }
        let since = old?.value == value && old?.layer == layer ? old?.since : nil
        flags[key] = layer.map {
            FlagUse(value: value, layer: $0, since: since ?? time, readAt: time, wasRead: true)
        }
    }
}
#endif
