#if Server
import FlagModel
import FlagPresence
import FlagStorage
import Synchronization

/// What each client asked last and what it got, for the page, `flagmenu status` and the list of running apps.
final class ClientLog: Sendable {
    /// The evaluations of a client.
    struct Entry: Sendable {
        /// The last evaluation.
        var last = Evaluation(at: 0)
        /// The flag of the last evaluation; `nil` if the client evaluated all flags.
        var lastKey: String?
        /// The last evaluation of each flag, of as many as are remembered. Empty after the client has evaluated all
        /// flags, as it then has newer values.
        var flags: FlagTable<Evaluation> = [:]
        /// When the client last evaluated all flags; `nil` if it has not.
        var allAt: Int64?
        /// When the client was first seen.
        var firstAt: Int64
        /// The number of evaluations so far.
        var count = 0
    }

    /// What a client got.
    struct Evaluation: Sendable {
        var value: String?
        /// The layer of the value; `nil` if no layer has one.
        var layer: FlagLayer?
        /// The time, in milliseconds since 1970 UTC.
        var at: Int64
        /// When the client first got this value from this layer, after another one or none.
        var since: Int64

        init(value: String? = nil, layer: FlagLayer? = nil, at time: Int64) {
            (self.value, self.layer, at, since) = (value, layer, time, time)
        }

        var timestamp: FlagTimestamp { FlagTimestamp(milliseconds: at) }
    }

    /// How many clients are remembered; those that have not asked for the longest time are forgotten first.
    static let limit = 1_000
    /// How many flags of a client are remembered, those that it asked for first.
    static let flagLimit = 100
    /// How many bytes of an id or a key are remembered.
    private static let idLimit = 200
    /// Evaluations within this time are announced as one change.
    private static let pause = Duration.milliseconds(200)

    fileprivate struct State {
        var entries: [FlagText?: Entry] = [:]
        /// Whether a change of the list will be announced.
        var isAnnouncing = false
    }

    private let state = Mutex(State())
    private let changes: ServedChanges
    private let now: @Sendable () -> Int64

    /// - Parameter now: returns the time in milliseconds since 1970 UTC.
    init(changes: ServedChanges, now: @escaping @Sendable () -> Int64 = { WallClock.milliseconds }) {
        self.changes = changes
        self.now = now
    }

    /// Records an evaluation.
    ///
    /// - Parameters:
    ///   - client: the targeting key; `nil` if the client sent none.
    ///   - key: the flag; `nil` if the client evaluated all flags.
    func record(_ client: String?, key: String?, value: String?, layer: FlagLayer?) {
        let client = client.map { FlagText(Self.cut($0)) }
        let key = key.map(Self.cut)
        let evaluation = Evaluation(value: value, layer: layer, at: now())
        let isFirst = state.withLock { state in
            if state.entries[client] == nil, state.entries.count >= Self.limit { state.forgetOldest() }
            state.entries[client, default: Entry(firstAt: evaluation.at)].add(evaluation, of: key)
            defer { state.isAnnouncing = true }
            return !state.isAnnouncing
        }
        if isFirst { announceLater() }
    }

    /// The first bytes of an id or a key, so that long ones do not fill the memory.
    private static func cut(_ text: String) -> String {
        text.utf8.count > idLimit ? String(decoding: text.utf8.prefix(idLimit), as: UTF8.self) : text
    }

    private func announceLater() {
        Task { [weak self] in
            try? await Task.sleep(for: Self.pause)
            self?.state.withLock { $0.isAnnouncing = false }
            self?.changes.announce { $0.clients += 1 }
        }
    }

    /// The clients, the most recent one first.
    var entries: [(client: FlagText?, entry: Entry)] {
        state.withLock { Array($0.entries) }.sorted {
            ($1.value.last.at, $0.key ?? "") < ($0.value.last.at, $1.key ?? "")
        }.map { (client: $0.key, entry: $0.value) }
    }
}

extension ClientLog.Entry {
    fileprivate mutating func add(_ evaluation: ClientLog.Evaluation, of key: String?) {
        (last, lastKey, count) = (evaluation, key, count + 1)
        guard let key else {
            allAt = evaluation.at
            flags = [:]
            return
        }
        var evaluation = evaluation
        if let old = flags[key] {
            if old.value == evaluation.value, old.layer == evaluation.layer { evaluation.since = old.since }
        } else if flags.count >= ClientLog.flagLimit {
            return
        }
        flags[key] = evaluation
    }
}

extension ClientLog.State {
    fileprivate mutating func forgetOldest() {
        if let oldest = entries.min(by: { $0.value.last.at < $1.value.last.at }) {
            entries.removeValue(forKey: oldest.key)
        }
    }
}
#endif
