#if Server
import FlagModel
import FlagRemote
import FlagStorage
import Synchronization

/// The override sets of clients: each is a store like the shared one, in a folder of its own below it.
///
/// Two testers on one server do not disturb each other. A client's overrides win over the shared ones. If there are
/// too many sets, one without overrides is forgotten until its client writes again; its folder with its history stays.
final class ClientSets: Sendable {
    /// The longest id of a client with a set of its own, in bytes, so that its folder's name is never too long.
    static let idLimit = 80

    private struct Entry {
        let set: ClientSet
        /// How many requests use the set. It is not forgotten meanwhile, as what they write would not be served.
        var users = 0
    }

    private struct State {
        /// By the id, with its bytes: as strings, different ids with different folders could be equal.
        var entries: [FlagText: Entry] = [:]
        var observer: (@Sendable () -> Void)?
    }

    private let folder: String?
    private let limit: Int
    private let makeStore: @Sendable (_ directory: String) -> OverrideStore
    private let state = Mutex(State())

    /// Reads the sets of earlier runs.
    ///
    /// - Parameters:
    ///   - folder: the folder of the shared overrides; `nil` if overrides are not saved.
    ///   - limit: how many clients may have a set.
    ///   - makeStore: makes the store in a folder.
    init(
        below folder: String?, limit: Int,
        makeStore: @escaping @Sendable (_ directory: String) -> OverrideStore
    ) {
        self.folder = folder.map { OverrideStore.clients(in: $0) }
        self.limit = limit
        self.makeStore = makeStore
        guard let folder = self.folder, !DurableFile.isLink(folder), let names = try? DurableFile.names(in: folder)
        else { return }
        for name in names where !name.hasPrefix(".") {
            let client = PercentEncoding.decoded(name)
            // A set with a link, or beyond the limit, is not served, and its client's next write says so.
            if (try? beginUse(of: client)) != nil { endUse(of: client) }
        }
    }

    /// Calls a handler after each change of a set.
    func observe(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.observer = handler } }

    /// Whether any client has a set.
    var hasSets: Bool { state.withLock { !$0.entries.isEmpty } }

    /// The overrides of a client; `nil` if it has no set.
    func overrides(of client: String) -> FlagTable<FlagOverride>? {
        state.withLock { $0.entries[FlagText(client)]?.set.overrides }
    }

    /// How many overrides each client has, by its id.
    var counts: [FlagText: Int] { state.withLock { $0.entries.mapValues(\.set.overrides.count) } }

    /// Whether a client ever had a set, also if the set was forgotten.
    func hasSet(of client: String) -> Bool {
        state.withLock { $0.entries[FlagText(client)] != nil } || path(of: client).map(DurableFile.hasName) == true
    }

    /// Runs `body` with the store of a client, which its first override creates. The set has the effect when this
    /// returns.
    ///
    /// - Throws: why the client cannot have a set, or the error of `body`.
    func withStore<Result>(
        of client: String, _ body: (OverrideStore) throws(APIError) -> Result
    ) throws(APIError) -> Result {
        let set = try beginUse(of: client)
        defer { endUse(of: client) }
        let result = try body(set.store)
        read(set)
        return result
    }

    private func read(_ set: ClientSet) {
        if set.readOverrides() { state.withLock { $0.observer }?() }
    }

    /// The set of a client, which counts as used.
    private func beginUse(of client: String) throws(APIError) -> ClientSet {
        let path = try requirePath(of: client)
        if let link = ClientSet.link(at: path) {
            throw APIError(
                .forbidden,
                "\(link) is a symbolic link, which could lead out of the store, so the client has no overrides of its own. "
                    + "Nothing was changed; remove the link.")
        }
        let id = FlagText(client)
        let (set, isNew, forgotten) = try state.withLock {
            state throws(APIError) -> (ClientSet, Bool, ClientSet?) in
            if let set = state.entries[id]?.set {
                state.entries[id]?.users += 1
                return (set, false, nil)
            }
            let forgotten = try makeRoom(in: &state)
            let set = ClientSet(makeStore(path))
            state.entries[id] = Entry(set: set, users: 1)
            return (set, true, forgotten)
        }
        // Ends its watch outside the lock.
        withExtendedLifetime(forgotten) {}
        if isNew {
            set.watch { [weak self, weak set] in
                if let set { self?.read(set) }
            }
            read(set)
        }
        return set
    }

    private func endUse(of client: String) { state.withLock { $0.entries[FlagText(client)]?.users -= 1 } }

    /// Forgets a set if there is no room for another one.
    ///
    /// - Returns: the forgotten set.
    /// - Throws: that all sets have overrides or are used.
    private func makeRoom(in state: inout State) throws(APIError) -> ClientSet? {
        guard state.entries.count >= limit else { return nil }
        guard let empty = state.entries.first(where: { $0.value.users == 0 && $0.value.set.overrides.isEmpty }) else {
            throw APIError(
                .usage,
                "\(limit) clients have overrides of their own, which is the limit. Nothing was changed; clear the overrides "
                    + "of another client first.")
        }
        return state.entries.removeValue(forKey: empty.key)?.set
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
