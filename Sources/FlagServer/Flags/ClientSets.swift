#if Server
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import Synchronization

/// The override sets of clients: each is a store like the shared one, in a folder of its own below it.
///
/// Two testers on one server do not disturb each other. A client's overrides win over the shared ones. A set is read
/// when its client is first asked about, and again when its file has changed, so that thousands of folders of earlier
/// clients cost nothing. Only some sets stay in memory.
final class ClientSets: Sendable {
    /// The longest id of a client with a set of its own, in bytes, so that its folder's name is never too long.
    static let idLimit = 80

    private struct Entry {
        var overrides: FlagTable<FlagOverride> = [:]
        /// The file when it was last read; `nil` if there was none.
        var file: FileStatus?
    }

    private struct State {
        /// The sets in memory by client, compared by bytes: as strings, different ids with different folders could be
        /// equal.
        var entries: [FlagText: Entry] = [:]
        /// The clients with a folder.
        var clients: Set<FlagText> = []
        var observer: (@Sendable () -> Void)?
        var watch: DirectoryWatch?
    }

    private let folder: String?
    private let limit: Int
    private let now: @Sendable () -> FlagTimestamp
    private let state = Mutex(State())

    /// Finds the sets of earlier runs.
    ///
    /// - Parameters:
    ///   - folder: the folder of the shared overrides; `nil` if overrides are not saved.
    ///   - limit: how many sets stay in memory.
    init(below folder: String?, limit: Int, now: @escaping @Sendable () -> FlagTimestamp) {
        self.folder = folder.map { OverrideStore.clients(in: $0) }
        (self.limit, self.now) = (limit, now)
        // Without a watch, sets that other processes make are found a little later.
        let watch = self.folder.flatMap {
            try? DirectoryWatch($0, namesIn: true) { [weak self] in self?.readChanges() }
        }
        state.withLock { $0.watch = watch }
        readChanges()
    }

    /// Calls a handler after each change of a set, or of the list of sets.
    func observe(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.observer = handler } }

    /// The overrides of a client as they are in its file now; `nil` if it has no set.
    ///
    /// Reading a set at the same time as another thread is harmless: what is older than the file is read again at the
    /// next use.
    func overrides(of client: String) -> FlagTable<FlagOverride>? {
        let id = FlagText(client)
        let (known, isClient) = state.withLock { ($0.entries[id], $0.clients.contains(id)) }
        guard known != nil || isClient, let folder = path(of: client) else { return nil }
        let store = store(in: folder)
        let file = try? FileOperations.live.statusOfPath(store.path)
        let isCurrent = known.map { file == $0.file && !hasEnded(in: $0.overrides) } ?? false
        guard !isCurrent, Self.link(at: folder) == nil else { return known?.overrides ?? [:] }
        let overrides = store.read().table.overrides
        remember(Entry(overrides: overrides, file: file), of: id)
        if let known, known.overrides != overrides { notify() }
        return overrides
    }

    /// Whether an override has ended since it was read.
    private func hasEnded(in overrides: FlagTable<FlagOverride>) -> Bool {
        let clock = ClockReading(now: now(), machine: .now)
        return overrides.values.contains { $0.end?.time != nil && $0.end?.hasEnded(at: clock) == true }
    }

    private func store(in folder: String) -> OverrideStore {
        OverrideStore(directory: folder, author: ProcessEnvironment.userName, now: now)
    }

    private func notify() { state.withLock { $0.observer }?() }

    private func remember(_ entry: Entry, of id: FlagText) {
        state.withLock { state in
            state.entries[id] = entry
            state.clients.insert(id)
            guard state.entries.count > limit, let other = state.entries.keys.first(where: { $0 != id }) else { return }
            state.entries[other] = nil
        }
    }

    /// A link at the folder of a set, above it or in it; `nil` if there is none. It could lead out of the store, to files
    /// that are none of its own, so a set with a link is neither read nor changed.
    private static func link(at folder: String) -> String? {
        let names = (try? DurableFile.names(in: folder)) ?? []
        let places = [FilePath.folder(of: folder), folder] + names.map { FilePath.join(folder, $0) }
        return places.first(where: DurableFile.isLink)
    }

    /// Reads the sets in memory whose files have changed, and as many new ones as there is room for.
    func readChanges() {
        guard let folder else { return }
        let names = DurableFile.isLink(folder) ? [] : (try? DurableFile.names(in: folder)) ?? []
        let clients = Set(names.filter { !$0.hasPrefix(".") }.map { FlagText(PercentEncoding.decoded($0)) })
        let (known, hasChanged) = state.withLock { state in
            defer { state.clients = clients }
            return (Array(state.entries.keys), state.clients != clients)
        }
        for client in known + clients.sorted().prefix(max(0, limit - known.count)) { _ = overrides(of: client.string) }
        if hasChanged { notify() }
    }

    /// The flags that clients have overrides of their own of; `nil` if sets that are not in memory may have any.
    var keys: Set<FlagText>? {
        state.withLock { state in
            guard state.clients.count <= state.entries.count else { return nil }
            return state.entries.values.reduce(into: []) { $0.formUnion($1.overrides.keySet) }
        }
    }

    /// How many overrides each client has, by its id, of the sets in memory.
    var counts: [FlagText: Int] { state.withLock { $0.entries.mapValues(\.overrides.count) } }

    /// Whether a client ever had a set.
    func hasSet(of client: String) -> Bool { path(of: client).map(DurableFile.hasName) == true }

    /// The store of a client, which its first override creates. After a change, ``overrides(of:)`` has the effect.
    ///
    /// - Throws: why the client cannot have a set.
    func store(of client: String) throws(APIError) -> OverrideStore {
        guard folder != nil else {
            throw APIError(.usage, "The overrides of this server are not saved, so clients share them.")
        }
        guard let path = path(of: client) else {
            throw APIError(
                .usage,
                "A client with overrides of its own needs an id of 1 to \(Self.idLimit) bytes. Nothing was changed.")
        }
        if let link = Self.link(at: path) {
            throw APIError(
                .forbidden,
                "\(link) is a symbolic link, which could lead out of the store, so the client has no overrides of its own. "
                    + "Nothing was changed; remove the link.")
        }
        let id = FlagText(client)
        // Remembered before the first change, so that it counts as a change.
        if state.withLock({ $0.entries[id] == nil }) { remember(Entry(), of: id) }
        return store(in: path)
    }

    /// The folder of a client's store; `nil` if the client cannot have one.
    private func path(of client: String) -> String? {
        guard let folder, !client.isEmpty, client.utf8.count <= Self.idLimit else { return nil }
        // A leading dot is encoded, too: it would hide the folder, and `..` would leave it.
        let encoded = PercentEncoding.encoded(client)
        return FilePath.join(folder, encoded.hasPrefix(".") ? "%2E\(encoded.dropFirst())" : encoded)
    }
}
#endif
