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
    /// Whether the menu begins with what can be opened, because nothing says which flags are meant.
    private let isChoosing: Bool

    /// The first menu.
    ///
    /// - Parameters:
    ///   - isFresh: whether to show all flags rather than restore the last session.
    ///   - isInteractive: whether the user can choose what to open.
    init(_ options: GlobalOptions, isFresh: Bool, isInteractive: Bool) throws(CommandFailure) {
        let settings = try Settings(options)
        if !isInteractive { try settings.requireFlags() }
        self.init(options, try RunStore(settings), isFresh: isFresh, greeting: Self.greeting(settings))
    }

    private init(_ options: GlobalOptions, _ run: RunStore, isFresh: Bool = false, greeting: String?) {
        let settings = run.settings
        self.run = run
        openings = Openings(options, settings)
        isChoosing = settings.hasNothing
        var menu = MenuSettings(reports: MenuReports(run))
        menu.greeting = greeting
        menu.preferences = settings.liveConfiguration.port
        menu.session = isChoosing ? nil : SessionFile(settings).port(isFresh: isFresh)
        menu.opening = openings.port
        menu.opening?.isOffered = isChoosing
        menu.editing = EditingFolder(FilePath.join(settings.stateDirectory, "editing"))
        menu.startFetch = .withoutResponse
        menu.isOpeningStore = true
        menu.presenceFolders = settings.presenceFolders
        menu.isReadOnly = { settings.readOnlyReason != nil }
        self.menu = TerminalMenu(
            flags: run.flags, store: run.store,
            target: MenuState.Target(
                app: settings.appTitle, source: run.sourceTitle, arguments: options.arguments(settings)),
            settings: menu)
    }

    /// The menu that follows this menu on the same screen; `nil` if none follows, or the screen must be restored first.
    func next(after end: MenuEnd) -> RunMenu? {
        guard case .reopened(let target) = end.ending, let prepared = openings.take(target) else { return nil }
        var greeting = prepared.run.settings.earlierOverridesOnce()
        if greeting == nil, isChoosing, case .source(let name) = target {
            greeting =
                "flagmenu --source \(ShellCommand.word(name)) opens this directly; flagmenu init makes it the default."
        }
        return RunMenu(prepared.options, prepared.run, greeting: greeting)
    }

    /// The message at the start.
    private static func greeting(_ settings: Settings) -> String? {
        if let warning = settings.project?.warnings.first { return warning }
        if settings.hasNothing { return "Choose what to open." }
        if let reason = settings.foundAppReason {
            return "\(reason) flagmenu --app \(ShellCommand.word(settings.app)) opens it directly."
        }
        if settings.isSample {
            return "This is the built-in sample. :open, or flagmenu --source FILE, opens yours."
        }
        return settings.earlierOverridesOnce()
    }
}
