import FlagModel
import FlagStorage
import Logging
import Synchronization

// Announcing the app to menus and commands.
extension FlagStore {
    /// Begins to announce the app.
    func startPresence() {
        guard let presenceFolder else { return }
        if access.isOpen {
            announce(in: presenceFolder, overrideFolder: storeFolder)
        } else {
            reportIgnoredOverrides(in: presenceFolder)
        }
    }

    private func announce(in folder: String, overrideFolder: String?, ignoredOverrides: Int? = nil) {
        let announcer = PresenceAnnouncer(
            in: folder, overrideFolder: overrideFolder, ignoredOverrides: ignoredOverrides,
            takeContents: { [weak self] in self?.takePresence() },
            onFailure: { [logger, app] error in
                logger.warning("Menus do not see that \(app) runs: \(error)")
            })
        state.withLock { $0.reads.isTracked = ignoredOverrides == nil }
        presence.withLock { $0 = announcer }
        announcer.announce()
    }

    /// Says how many overrides this build ignores, and where they are. Writes nothing if no menu was ever used with the
    /// app, as on the machines of its users.
    private func reportIgnoredOverrides(in folder: String) {
        guard let storeFolder, DurableFile.hasName(folder) || DurableFile.hasName(storeFolder) else { return }
        let store = OverrideStore(directory: storeFolder, author: "", now: remote.clock.now)
        let count = store.read().table.overrides.count
        if count > 0 {
            logger.notice(
                "\(app) ignores \(count.counted("override")) in \(store.path): this build does not use overrides. See OverrideAccess."
            )
        }
        announce(in: folder, overrideFolder: nil, ignoredOverrides: count)
    }

    /// The contents to announce; their changes are forgotten.
    private func takePresence() -> PresenceAnnouncer.Contents {
        state.withLock { state in
            defer { state.reads.takeChanges() }
            return PresenceAnnouncer.Contents(values: state.contents.values, reads: state.reads)
        }
    }

    /// Records that the code reads a flag, and publishes a changed value to its slot.
    func noteRead(of declaration: any AnyFlagDeclaration) {
        let isNew = state.withLock { state in
            guard state.reads.isTracked else { return false }
            _ = state.reads.publish(at: declaration.slot, to: slots)
            return state.reads.noteRead(of: declaration.name)
        }
        if isNew { presence.withLock { $0 }?.announce() }
    }

    /// Records that the code was given the value of a flag.
    func noteRead(of key: String) {
        if let declaration = FlagRegistry.declaration(of: key) { noteRead(of: declaration) }
    }
}
