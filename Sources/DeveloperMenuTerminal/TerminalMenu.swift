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
    private let launch: [String: String]
    private let greeting: String?
    private let now: @Sendable () -> Timestamp

    /// A menu on a store and its remote sources.
    ///
    /// - Parameters:
    ///   - subject: what the title names.
    ///   - store: where overrides are kept.
    ///   - remote: how remote values are read.
    ///   - launch: values of this run alone, which win over everything and are never saved.
    ///   - greeting: a sentence to show at the start.
    ///   - now: the clock that ages are counted by.
    public init(
        subject: MenuState.Subject, store: OverrideStore, remote: RemotePort, launch: [String: String] = [:],
        greeting: String? = nil, now: @escaping @Sendable () -> Timestamp
    ) {
        self.subject = subject
        self.store = store
        self.remote = remote
        self.launch = launch
        self.greeting = greeting
        self.now = now
    }

    /// Opens the menu on standard input and output, and returns when the user leaves.
    ///
    /// - Returns: how it ended.
    /// - Throws: why the terminal cannot show the menu, or that it is gone.
    public func run(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) -> MenuState.Ending {
        let mailbox = Mailbox<Event>()
        let runner = EffectRunner(store: store, remote: remote, mailbox: mailbox)
        let state = MenuState(
            subject: subject, size: Size(columns: 80, rows: 24), charset: TerminalLocale.charset, now: now(),
            launch: launch, greeting: greeting)
        var typeAhead = TypeAhead()
        var watch: DirectoryWatch?
        defer { watch?.cancel() }
        let program = Program<MenuState, Event, Effect>(
            state: state,
            reduce: { state, event in
                // Every event is taken in at its own time, so that ages are right whenever something is drawn.
                _ = state.reduce(.clockRead(now()))
                return typeAhead.release(event).flatMap { state.reduce($0) }
            },
            view: \.screen,
            keyEvent: Event.keyPressed,
            resizeEvent: Event.resized,
            perform: runner.perform,
            isFinished: \.isFinished
        )
        watch = runner.start()
        return try program.run(mailbox: mailbox, options: options).ending ?? .left
    }
}
