#if Server
import FlagModel
import FlagStorage
import Synchronization

/// The overrides of one client, as they were last read from its store.
final class ClientSet: Sendable {
    let store: OverrideStore
    private let current = Mutex<FlagTable<FlagOverride>>([:])
    /// Locked while the store is read, so that an older reading cannot replace a newer one.
    private let reading = Mutex<Void>(())
    private let currentWatch = Mutex<DirectoryWatch?>(nil)

    init(_ store: OverrideStore) { self.store = store }

    /// The overrides.
    var overrides: FlagTable<FlagOverride> { current.withLock { $0 } }

    /// A link at the folder of a set, above it or in it; `nil` if there is none. It could lead out of the store, to files
    /// that are none of its own, so a set with a link is neither read nor changed.
    static func link(at folder: String) -> String? {
        if let link = [FilePath.folder(of: folder), folder].first(where: DurableFile.isLink) { return link }
        let names = (try? DurableFile.names(in: folder)) ?? []
        return names.lazy.map { FilePath.join(folder, $0) }.first(where: DurableFile.isLink)
    }

    /// Reads the store.
    ///
    /// - Returns: whether the overrides have changed.
    func readOverrides() -> Bool {
        reading.withLock { _ in
            guard Self.link(at: FilePath.folder(of: store.path)) == nil else { return false }
            let overrides = store.read().table.overrides
            return current.withLock { current in
                defer { current = overrides }
                return current != overrides
            }
        }
    }

    /// Calls a handler after each change of the store, until the set is released.
    func watch(_ onChange: @escaping @Sendable () -> Void) {
        // Without a watch, changes of other processes show at the next change of this one.
        let watch = try? store.watch(onChange)
        currentWatch.withLock { $0 = watch }
    }
}
#endif
