import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagStorage

/// The menu of a run.
struct RunMenu {
    let run: RunStore
    let menu: TerminalMenu
    private let openings: Openings
    /// Whether the menu offers documents at the start, because the user has named none.
    private let offersDocuments: Bool

    /// The first menu.
    ///
    /// - Parameters:
    ///   - isFresh: whether to show all flags rather than restore the last session.
    ///   - isInteractive: whether the menu can offer documents.
    init(_ options: GlobalOptions, isFresh: Bool, isInteractive: Bool) throws(CommandFailure) {
        let settings = try Settings(options)
        let document =
            settings.isSample ? ReadableDocuments.first(in: settings.environment.workingDirectory) : nil
        // If the user has named an app or a store, that app or store is opened, and no documents are offered.
        let offersDocuments =
            isInteractive && document != nil && settings.project == nil && options.app == nil && options.store == nil
        self.init(
            options, try RunStore(settings), isFresh: isFresh, offersDocuments: offersDocuments,
            greeting: Self.greeting(settings, document, offersDocuments: offersDocuments))
    }

    private init(
        _ options: GlobalOptions, _ run: RunStore, isFresh: Bool = false, offersDocuments: Bool = false,
        greeting: String? = nil
    ) {
        let settings = run.settings
        self.run = run
        openings = Openings(options, settings)
        self.offersDocuments = offersDocuments
        var menu = MenuSettings(reports: MenuReports(run))
        menu.greeting = greeting
        menu.preferences = settings.liveConfiguration.port
        menu.session = SessionFile(settings).port(isFresh: isFresh)
        menu.opening = openings.port
        menu.opening?.isOffered = offersDocuments
        menu.editing = EditingFolder(FilePath.join(settings.stateDirectory, "editing"))
        menu.startFetch = .withoutResponse
        menu.isOpeningStore = true
        menu.presenceFolders = settings.presenceFolders
        menu.isReadOnly = { settings.readOnlyReason != nil }
        self.menu = TerminalMenu(
            flags: run.flags, store: run.store,
            target: MenuState.Target(
                app: settings.app, source: run.sourceTitle, arguments: options.arguments(settings)),
            settings: menu)
    }

    /// The menu that follows this menu on the same screen; `nil` if none follows, or the screen must be restored first.
    func next(after end: MenuEnd) -> RunMenu? {
        guard case .reopened(let target) = end.ending, let prepared = openings.take(target) else { return nil }
        var greeting: String?
        if offersDocuments, case .source(let name) = target {
            greeting =
                "flagmenu --source \(ShellCommand.word(name)) opens this directly; flagmenu init makes it the default."
        }
        return RunMenu(prepared.options, prepared.run, greeting: greeting)
    }

    /// The message at the start: a warning about the project file, or how to open a document.
    private static func greeting(_ settings: Settings, _ document: String?, offersDocuments: Bool) -> String? {
        if let warning = settings.project?.warnings.first { return warning }
        if settings.isAppFound {
            return
                "\(settings.app) has its flags in code. flagmenu --app \(ShellCommand.word(settings.app)) opens it directly."
        }
        guard settings.isSample else { return nil }
        let apps = settings.unnamedApps
        if !apps.isEmpty {
            return "This is the built-in sample, not one of the running apps \(apps.joined(separator: ", ")). "
                + ":open opens one of them."
        }
        guard let document else {
            return "This is the built-in sample. :open, or flagmenu --source FILE, opens yours."
        }
        if offersDocuments { return "This is the built-in sample. Choose a document of this folder to open it." }
        let word = ShellCommand.word(document)
        return
            "This is the built-in sample. flagmenu --source \(word) opens the document here; flagmenu init makes it the default."
    }
}
