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
    /// Whether choices are offered, as the user named nothing.
    private let isOffering: Bool

    /// The first menu.
    ///
    /// - Parameters:
    ///   - isFresh: whether to show all flags rather than restore the last session.
    ///   - isInteractive: whether choices can be offered.
    init(_ options: GlobalOptions, isFresh: Bool, isInteractive: Bool) throws(CommandFailure) {
        let settings = try Settings(options)
        let document =
            settings.isSample ? ReadableDocuments.first(in: settings.environment.workingDirectory) : nil
        // Naming an app or a store folder selects it, whatever document it is opened on.
        let isOffering =
            isInteractive && document != nil && settings.project == nil && options.app == nil && options.store == nil
        self.init(
            options, try RunStore(settings), isFresh: isFresh, isOffering: isOffering,
            greeting: Self.greeting(settings, document, isOffering: isOffering))
    }

    private init(
        _ options: GlobalOptions, _ run: RunStore, isFresh: Bool = false, isOffering: Bool = false,
        greeting: String? = nil
    ) {
        let settings = run.settings
        self.run = run
        openings = Openings(options, settings)
        self.isOffering = isOffering
        var menu = MenuSettings(reports: MenuReports(run))
        menu.greeting = greeting
        menu.preferences = settings.followed.port
        menu.session = SessionFile(settings).port(isFresh: isFresh)
        menu.opening = openings.port
        menu.opening?.isOffered = isOffering
        menu.editing = EditingFolder(FilePath.join(settings.stateDirectory, "editing"))
        menu.startFetch = .unanswered
        menu.isOpeningStore = true
        menu.isReadOnly = { settings.readOnlyRefusal != nil }
        self.menu = TerminalMenu(
            flags: run.flags, store: run.store,
            subject: MenuState.Subject(
                app: settings.app, source: run.sourceTitle, needsSource: true, arguments: options.arguments(settings)),
            settings: menu)
    }

    /// The menu that follows this one; `nil` if it has ended, or the screen must be left first.
    func next(after left: MenuEnd) -> RunMenu? {
        guard case .reopened(let target) = left.ending, let prepared = openings.take(target) else { return nil }
        var greeting: String?
        if isOffering, case .source(let name) = target {
            greeting = "flagmenu --source \(ShellCommand.word(name)) opens this directly, flagmenu init saves it."
        }
        return RunMenu(prepared.options, prepared.run, greeting: greeting)
    }

    private static func greeting(_ settings: Settings, _ document: String?, isOffering: Bool) -> String? {
        if let remark = settings.project?.remarks.first { return remark }
        guard settings.isSample else { return nil }
        guard let document else {
            return "This is the built-in sample. :open, or flagmenu --source FILE, opens yours."
        }
        if isOffering { return "This folder has documents to open. Until then, this is the built-in sample." }
        let word = ShellCommand.word(document)
        return "This is the built-in sample. flagmenu --source \(word) opens the document here, flagmenu init saves it."
    }
}
