import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags
import Synchronization

/// What the menu can open next: documents in the working directory, the project, its sources, and other apps.
final class Openings: Sendable {
    private let options: GlobalOptions
    private let settings: Settings
    /// The runs whose sources were read, the newest last. If the user chose several targets in a row, the next menu may
    /// be of any of them.
    private let prepared = Mutex<[(target: OpenTarget, run: RunStore)]>([])

    init(_ options: GlobalOptions, _ settings: Settings) {
        (self.options, self.settings) = (options, settings)
    }

    /// Returns the newest run that was prepared for `target`, or `nil` if there is none. Removes all prepared runs.
    func claimRun(for target: OpenTarget) -> RunStore? {
        prepared.withLock { prepared in
            defer { prepared = [] }
            return prepared.last { $0.target == target }?.run
        }
    }

    /// Prepares a run by reading the sources of `target`. Returns an error as a sentence if no source has values, else
    /// `nil`.
    @Sendable func prepare(_ target: OpenTarget) -> String? {
        guard target != .newProject else { return nil }
        do throws(CommandFailure) {
            // The user has chosen a source of the project from a list, and has not typed its path.
            if case .source(let name) = target, settings.project?.sources.contains(where: { $0.shown == name }) == true
            {
                try settings(for: .standard).requireTrust(isPrompting: false)
            }
            let run = try RunStore(settings(for: target), isPrompting: false)
            run.flags.openRemote()
            run.fetch(.withoutValues)
            let state = run.flags.remote.current
            if let failure = run.missingValues(in: state) {
                // Remedies that name commands are left out, because the menu offers other sources.
                let reasons = state.sources.compactMap { $0.reason() }
                return reasons.isEmpty ? failure.sentence : reasons.joined(separator: " ")
            }
            prepared.withLock { $0.append((target, run)) }
            return nil
        } catch {
            return error.sentence
        }
    }

    func options(for target: OpenTarget) -> GlobalOptions {
        options.opening(target, settings.environment)
    }

    private func settings(for target: OpenTarget) throws(CommandFailure) -> Settings {
        try Settings(options(for: target).values, environment: settings.environment, registry: settings.registry)
    }
}

// The choices in the menu.
extension Openings {
    @Sendable func choices() -> [OpenChoice] {
        var choices: [OpenChoice] = []
        var stores: Set<String> = []
        func add(_ target: OpenTarget, _ name: String, _ kind: String) {
            guard let chosen = try? settings(for: target) else { return }
            stores.insert(chosen.storeDirectory)
            let app = chosen.app == chosen.appTitle && !chosen.isSample ? "app \(chosen.app)" : nil
            choices.append(choice(target, name, [kind, app, chosen.countedChanges], chosen))
        }
        let sources = settings.project?.sources ?? []
        if settings.project != nil { add(.standard, ProjectFile.name, "project") }
        if sources.count > 1 { for source in sources { add(.source(source.shown), source.title, "its source") } }
        if settings.project == nil, let standard = try? settings(for: .standard), !standard.sources.isEmpty {
            add(.standard, standard.sourceNames.joined(separator: ", "), "FLAGMENU_SOURCE")
        }
        let folder = settings.environment.workingDirectory
        let sourcePaths = Set(sources.compactMap(\.path))
        for name in settings.offeredDocuments where !sourcePaths.contains(FilePath.resolve(name, in: folder)) {
            add(.source(name), name, "document")
        }
        choices += apps(without: stores)
        if settings.project == nil {
            choices.append(OpenChoice(.newProject, name: "init", note: "sets up \(ProjectFile.name)"))
        }
        add(.sample, "built-in sample", "flags to try")
        return choices
    }

    /// The apps that have overrides for this user, unless another choice shows the same store.
    private func apps(without stores: Set<String>) -> [OpenChoice] {
        let names = (try? DurableFile.names(in: FilePath.folder(of: settings.stateDirectory))) ?? []
        return names.sorted().filter(AppFolders.isName).compactMap { app in
            let document = RemoteCache(folder: AppFolders(app: app, settings.environment).cache).lastUsedFile
                .flatMap { (try? DurableFile.exists($0)) == true ? $0 : nil }
            let target = OpenTarget.app(app, document: document)
            // A store outside the app's own folder may be shared by all apps, and is not a choice per app.
            guard let appSettings = try? settings(for: target),
                appSettings.storeDirectory == appSettings.stateDirectory
            else { return nil }
            let isDocument = document.map(AppFolders.app(ofDocument:)) == app
            // A document that is not known cannot be opened, and its id says nothing.
            guard isDocument || !FoundApps.isDocument(app, appSettings.apps), !appSettings.isSample else { return nil }
            let changes = stores.contains(appSettings.storeDirectory) ? nil : appSettings.countedChanges
            let isRunning = !appSettings.apps.read().apps.isEmpty
            // Without a source, only what the code has declared can be shown.
            let hasFlags = appSettings.sources.isEmpty && appSettings.apps.hasAny && app != settings.app
            guard changes != nil || isRunning || hasFlags else { return nil }
            let kind = isDocument ? "document" : isRunning ? "running app" : "app"
            let notes = [kind, changes, isDocument ? nil : "on \(appSettings.sourceTitle)"]
            return choice(target, isDocument ? document ?? app : app, notes, appSettings)
        }
    }

    private func choice(
        _ target: OpenTarget, _ name: String, _ notes: [String?], _ chosen: Settings
    ) -> OpenChoice {
        let note = notes.compactMap { $0 }.joined(separator: ", ")
        return OpenChoice(target, name: name, note: note, isOpen: chosen.opensSame(as: settings))
    }
}

extension Settings {
    /// The changes of the store, counted; `nil` if there are none.
    fileprivate var countedChanges: String? {
        guard let table = (try? RunStore.overrides(of: self))?.read().table, table.changeCount > 0 else { return nil }
        return table.changesCounted
    }

    /// Whether menus with these and the `other` settings show the same flags and overrides.
    fileprivate func opensSame(as other: Settings) -> Bool {
        app == other.app && storeDirectory == other.storeDirectory && defaults == other.defaults
            && sources.map(\.shown) == other.sources.map(\.shown)
    }
}

extension GlobalOptions {
    /// The options for opening `target`: options of the current app and its documents are dropped, general options
    /// stay.
    func opening(_ target: OpenTarget, _ environment: Environment) -> GlobalOptions {
        var options = self
        (options.app, options.store, options.launch, options.sample) = (nil, nil, [], false)
        switch target {
        case .standard, .newProject: (options.source, options.defaults) = ([], nil)
        case .sample: (options.sample, options.source, options.defaults) = (true, [], nil)
        case .source(let name):
            let path = FilePath.typed(name, home: environment.homeDirectory, in: environment.workingDirectory)
            (options.source, options.defaults) = ([name.hasPrefix("~/") ? path : name], nil)
        case .app(let app, let document):
            options.app = app
            if let document { (options.source, options.defaults) = ([document], nil) }
        }
        return options
    }
}
