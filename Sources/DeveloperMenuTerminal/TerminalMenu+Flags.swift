public import DeveloperMenu
import FlagModel
public import FlagStorage
public import Flags

extension TerminalMenu {
    /// The menu of an app on the app's own flags: what is changed in it is in the app at once, and the app's sources are
    /// the ones that it fetches and activates.
    ///
    /// ```swift
    /// try TerminalMenu(flags: flags).run()
    /// ```
    ///
    /// An app with a screen of `TerminalShell` opens it by ``run(on:)`` from one of its effects. Any other app that has a
    /// full screen leaves that first: the terminal's modes are given back as they were found.
    ///
    /// - Parameters:
    ///   - flags: the app's store.
    ///   - preferences: how the menu looks and which keys it has.
    /// - Throws: a `StorageError` with code `refused` where the store lets no overrides in, or keeps none.
    public init(flags: FlagStore, preferences: Preferences = .standard) throws(StorageError) {
        guard let store = flags.menuStore else {
            throw StorageError(
                code: .refused, path: flags.app,
                sentence: "This run of \(flags.app) lets no overrides in, or keeps them in memory only, so there is no "
                    + "menu. See OverrideAccess.")
        }
        let layers = flags.menuLayers
        self.init(
            subject: MenuState.Subject(
                app: flags.app, source: Self.title(of: flags.menuSources.map(\.name)),
                arguments: Self.arguments(flags, store)),
            store: store, remote: RemotePort(flags), commands: AppCommands(flags: flags, store: store).port,
            launch: layers.launch, now: FlagStore.menuClock)
        team = layers.team
        ownPreferences = preferences
        // The store's own watch tells of it too, but not before the app has its screen back.
        onStoreChange = { flags.readOverrides() }
    }

    private static func title(of sources: [String]) -> String {
        guard let first = sources.first else { return "no source" }
        return first + (sources.count > 1 ? " and \(sources.count - 1) more" : "")
    }

    /// What makes `flagmenu` work on the same flags, for the commands that the menu copies.
    private static func arguments(_ flags: FlagStore, _ store: OverrideStore) -> [String] {
        let files = flags.menuSources.map(\.identity).filter { $0.hasPrefix("file:") }
        return files.flatMap { ["--source", String($0.dropFirst("file:".count))] }
            + ["--app", flags.app, "--store", FilePath.folder(of: store.path)]
    }
}

extension RemotePort {
    /// The remote side of an app's own flags. What the menu fetches waits for its activation as ever, and what it
    /// activates is what the app reads from then on.
    init(_ flags: FlagStore) {
        self.init(
            open: { Waiting.answer { await .remoteActivated(Self.news(of: flags)) } },
            fetch: { _ in
                let answer = await Self.fetch(flags)
                return { answer }
            },
            activate: {
                Waiting.answer {
                    await flags.activate()
                    return await .remoteActivated(Self.news(of: flags))
                }
            },
            follow: { onChange in
                let news = flags.layerNews(in: [.remote, .default])
                Task { for await _ in news.signals { onChange() } }
                return { news.end() }
            })
    }

    private static func fetch(_ flags: FlagStore) async -> Event {
        // Whoever presses a key for it wants it now.
        guard !flags.menuSources.isEmpty else { return .remoteHasNoSource }
        let outcome = await flags.fetch(minimumInterval: .zero)
        let reading = await flags.menuReading()
        switch outcome {
        case .failed(let sentence): return .remoteFailed(problems: [sentence])
        case .throttled(let seconds):
            let sentence = "The sources want to be left alone for \(seconds) more seconds; earlier values stay in use."
            return .remoteFetched(
                waitingCount: reading.waitingCount, at: FlagStore.menuClock(), problems: [sentence])
        case .fetchedFromRemote, .usedPreFetched:
            return .remoteFetched(
                waitingCount: reading.waitingCount, at: FlagStore.menuClock(), problems: reading.problems)
        }
    }

    private static func news(of flags: FlagStore) async -> RemoteNews {
        let reading = await flags.menuReading()
        return RemoteNews(
            snapshot: reading.snapshot, fetchedAt: reading.fetchedAt ?? FlagStore.menuClock(),
            problems: reading.problems, remarks: reading.snapshot.problems.map(\.description),
            waitingCount: reading.waitingCount)
    }

    /// What a store says of its remote side; for those who may wait.
    static func reading(of flags: FlagStore) -> MenuReading { Waiting.answer { await flags.menuReading() } }
}
