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

    /// The contents to announce; their updates are forgotten.
    private func takePresence() -> PresenceAnnouncer.Contents {
        state.withLock {
            PresenceAnnouncer.Contents(values: $0.contents.values, updates: $0.reads.takeUpdates())
        }
    }

    /// Records that the code reads a flag, and publishes a changed value to its slot.
    ///
    /// - Parameter generation: the generation of the values that the code reads; if a layer has changed since, nothing is
    ///   recorded.
    func noteRead(of declaration: any AnyFlagDeclaration, ifStill generation: Int? = nil) {
        let isNew = state.withLock { state in
            guard state.reads.isTracked, generation ?? state.generation == state.generation else { return false }
            _ = state.reads.publish(at: declaration.slot, to: slots)
            return state.reads.noteRead(of: declaration.name)
        }
        if isNew { presence.withLock { $0 }?.announce() }
    }

    /// Records that the code was given the value of a flag.
    func noteRead(of key: String) {
        if let declaration = FlagRegistry.declaration(of: key) { noteRead(of: declaration) }
    }

    /// Publishes a value that the code reads to later readers, and records the read. If a layer has changed meanwhile,
    /// the value is right for this reader, but too old for later ones.
    func publish(_ value: PublishableValue, of declaration: any AnyFlagDeclaration, ifStill generation: Int) {
        let (replaced, isNew) = state.withLock { state -> ((any Sendable)?, Bool) in
            guard state.generation == generation else { return (nil, false) }
            state.readFlags.insert(declaration)
            return (value.publish(slots), state.reads.noteRead(of: declaration.name))
        }
        withExtendedLifetime(replaced) {}
        if isNew { presence.withLock { $0 }?.announce() }
    }

    /// Records that the code reads a flag of a snapshot. The value is published to its slot, too: a slot with a value
    /// proves, without a lock, that the read is recorded.
    ///
    /// - Parameter old: the values of the snapshot. If the flag has changed since, the code reads the old value.
    func noteSnapshotRead(of declaration: any AnyFlagDeclaration, in old: LayerValues) {
        guard announcesReads, !slots.isPublished(declaration.slot) else { return }
        let (values, generation) = state.withLock { ($0.contents.values, $0.generation) }
        let key = declaration.name
        guard Layer.allCases.allSatisfy({ values.text(of: key, in: $0) == old.text(of: key, in: $0) }) else { return }
        noteRead(of: declaration, ifStill: generation)
        guard !slots.isPublished(declaration.slot) else { return }
        publish(declaration.publishable(values), of: declaration, ifStill: generation)
    }

    /// Whether the app announces what it reads.
    private var announcesReads: Bool { presenceFolder != nil && access.isOpen }
}
