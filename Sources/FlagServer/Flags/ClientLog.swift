#if Server
import FlagModel
import Synchronization

/// What each client asked last and what it got, for the page and `flagmenu status`.
final class ClientLog: Sendable {
    /// The last evaluation of a client.
    struct Entry: Sendable {
        /// The flag; `nil` if the client evaluated all flags.
        var key: String?
        var value: String?
        var layer: Layer?
        var at: Timestamp
        /// The number of evaluations so far.
        var count: Int
    }

    /// How many clients are remembered; those that have not asked for the longest time are forgotten first.
    static let limit = 1_000
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
    private let changes: ChangeFeed
    private let now: @Sendable () -> Timestamp

    init(changes: ChangeFeed, now: @escaping @Sendable () -> Timestamp) {
        self.changes = changes
        self.now = now
    }

    /// Records an evaluation.
    ///
    /// - Parameter client: the targeting key; `nil` if the client sent none.
    func note(_ client: String?, key: String?, value: String?, layer: Layer?) {
        let client = client.map { FlagText(Self.cut($0)) }
        let now = now()
        let isFirst = state.withLock { state in
            let count = state.entries[client]?.count ?? 0
            if count == 0, state.entries.count >= Self.limit { state.forgetOldest() }
            state.entries[client] = Entry(key: key.map(Self.cut), value: value, layer: layer, at: now, count: count + 1)
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
            self?.changes.announce(.clients)
        }
    }

    /// The clients, the most recent one first.
    var entries: [(client: FlagText?, entry: Entry)] {
        state.withLock { Array($0.entries) }.sorted {
            ($1.value.at, $0.key ?? "") < ($0.value.at, $1.key ?? "")
        }.map { (client: $0.key, entry: $0.value) }
    }
}

extension ClientLog.State {
    fileprivate mutating func forgetOldest() {
        if let oldest = entries.min(by: { $0.value.at < $1.value.at }) { entries.removeValue(forKey: oldest.key) }
    }
}
#endif
