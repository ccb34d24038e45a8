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
        guard access.isOpen else { return announceIgnoredOverrides() }
        let announcer = PresenceAnnouncer(runningApp(), in: presenceFolders) { [logger, app] error in
            logger.warning("Menus may not see that \(app) runs: \(error)")
        }
        let withdrawn = state.withLock { state in
            state.announcer = announcer
            // What was read before counts as read when it is read again.
            return state.readFlags.keys.compactMap { slots.withdraw($0) }
        }
        withExtendedLifetime(withdrawn) {}
        let observation = observe(begin: { announcer.begin(with: $0) }) { announcer.receive($0) }
        state.withLock { $0.announcing = observation }
    }

    /// Ends the announcement: the process counts as ended.
    func endPresence() {
        let (announcer, observation, closed) = state.withLock { state in
            defer { state.closedPresence = [] }
            return (state.announcer.take(), state.announcing.take(), state.closedPresence)
        }
        observation?.cancel()
        announcer?.end()
        for file in closed { file.end() }
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

    /// Publishes a value that the code reads to later readers, and announces and reports the read. If the contents have
    /// changed meanwhile, the value is right for this reader, but may be too old for later ones.
    ///
    /// - Parameter contents: the contents with the value.
    func publish<Value>(
        _ resolution: FlagResolution<Value>, of declaration: FlagDeclaration<Value>, in contents: StoreContents
    ) {
        let (replaced, isFirst, announcer) = state.withLock { state -> ((any Sendable)?, Bool, PresenceAnnouncer?) in
            guard state.contents.revision == contents.revision else { return (nil, false, state.announcer) }
            let isFirst = state.readFlags.updateValue(declaration, forKey: declaration.slot) == nil
            return (slots.publish(resolution.value, at: declaration.slot), isFirst, state.announcer)
        }
        withExtendedLifetime(replaced) {}
        if isFirst, let issue = FlagRegistry.issue(of: declaration.name) { logger.warning("\(issue)") }
        announcer?.recordRead(of: declaration.name, resolution.content, at: contents.revision)
        report(resolution, of: declaration, in: contents.values)
    }

    /// Announces a read of a snapshot.
    ///
    /// - Parameter old: the values of the snapshot. If the flag has changed since, the code reads the old value.
    func recordRead(of flag: ObservedFlags, in old: LayerValues) {
        recordRead(of: flag) { $1.hasSameTexts(of: $0.name, as: old) }
    }

    /// Announces that the code was given the new value of one flag, unless the flag has another value now.
    func recordDelivery(of change: FlagChange<String?>, to observed: ObservedFlags) {
        let given = ReadValue(text: change.new, layer: change.layer ?? .default)
        recordRead(of: observed) { $0.outcome(in: $1).content == given }
    }

    /// Announces that the code reads a value other than from its slot, and publishes it there: a slot with a value
    /// proves, without a lock, that the read is announced.
    ///
    /// - Parameter isCurrent: whether the code reads the value of a flag among these values. Runs code of the app, and so
    ///   without a lock.
    private func recordRead(of flag: ObservedFlags, if isCurrent: (any AnyFlagDeclaration, LayerValues) -> Bool) {
        // Code that observes all flags, such as a log of changes, uses none of them.
        guard !presenceFolders.isEmpty && access.isOpen || hasHandlers, !isReporting,
            let declaration = flag.declaration, !slots.isPublished(declaration.slot)
        else { return }
        let contents = contents
        if isCurrent(declaration, contents.values) { declaration.publish(contents, in: self) }
    }
}

// Builds without overrides.
extension FlagStore {
    /// Says how many overrides this build ignores, and where they are. Looks once, at the opening: such a build starts no
    /// thread and watches nothing. Writes nothing to a folder that no menu has created: the users of the app have none.
    private func announceIgnoredOverrides() {
        let folders = presenceFolders.filter(DurableFile.hasName)
        guard let storeFolder, !folders.isEmpty else { return }
        let store = OverrideStore(directory: storeFolder, author: "", now: now)
        let count = store.read().table.overrides.count
        let id = PresenceFile.makeID()
        let files = folders.map { PresenceFile(in: $0, id: id) }
        for file in files {
            do throws(StorageError) {
                try file.write(runningApp(id: id, ignoredOverrides: count).text(flags: []))
            } catch {
                logger.warning("Menus may not see that \(app) runs: \(error)")
            }
        }
        state.withLock { $0.closedPresence = files }
        guard count > 0 else { return }
        logger.notice(
            "\(app) ignores \(count.counted("override")) in \(store.path): this build does not use overrides. See OverrideAccess."
        )
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
