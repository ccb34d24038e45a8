import FlagModel
import FlagStorage
import Logging
import Synchronization

// Announcing the app to menus and commands.
extension FlagStore {
    /// Begins to announce the app.
    func startPresence() {
        guard !presenceFolders.isEmpty else { return }
        if access.isOpen {
            announce(in: presenceFolders, overrideFolder: storeFolder)
        } else {
            awaitFirstUse()
            announceIgnoredOverrides()
        }
    }

    private func announce(in folders: [String], overrideFolder: String?, ignoredOverrides: Int? = nil) {
        let announcer = PresenceAnnouncer(
            in: folders, overrideFolder: overrideFolder, ignoredOverrides: ignoredOverrides,
            activatesAtLaunch: activation == .nextLaunch,
            hasSources: !remote.configured.isEmpty || teamEngine != nil,
            takeContents: { [weak self] in self?.takePresence() },
            onFailure: { [logger, app] failure in
                switch failure {
                case .announcement(let error): logger.warning("Menus may not see that \(app) runs: \(error)")
                case .declarations(let error):
                    logger.warning("Menus may not list the flags of \(app) after it has ended: \(error)")
                }
            })
        state.withLock { $0.reads.isTracked = ignoredOverrides == nil }
        let observation = observe { [weak announcer] change in
            let hasRevision = change.old.overrideFile?.table.revision != change.new.overrideFile?.table.revision
            if !change.layers.isEmpty || hasRevision { announcer?.announce() }
        }
        let old = background.withLock { background in
            defer { (background.announcer, background.announcements) = (announcer, observation) }
            return (background.announcer, background.announcements)
        }
        withExtendedLifetime(old) {}
        announcer.announce()
    }

    /// Says how many overrides this build ignores, and where they are. Writes nothing to a folder that no menu has
    /// created: the users of the app have none.
    private func announceIgnoredOverrides() {
        guard let storeFolder else { return }
        let store = OverrideStore(directory: storeFolder, author: "", now: remote.clock.now)
        // The watches of two folders may call this at the same time.
        let count = closedPresence.withLock { presence -> Int in
            let folders = presenceFolders.filter { DurableFile.hasName($0) }
            if folders.count == presenceFolders.count { presence.watches = [] }
            guard folders.count > presence.folderCount else { return 0 }
            presence.folderCount = folders.count
            let count = store.read().table.overrides.count
            announce(in: folders, overrideFolder: nil, ignoredOverrides: count)
            return count
        }
        guard count > 0 else { return }
        logger.notice(
            "\(app) ignores \(count.counted("override")) in \(store.path): this build does not use overrides. See OverrideAccess."
        )
    }

    /// Announces a build without overrides as soon as a menu or a command creates one of the missing folders. Called
    /// before the folders are used, so that none is missed.
    private func awaitFirstUse() {
        do throws(StorageError) {
            let watches = try presenceFolders.filter { !DurableFile.hasName($0) }.map { folder throws(StorageError) in
                try DirectoryWatch(folder) { [weak self] in self?.announceIgnoredOverrides() }
            }
            closedPresence.withLock { $0.watches = watches }
        } catch {
            logger.warning("Menus may not see that \(app) runs: \(error)")
        }
    }

    /// The contents to announce; their updates are forgotten.
    private func takePresence() -> PresenceAnnouncer.Contents {
        state.withLock {
            PresenceAnnouncer.Contents(
                values: $0.contents.values, revision: $0.contents.overrideFile?.table.revision,
                updates: $0.reads.takeUpdates())
        }
    }

    /// Publishes a value that the code reads to later readers, and records the read. If a layer has changed meanwhile,
    /// the value is right for this reader, but too old for later ones.
    func publish(_ value: PublishableValue, of declaration: any AnyFlagDeclaration, ifStill generation: Int) {
        let (replaced, isNew) = state.withLock { state -> ((any Sendable)?, Bool) in
            guard state.generation == generation else {
                return (nil, state.reads.notePastRead(of: declaration.name, value.content))
            }
            state.readFlags.insert(declaration)
            return (value.publish(slots), state.reads.noteRead(of: declaration.name, value.content))
        }
        withExtendedLifetime(replaced) {}
        if isNew { announceRead() }
    }

    /// Records a read of a snapshot.
    ///
    /// - Parameter old: the values of the snapshot. If the flag has changed since, the code reads the old value.
    func note(_ read: FlagSnapshot.Read, in old: LayerValues) {
        guard announcesReads else { return }
        switch read {
        case .flag(let declaration): noteSnapshotRead(of: declaration, in: old)
        case .text(let key): noteTextRead(of: key, in: old)
        }
    }

    /// Records that the code reads a flag of a snapshot. The value is published to its slot, too: a slot with a value
    /// proves, without a lock, that the read is recorded.
    private func noteSnapshotRead(of declaration: any AnyFlagDeclaration, in old: LayerValues) {
        guard !slots.isPublished(declaration.slot) else { return }
        let (values, generation) = state.withLock { ($0.contents.values, $0.generation) }
        guard values.hasSameTexts(of: declaration.name, as: old) else { return }
        publish(declaration.publishable(values), of: declaration, ifStill: generation)
    }

    /// Records that the code reads a flag by its key, if code also declares the key.
    private func noteTextRead(of key: String, in old: LayerValues) {
        guard let declaration = FlagRegistry.declaration(of: key) else { return }
        noteRead(of: declaration) { values in
            values.hasSameTexts(of: key, as: old) ? declaration.outcome(in: values).content : nil
        }
    }

    /// Records that the code was given the new value of one flag, unless the flag has another value now.
    func noteDelivery(of change: FlagChange<String?>, to observed: ObservedFlags) {
        // Code that observes all flags, such as a log of changes, uses none of them.
        guard announcesReads, let declaration = observed.declaration else { return }
        noteRead(of: declaration) { values in
            let value = declaration.outcome(in: values).content
            return value == ReadValue(text: change.new, layer: change.layer ?? .default) ? value : nil
        }
    }

    /// How often a read is compared with the values in use, if other flags change meanwhile.
    private static let comparisonLimit = 20

    /// Records that the code reads a value other than from its slot.
    ///
    /// - Parameter current: returns the current value if this is what the code reads, else `nil`. Runs code of the app,
    ///   and so without a lock.
    private func noteRead(of declaration: any AnyFlagDeclaration, ifCurrent current: (LayerValues) -> ReadValue?) {
        for _ in 0..<Self.comparisonLimit {
            let (values, generation, isRecorded) = state.withLock {
                ($0.contents.values, $0.generation, $0.reads.isRead(declaration.name))
            }
            guard !isRecorded, let value = current(values) else { return }
            let isNew = state.withLock { state -> Bool? in
                guard state.generation == generation else { return nil }
                // The declaration may read the text differently than this code; its slot stays as it is.
                return state.reads.noteRead(of: declaration.name, value)
            }
            guard let isNew else { continue }
            if isNew { announceRead() }
            return
        }
    }

    private func announceRead() { background.withLock { $0.announcer }?.announce() }

    /// Whether the app announces what it reads.
    private var announcesReads: Bool { !presenceFolders.isEmpty && access.isOpen }
}

/// Where a build without overrides announces itself.
struct ClosedPresence {
    /// The number of folders with the announcement.
    var folderCount = 0
    /// Watches of the folders that were missing when the store was opened, until all exist.
    var watches: [DirectoryWatch] = []
}

extension ObservedFlags {
    /// The declaration by which the observer reads its flag; `nil` if it observes all flags, or a key that no code
    /// declares.
    fileprivate var declaration: (any AnyFlagDeclaration)? {
        switch self {
        case .all: nil
        case .text(let key): FlagRegistry.declaration(of: key)
        case .value(let declaration): declaration
        }
    }
}

extension LayerValues {
    /// Whether all layers have the same text for a flag as in other values.
    fileprivate func hasSameTexts(of key: String, as other: LayerValues) -> Bool {
        FlagLayer.allCases.allSatisfy { text(of: key, in: $0) == other.text(of: key, in: $0) }
    }
}
