#if Server
import FlagModel
import FlagRemote
import FlagStorage
import Synchronization

/// The override sets of clients: each is a store like the shared one, in a folder of its own below it.
///
/// Two testers on one server do not disturb each other. A client's overrides win over the shared ones. A set is read
/// when its client is first asked about, and again when its file has changed, so that thousands of folders of earlier
/// clients cost nothing. Only the sets that were used last stay in memory.
final class ClientSets: Sendable {
    /// The longest id of a client with a set of its own, in bytes, so that its folder's name is never too long.
    static let idLimit = 80

    /// The flags that clients have overrides of their own of.
    struct Keys: Sendable, Equatable {
        /// The keys in the sets that were read.
        var known: Set<FlagText> = []
        /// Whether other sets may have any key.
        var hasOthers = false

        /// Whether a client may have an override of its own of a flag.
        func contains(_ key: String) -> Bool { hasOthers || known.contains(FlagText(key)) }
    }

    private struct Entry {
        let store: OverrideStore
        var overrides: FlagTable<FlagOverride> = [:]
        /// The file when it was last read; `nil` if there was none.
        var file: FileStatus?
        /// Orders the sets by their last use.
        var lastUse = 0
    }

    private struct State {
        /// The sets in memory by client, compared by bytes: as strings, different ids with different folders could be
        /// equal.
        var entries: [FlagText: Entry] = [:]
        /// The clients with a folder.
        var clients: Set<FlagText> = []
        var lastUse = 0
        var observer: (@Sendable () -> Void)?
        var watch: DirectoryWatch?
    }

    private let folder: String?
    private let limit: Int
    private let makeStore: @Sendable (_ directory: String) -> OverrideStore
    private let state = Mutex(State())

    /// Finds the sets of earlier runs.
    ///
    /// - Parameters:
    ///   - folder: the folder of the shared overrides; `nil` if overrides are not saved.
    ///   - limit: how many sets stay in memory.
    ///   - makeStore: makes the store in a folder.
    init(
        below folder: String?, limit: Int,
        makeStore: @escaping @Sendable (_ directory: String) -> OverrideStore
    ) {
        self.folder = folder.map { OverrideStore.clients(in: $0) }
        self.limit = limit
        self.makeStore = makeStore
        guard let folder = self.folder else { return }
        // Without a watch, sets that other processes make are found by the next start.
        let watch = try? DirectoryWatch(folder, namesIn: true) { [weak self] in self?.findClients() }
        state.withLock { $0.watch = watch }
        findClients()
        for client in state.withLock({ $0.clients }).sorted().prefix(limit) { _ = overrides(of: client.string) }
    }

    /// Calls a handler after each change of a set, or of the list of sets.
    func observe(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.observer = handler } }

    /// The overrides of a client as they are in its file now; `nil` if it has no set.
    func overrides(of client: String) -> FlagTable<FlagOverride>? {
        let id = FlagText(client)
        let (entry, isKnown) = state.withLock { state in
            state.lastUse += 1
            state.entries[id]?.lastUse = state.lastUse
            return (state.entries[id], state.clients.contains(id))
        }
        guard isKnown || entry != nil, let path = path(of: client) else { return nil }
        let (overrides, hasChanged) = read(entry ?? Entry(store: makeStore(path)), of: id)
        if hasChanged { notify() }
        return overrides
    }

    private func notify() { state.withLock { $0.observer }?() }

    /// Reads a set if its file has changed. Reading it at the same time as another thread is harmless: what is older
    /// than the file is read again at the next use.
    ///
    /// - Returns: the overrides, and whether they differ from those in memory.
    private func read(_ entry: Entry, of id: FlagText) -> (overrides: FlagTable<FlagOverride>, hasChanged: Bool) {
        let path = entry.store.path
        let file = try? FileOperations.live.statusOfPath(path)
        if entry.lastUse > 0, file == entry.file { return (entry.overrides, false) }
        guard Self.link(at: FilePath.folder(of: path)) == nil else { return (entry.overrides, false) }
        var entry = entry
        (entry.file, entry.overrides) = (file, entry.store.read().table.overrides)
        return state.withLock { state in
            let old = state.entries[id]?.overrides
            state.lastUse += 1
            entry.lastUse = state.lastUse
            state.entries[id] = entry
            if state.entries.count > limit, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries.removeValue(forKey: oldest.key)
            }
            return (entry.overrides, old.map { $0 != entry.overrides } ?? false)
        }
    }

    /// A link at the folder of a set, above it or in it; `nil` if there is none. It could lead out of the store, to files
    /// that are none of its own, so a set with a link is neither read nor changed.
    private static func link(at folder: String) -> String? {
        if let link = [FilePath.folder(of: folder), folder].first(where: DurableFile.isLink) { return link }
        let names = (try? DurableFile.names(in: folder)) ?? []
        return names.lazy.map { FilePath.join(folder, $0) }.first(where: DurableFile.isLink)
    }

    /// Reads the sets in memory whose files have changed.
    func readChanges() {
        for client in state.withLock({ Array($0.entries.keys) }) { _ = overrides(of: client.string) }
    }

    private func findClients() {
        guard let folder else { return }
        let names = DurableFile.isLink(folder) ? [] : (try? DurableFile.names(in: folder)) ?? []
        let clients = Set(names.filter { !$0.hasPrefix(".") }.map { FlagText(PercentEncoding.decoded($0)) })
        let hasChanged = state.withLock { state in
            defer { state.clients = clients }
            return state.clients != clients
        }
        if hasChanged { notify() }
    }

    /// The flags that clients have overrides of their own of.
    var keys: Keys {
        state.withLock { state in
            let known = state.entries.values.flatMap { $0.overrides.keys.map { FlagText($0) } }
            return Keys(known: Set(known), hasOthers: state.clients.count > state.entries.count)
        }
    }

    /// How many overrides each client has, by its id, of the sets in memory.
    var counts: [FlagText: Int] { state.withLock { $0.entries.mapValues(\.overrides.count) } }

    /// Whether a client ever had a set.
    func hasSet(of client: String) -> Bool { path(of: client).map(DurableFile.hasName) == true }

    /// Runs `body` with the store of a client, which its first override creates. The set has the effect when this
    /// returns.
    ///
    /// - Throws: why the client cannot have a set, or the error of `body`.
    func withStore<Result>(
        of client: String, _ body: (OverrideStore) throws(APIError) -> Result
    ) throws(APIError) -> Result {
        let path = try requirePath(of: client)
        let (id, old) = (FlagText(client), overrides(of: client))
        let result = try body(state.withLock { $0.entries[id]?.store } ?? makeStore(path))
        state.withLock { _ = $0.clients.insert(id) }
        let new = read(state.withLock { $0.entries[id] } ?? Entry(store: makeStore(path)), of: id).overrides
        if new != old { notify() }
        return result
    }

    private func requirePath(of client: String) throws(APIError) -> String {
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
        return path
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
