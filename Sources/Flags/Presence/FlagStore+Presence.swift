import FlagModel
import FlagPresence
import FlagStorage
import Logging
import Synchronization

// Announcing the app to menus and commands.
extension FlagStore {
    /// Begins to announce the app.
    func startPresence() {
        guard !presenceFolders.isEmpty else { return }
        guard access.isOpen else {
            awaitFirstUse()
            return announceIgnoredOverrides()
        }
        let announcer = PresenceAnnouncer(runningApp(), in: presenceFolders) { [logger, app] error in
            logger.warning("Menus may not see that \(app) runs: \(error)")
        }
        background.withLock { $0.announcer = announcer }
        let observation = observe(begin: { announcer.begin(with: $0) }) { announcer.receive($0) }
        background.withLock { $0.endings.append { observation.cancel() } }
    }

    /// This process, without its flags.
    ///
    /// - Parameter ignoredOverrides: how many overrides it ignores; `nil` if it uses them.
    private func runningApp(id: String = PresenceFile.makeID(), ignoredOverrides: Int? = nil) -> RunningApp {
        RunningApp(
            id: id, name: ProcessEnvironment.programName, process: ProcessEnvironment.processNumber,
            startedAt: WallClock.milliseconds, ignoredOverrides: ignoredOverrides,
            overrideFolder: ignoredOverrides == nil ? storeFolder : nil,
            activatesAtLaunch: activation == .nextLaunch, hasSources: !remote.configured.isEmpty || teamEngine != nil,
            flags: [])
    }

    /// Publishes a value that the code reads to later readers, and announces the read. If the contents have changed
    /// meanwhile, the value is right for this reader, but may be too old for later ones.
    ///
    /// - Parameter revision: the revision of the contents with the value.
    func publish(_ value: PublishableValue, of declaration: any AnyFlagDeclaration, at revision: Int) {
        let replaced = state.withLock { state -> (any Sendable)? in
            guard state.contents.revision == revision else { return nil }
            state.readFlags.insert(declaration)
            return value.publish(slots)
        }
        withExtendedLifetime(replaced) {}
        background.withLock { $0.announcer }?.recordRead(of: declaration.name, value.content, at: revision)
    }

    /// Announces a read of a snapshot.
    ///
    /// - Parameter old: the values of the snapshot. If the flag has changed since, the code reads the old value.
    func recordRead(_ read: FlagSnapshot.Read, in old: LayerValues) {
        guard announcesReads else { return }
        let declaration: (any AnyFlagDeclaration)? =
            switch read {
            case .flag(let declaration): declaration
            case .text(let key): FlagRegistry.declaration(of: key)
            }
        guard let declaration else { return }
        recordRead(of: declaration) { $0.hasSameTexts(of: declaration.name, as: old) }
    }

    /// Announces that the code was given the new value of one flag, unless the flag has another value now.
    func recordDelivery(of change: FlagChange<String?>, to observed: ObservedFlags) {
        // Code that observes all flags, such as a log of changes, uses none of them.
        guard announcesReads, let declaration = observed.declaration else { return }
        let given = ReadValue(text: change.new, layer: change.layer ?? .default)
        recordRead(of: declaration) { declaration.outcome(in: $0).content == given }
    }

    /// Announces that the code reads a value other than from its slot, and publishes it there: a slot with a value
    /// proves, without a lock, that the read is announced.
    ///
    /// - Parameter isCurrent: whether the code reads the value of a flag among these values. Runs code of the app, and so
    ///   without a lock.
    private func recordRead(of declaration: any AnyFlagDeclaration, if isCurrent: (LayerValues) -> Bool) {
        guard !slots.isPublished(declaration.slot) else { return }
        let contents = contents
        guard isCurrent(contents.values) else { return }
        publish(declaration.publishable(contents.values), of: declaration, at: contents.revision)
    }

    /// Whether the app announces what it reads.
    private var announcesReads: Bool { !presenceFolders.isEmpty && access.isOpen }
}

/// Where a build without overrides announces itself.
struct ClosedPresence {
    let id = PresenceFile.makeID()
    /// The announcements by folder.
    var files: [String: PresenceFile] = [:]
    /// Watches of the folders that were missing when the store was opened, until all exist.
    var watches: [DirectoryWatch] = []
}

// Builds without overrides.
extension FlagStore {
    /// Says how many overrides this build ignores, and where they are. Writes nothing to a folder that no menu has
    /// created: the users of the app have none.
    private func announceIgnoredOverrides() {
        guard let storeFolder else { return }
        let store = OverrideStore(directory: storeFolder, author: "", now: now)
        // The watches of two folders may call this at the same time.
        let (count, errors) = closedPresence.withLock { presence -> (Int, [StorageError]) in
            defer { if presence.files.count == presenceFolders.count { presence.watches = [] } }
            let folders = presenceFolders.filter { presence.files[$0] == nil && DurableFile.hasName($0) }
            guard !folders.isEmpty else { return (0, []) }
            let isFirst = presence.files.isEmpty
            let count = store.read().table.overrides.count
            var errors: [StorageError] = []
            for folder in folders {
                let file = PresenceFile(in: folder, id: presence.id)
                do throws(StorageError) {
                    try file.write(runningApp(id: presence.id, ignoredOverrides: count).text(flags: []))
                    presence.files[folder] = file
                } catch {
                    errors.append(error)
                }
            }
            return (isFirst ? count : 0, errors)
        }
        for error in errors { logger.warning("Menus may not see that \(app) runs: \(error)") }
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
