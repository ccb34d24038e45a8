import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import Synchronization

/// What else the menu of a run can be opened on: documents of the folder, the project and its sources, other apps.
final class Openings: Sendable {
    private let options: GlobalOptions
    private let settings: Settings
    /// What was read and can be shown, the newest last. If several were chosen in a row, the menu may end with any of
    /// them.
    private let prepared = Mutex<[Prepared]>([])

    /// A run that has read its sources.
    struct Prepared: Sendable {
        let target: OpenTarget
        let options: GlobalOptions
        let run: RunStore
    }

    init(_ options: GlobalOptions, _ settings: Settings) {
        (self.options, self.settings) = (options, settings)
    }

    /// The port for the menu.
    var port: OpenPort { OpenPort(choices: choices, prepare: prepare) }

    /// What follows the menu that has ended for it.
    func take(_ target: OpenTarget) -> Prepared? {
        prepared.withLock { prepared in
            defer { prepared = [] }
            return prepared.last { $0.target == target }
        }
    }

    @Sendable private func prepare(_ target: OpenTarget) -> String? {
        guard target != .newProject else { return nil }
        do throws(CommandFailure) {
            let run = try RunStore(settings(for: target), isAsking: false)
            run.flags.openRemote()
            run.fetch(.unknown)
            if let reason = reason(againstShowing: run) { return reason }
            prepared.withLock { $0.append(Prepared(target: target, options: options(for: target), run: run)) }
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Why a run has nothing to show; `nil` if it has.
    private func reason(againstShowing run: RunStore) -> String? {
        let state = run.flags.remote.current
        do throws(CommandFailure) {
            try run.requireValues(in: state)
            return nil
        } catch {
            // Without the remedies of a command, as another source is a key away.
            let reasons = state.sources.compactMap { $0.reason() }
            return reasons.isEmpty ? error.sentence : reasons.joined(separator: " ")
        }
    }

    private func options(for target: OpenTarget) -> GlobalOptions {
        options.opening(target, settings.environment)
    }

    private func settings(for target: OpenTarget) throws(CommandFailure) -> Settings {
        try Settings(options(for: target), environment: settings.environment, registry: settings.registry)
    }
}

// The choices.
extension Openings {
    @Sendable private func choices() -> [OpenChoice] {
        var choices = Choices(open: settings)
        func add(_ target: OpenTarget, _ name: String, _ kind: String) {
            if let other = try? settings(for: target) { choices.add(target, name, kind, other) }
        }
        let sources = settings.project?.sources ?? []
        if settings.project != nil { add(.standard, ProjectFile.name, "project") }
        if sources.count > 1 { for source in sources { add(.source(source.shown), source.title, "its source") } }
        let folder = settings.environment.workingDirectory
        let known = Set(sources.compactMap(\.path))
        for name in ReadableDocuments.names(in: folder) where !known.contains(FilePath.join(folder, name)) {
            add(.source(name), name, "document")
        }
        if settings.project == nil {
            if let other = try? settings(for: .standard) {
                choices.add(
                    .standard, other.sourceNames.joined(separator: ", "),
                    other.isSample ? "flags to try" : "FLAGMENU_SOURCE", other)
            }
            choices.all.append(
                OpenChoice(.newProject, name: "init", note: "sets up \(ProjectFile.name)"))
        }
        addApps(to: &choices)
        return choices.all
    }

    /// The apps that have overrides here, unless a choice above shows those.
    private func addApps(to choices: inout Choices) {
        let names = (try? DurableFile.names(in: FilePath.folder(of: settings.stateDirectory))) ?? []
        for app in names.sorted() where AppFolders.isName(app) {
            let document = RemoteCache(folder: AppFolders(app: app, settings.environment).cache).newestFile
                .flatMap { (try? DurableFile.exists($0)) == true ? $0 : nil }
            let target = OpenTarget.app(app, document: document)
            // If all apps share a store there is nothing to choose.
            guard let other = try? settings(for: target), other.storeDirectory == other.stateDirectory else { continue }
            choices.addApp(target, app, other)
        }
    }

    private struct Choices {
        let open: Settings
        var all: [OpenChoice] = []
        private var stores: Set<String> = []

        init(open: Settings) { self.open = open }

        mutating func add(_ target: OpenTarget, _ name: String, _ kind: String, _ other: Settings) {
            stores.insert(other.storeDirectory)
            let count = overrideCount(other)
            let note = [kind, "app \(other.app)", count > 0 ? count.counted("override") : nil].compactMap { $0 }
            all.append(
                OpenChoice(target, name: name, note: note.joined(separator: ", "), isOpen: other.opensSame(as: open)))
        }

        mutating func addApp(_ target: OpenTarget, _ app: String, _ other: Settings) {
            let count = stores.contains(other.storeDirectory) ? 0 : overrideCount(other)
            guard count > 0 else { return }
            let source = TerminalMenu.title(of: other.isSample ? other.sourceNames : other.sources.map(\.title))
            all.append(
                OpenChoice(
                    target, name: app, note: "app, \(count.counted("override")), on \(source)",
                    isOpen: other.opensSame(as: open)))
        }

        private func overrideCount(_ other: Settings) -> Int {
            RunStore.overrides(of: other).read().table.overrides.count
        }
    }
}

extension Settings {
    /// Whether a menu with these settings shows the same flags and overrides.
    fileprivate func opensSame(as other: Settings) -> Bool {
        app == other.app && storeDirectory == other.storeDirectory && defaults == other.defaults
            && sources.map(\.shown) == other.sources.map(\.shown)
    }
}

extension GlobalOptions {
    /// The options of a command that opens something else: those of the app and its documents are dropped, the user's
    /// general ones stay.
    func opening(_ target: OpenTarget, _ environment: Environment) -> GlobalOptions {
        var options = self
        (options.app, options.store, options.launch) = (nil, nil, [])
        switch target {
        case .standard, .newProject: (options.source, options.defaults) = ([], nil)
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
