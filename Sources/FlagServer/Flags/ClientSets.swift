#if Server
import FlagModel
import FlagRemote
import FlagStorage
import Synchronization

/// The override sets of clients: each is a store like the shared one, in a folder of its own below it.
///
/// Two testers on one server do not disturb each other. A client's overrides win over the shared ones.
final class ClientSets: Sendable {
    /// The longest id of a client with a set of its own, in bytes, so that its folder's name is never too long.
    static let idLimit = 80
    /// How many clients may have a set. Each set is watched by a thread.
    static let limit = 100

    private struct Entry {
        let store: OverrideStore
        let watch: DirectoryWatch?
        var overrides: [String: Override]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var observer: (@Sendable () -> Void)?
    }

    private let folder: String?
    private let makeStore: @Sendable (_ directory: String) -> OverrideStore
    private let state = Mutex(State())

    /// Reads the sets of earlier runs.
    ///
    /// - Parameters:
    ///   - folder: the folder of the shared overrides; `nil` if overrides are not saved.
    ///   - makeStore: makes the store in a folder.
    init(below folder: String?, makeStore: @escaping @Sendable (_ directory: String) -> OverrideStore) {
        self.folder = folder.map { FilePath.join($0, "clients") }
        self.makeStore = makeStore
        guard let names = self.folder.flatMap({ try? DurableFile.names(in: $0) }) else { return }
        for name in names where !name.hasPrefix(".") { _ = entry(of: PercentEncoding.decoded(name)) }
    }

    /// Calls a handler after each change of a set.
    func observe(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.observer = handler } }

    /// Whether any client has a set.
    var hasSets: Bool { state.withLock { !$0.entries.isEmpty } }

    /// The overrides of a client; `nil` if it has no set.
    func overrides(of client: String) -> [String: Override]? { state.withLock { $0.entries[client]?.overrides } }

    /// How many overrides each client has, by its id.
    var counts: [String: Int] { state.withLock { $0.entries.mapValues(\.overrides.count) } }

    /// The store of a client that has one; `nil` if no override of this client was ever set.
    func existingStore(of client: String) -> OverrideStore? { state.withLock { $0.entries[client]?.store } }

    /// The store of a client, which its first override creates.
    ///
    /// - Throws: why the client cannot have a set.
    func store(of client: String) throws(APIError) -> OverrideStore {
        if let entry = entry(of: client) { return entry.store }
        guard folder != nil else {
            throw APIError(.usage, "The overrides of this server are not saved, so clients share them.")
        }
        guard !client.isEmpty, client.utf8.count <= Self.idLimit else {
            throw APIError(
                .usage,
                "A client with overrides of its own needs an id of 1 to \(Self.idLimit) bytes. Nothing was changed.")
        }
        throw APIError(
            .usage,
            "\(Self.limit) clients have overrides of their own, which is the limit. Nothing was changed; remove folders in "
                + "\(folder ?? "") and restart the server.")
    }

    /// Reads the set of a client after a change.
    func reload(_ client: String) {
        guard let store = state.withLock({ $0.entries[client]?.store }) else { return }
        let overrides = store.read().table.overrides
        let observer = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.entries[client]?.overrides != overrides else { return nil }
            state.entries[client]?.overrides = overrides
            return state.observer
        }
        observer?()
    }

    /// Forgets a set without overrides if there are too many. Its files stay.
    ///
    /// - Returns: whether there is room for another set.
    private func makeRoom() -> Bool {
        state.withLock { state in
            if state.entries.count >= Self.limit, let empty = state.entries.first(where: { $0.value.overrides.isEmpty })
            {
                state.entries.removeValue(forKey: empty.key)
            }
            return state.entries.count < Self.limit
        }
    }

    private func entry(of client: String) -> Entry? {
        if let entry = state.withLock({ $0.entries[client] }) { return entry }
        guard let folder, !client.isEmpty, client.utf8.count <= Self.idLimit else { return nil }
        guard makeRoom() else { return nil }
        // A leading dot is encoded, too: it would hide the folder, and `..` would leave it.
        let encoded = PercentEncoding.encoded(client)
        let name = encoded.hasPrefix(".") ? "%2E\(encoded.dropFirst())" : encoded
        let store = makeStore(FilePath.join(folder, name))
        // Without a watch, changes of other processes show at the next change of this one.
        let watch = try? store.watch { [weak self] in self?.reload(client) }
        let entry = Entry(store: store, watch: watch, overrides: store.read().table.overrides)
        return state.withLock { state in
            if let existing = state.entries[client] { return existing }
            state.entries[client] = entry
            return entry
        }
    }
}
#endif
