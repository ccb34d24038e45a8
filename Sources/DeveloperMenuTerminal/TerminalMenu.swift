public import DeveloperMenu
public import FlagModel
public import FlagStorage
public import TerminalShell
import TerminalUI

/// The developer menu in the terminal, as one call.
public struct TerminalMenu {
    private let subject: MenuState.Subject
    private let store: OverrideStore
    private let remote: RemotePort
    private let commands: CommandPort
    private let launch: [String: String]
    private let greeting: String?
    private let preferences: PreferencesPort?
    private let session: SessionPort?
    private let editing: EditingFolder?
    private let now: @Sendable () -> Timestamp
    /// Overrides that a team shares, below those of the store.
    var team: [String: String] = [:]
    /// Preferences of the app that the menu is a part of, where it reads no file of them.
    var ownPreferences: Preferences?
    /// Called when the menu has changed the store, and when it is left: the app that it is a part of reads it then.
    var onStoreChange: @Sendable () -> Void = {}

    /// A menu on a store and its remote sources.
    ///
    /// - Parameters:
    ///   - subject: what the title names.
    ///   - store: where overrides are kept.
    ///   - remote: how remote values are read.
    ///   - commands: what the menu does by the same code as commands.
    ///   - launch: values of this run alone, which win over everything and are never saved.
    ///   - greeting: a sentence to show at the start.
    ///   - preferences: how preferences are read; those that come with the menu where there is none.
    ///   - session: how the arrangement of the list is kept; not at all where there is none.
    ///   - editing: the folder for values in the user's own editor, swept at the start; the system's temporary one where
    ///     there is none.
    ///   - now: the clock that ages are counted by.
    public init(
        subject: MenuState.Subject, store: OverrideStore, remote: RemotePort, commands: CommandPort,
        launch: [String: String] = [:], greeting: String? = nil, preferences: PreferencesPort? = nil,
        session: SessionPort? = nil, editing: EditingFolder? = nil, now: @escaping @Sendable () -> Timestamp
    ) {
        self.subject = subject
        self.store = store
        self.remote = remote
        self.commands = commands
        self.launch = launch
        self.greeting = greeting
        self.preferences = preferences
        self.session = session
        self.editing = editing
        self.now = now
    }

    /// Opens the menu on standard input and output, and returns when the user leaves.
    ///
    /// - Returns: how it ended, and what there is to say once the screen is given back.
    /// - Throws: why the terminal cannot show the menu, that it is gone, or that a signal ended the menu, where that does
    ///   not end the process.
    public func run(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) -> MenuEnd {
        try run { program, mailbox throws(TerminalError) in
            try program.run(mailbox: mailbox, options: options)
        }
    }

    /// Opens the menu on the screen of a program that is in the middle of an effect, and returns when the user leaves. The
    /// program draws its own frame again by itself.
    ///
    /// - Parameter terminal: what the program's effect was handed.
    /// - Returns: how it ended.
    /// - Throws: that the terminal is gone, that a signal has asked for an end, which the program around it sees as well,
    ///   or that this has no screen.
    public func run(on terminal: TerminalControl) throws(TerminalError) -> MenuEnd {
        try run { program, mailbox throws(TerminalError) in try program.run(mailbox: mailbox, on: terminal) }
    }

    private func run(
        _ show: (Program<MenuState, Event, Effect>, Mailbox<Event>) throws(TerminalError) -> MenuState
    ) throws(TerminalError) -> MenuEnd {
        let mailbox = Mailbox<Event>()
        let runner = startRunner(mailbox)
        let keeper = session.map(SessionKeeper.init)
        var typeAhead = TypeAhead()
        var firstEvents = self.firstEvents
        let finish = {
            runner.stop()
            keeper?.finish()
            onStoreChange()
        }
        let program = Program<MenuState, Event, Effect>(
            state: opened,
            reduce: { state, event in
                // Every event is taken in at its own time, so that ages are right whenever something is drawn.
                _ = state.reduce(.clockRead(now()))
                let events = firstEvents + typeAhead.release(event)
                firstEvents = []
                defer { keeper?.note(state) }
                return events.flatMap { state.reduce($0) }
            },
            view: \.screen,
            keyEvent: Event.keyPressed,
            resizeEvent: Event.resized,
            backgroundEvent: Event.backgroundDetected,
            perform: runner.perform,
            isFinished: \.isFinished,
            isReady: { $0.remote != .loading },
            finish: finish
        )
        defer { finish() }
        let last = try show(program, mailbox)
        return MenuEnd(ending: last.ending ?? .left, lastingOverrides: last.lastingOverrides)
    }

    /// Opens the menu in lines on standard input and output, and returns when the user leaves or the input ends.
    ///
    /// - Returns: how it ended.
    /// - Throws: that nobody listens any more, or that a signal ended the menu, where that does not end the process.
    public func runInLines() throws(TerminalError) -> MenuEnd {
        let terminal = try LineTerminal()
        // Last of all, as the signal that asked for an end takes effect with it.
        defer { terminal.leave() }
        let mailbox = Mailbox<Event>()
        guard mailbox.descriptor >= 0 else { throw TerminalError(.cannotStart) }
        let runner = startRunner(mailbox)
        let keeper = session.map(SessionKeeper.init)
        defer {
            runner.stop()
            keeper?.finish()
            onStoreChange()
        }
        var menu = LinearMenu(
            opened, mailbox: mailbox, runner: runner, terminal: terminal, keeper: keeper, now: now)
        // The talk itself ends with what stays in force.
        do throws(TerminalError) {
            return MenuEnd(ending: try menu.run(after: firstEvents), lastingOverrides: nil)
        } catch {
            PendingWork.finish()
            throw error
        }
    }

    /// The menu that has read nothing yet; the terminal tells its size first thing.
    private var opened: MenuState {
        MenuState(
            subject: subject, size: Size(columns: 80, rows: 24), charset: TerminalLocale.charset, now: now(),
            launch: launch, team: team, greeting: greeting)
    }

    /// Taken in before anything else, so that the first frame is drawn as it is to be.
    private var firstEvents: [Event] {
        let own = ownPreferences.map { Event.preferencesRead($0, problems: []) }
        return [preferences?.first ?? own, session?.restored].compactMap { $0 }
    }

    func startRunner(_ mailbox: Mailbox<Event>) -> EffectRunner {
        let runner = EffectRunner(
            store: store, remote: remote, commands: commands, mailbox: mailbox, preferences: preferences,
            editing: editing, onStoreChange: onStoreChange)
        runner.start(at: now())
        return runner
    }
}
