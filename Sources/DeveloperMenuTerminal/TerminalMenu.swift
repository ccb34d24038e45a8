package import DeveloperMenu
import Dispatch
import FlagModel
public import FlagQueries
import FlagRemote
public import FlagStorage
public import Flags
public import TerminalShell
import TerminalUI

/// The developer menu of a store in the terminal. The menu saves overrides in the store immediately, and can fetch the
/// store's sources and activate their values.
///
/// ```swift
/// try TerminalMenu(flags: flags).run()
/// ```
public struct TerminalMenu {
    private let flags: FlagStore
    private let store: OverrideStore
    private let target: MenuTarget
    private let settings: MenuSettings
    /// The preferences that an app passes to its menu instead of a configuration file; `nil` in `flagmenu`.
    private let appPreferences: Preferences?

    /// The maximum time that keys wait for the first flags: a slow source must not block the menu.
    private static let typeAheadLimit = DispatchTimeInterval.milliseconds(500)

    /// Creates a menu in an app for the flags of this app.
    ///
    /// An app whose screen is a `Program` of `TerminalShell` opens the menu with ``run(on:)`` in one of its effects.
    /// Any other app must leave its full screen before it opens the menu. The menu restores the terminal's modes when
    /// it closes.
    ///
    /// - Parameters:
    ///   - flags: the app's store.
    ///   - preferences: the appearance of the menu and its keys.
    /// - Throws: a `StorageError` with code `refused` if the store's overrides are closed or not saved.
    public init(flags: FlagStore, preferences: Preferences = .standard) throws(StorageError) {
        guard let store = flags.overrideStore else {
            throw StorageError(
                code: .refused, path: flags.app,
                sentence: "This run of \(flags.app) does not allow overrides, or keeps them in memory only, so it "
                    + "has no menu. See OverrideAccess.")
        }
        var settings = MenuSettings(reports: MenuReports(flags, store))
        settings.presenceFolders = flags.presenceFolder.map { [$0] } ?? []
        self.init(
            flags: flags, store: store,
            target: MenuTarget(
                app: flags.app, source: Self.title(of: flags.remote.configured.map(\.name)),
                arguments: Self.arguments(flags, store)),
            settings: settings, appPreferences: preferences)
    }

    /// Creates a menu for a store.
    ///
    /// - Parameters:
    ///   - flags: the store; it may not have been read yet.
    ///   - store: the store for overrides.
    ///   - target: the names in the title.
    ///   - settings: the other settings.
    package init(
        flags: FlagStore, store: OverrideStore, target: MenuTarget, settings: MenuSettings,
        appPreferences: Preferences? = nil
    ) {
        (self.flags, self.store, self.target) = (flags, store, target)
        (self.settings, self.appPreferences) = (settings, appPreferences)
    }

    /// The name of several sources together, such as `remote.json and 2 more`.
    package static func title(of sources: [String]) -> String {
        guard let first = sources.first else { return "no source" }
        return first + (sources.count > 1 ? " and \(sources.count - 1) more" : "")
    }

    /// The options with which `flagmenu` works on the same flags. The menu adds them to the commands that it copies.
    private static func arguments(_ flags: FlagStore, _ store: OverrideStore) -> [String] {
        let files = flags.remote.configured.compactMap(\.identity.path)
        return files.flatMap { ["--source", $0] }
            + ["--app", flags.app, "--store", FilePath.folder(of: store.path)]
    }

    /// Opens the menu on standard input and output, and returns when the user leaves.
    ///
    /// - Returns: how the menu ended, and a sentence to print after the screen is restored.
    /// - Throws: an error if the terminal cannot show the menu or was closed, or if a signal ended the menu but not the
    ///   process.
    public func run(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) -> MenuEnd {
        try run(options) { _ in nil }
    }

    /// Opens the menu, and then the menus that follow on the same screen.
    ///
    /// - Parameter next: returns the menu to open after a menu has ended; `nil` for none.
    /// - Returns: how the last menu ended.
    package func run(
        _ options: TerminalOptions, followedBy next: (MenuEnd) -> TerminalMenu?
    ) throws(TerminalError) -> MenuEnd {
        var open = OpenMenu(self)
        defer { open.finish() }
        let (program, mailbox) = (open.program, open.mailbox)
        let last = try program.run(mailbox: mailbox, options: options) { last in
            guard let menu = next(MenuEnd(last)) else { return nil }
            open.finish()
            open = OpenMenu(menu, typeAhead: last.typeAhead)
            return (open.program, open.mailbox)
        }
        return MenuEnd(last)
    }

    /// Opens the menu on the screen of a program that is running an effect, and returns when the user leaves the menu.
    /// The program then redraws its frame by itself.
    ///
    /// - Parameter terminal: the terminal from the program's effect.
    /// - Returns: how the menu ended.
    /// - Throws: an error if the terminal was closed, if there is no screen, or if a signal has requested the end of
    ///   the process. The program also handles this signal.
    public func run(on terminal: TerminalControl) throws(TerminalError) -> MenuEnd {
        let open = OpenMenu(self)
        defer { open.finish() }
        return MenuEnd(try open.program.run(mailbox: open.mailbox, on: terminal))
    }

    /// A menu on a screen, including its main loop.
    private struct OpenMenu {
        let mailbox = Mailbox<Event>()
        let program: Program<MenuState, Event, Effect>
        /// Ends the background work of the menu.
        let finish: () -> Void

        /// - Parameter typeAhead: the keys that were typed for this menu before it was opened.
        init(_ menu: TerminalMenu, typeAhead: [KeyPress] = []) {
            let (mailbox, flags) = (mailbox, menu.flags)
            let runner = menu.startRunner(mailbox)
            let keeper = menu.settings.session.map(SessionKeeper.init)
            var firstEvents = menu.firstEvents(keeper) + typeAhead.map(Event.key)
            finish = {
                runner.stop()
                keeper?.finish()
                flags.readOverrides()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + TerminalMenu.typeAheadLimit) {
                mailbox.post(.terminal(.typeAheadEnded))
            }
            program = Program(
                state: menu.opened(TerminalLocale.screenCharset),
                reduce: { state, event in
                    let events = firstEvents + [event]
                    firstEvents = []
                    defer { keeper?.scheduleSave(of: state) }
                    // Each event has its own time, so that each frame shows correct ages.
                    return events.flatMap { state.reduce($0, at: flags.now()) }
                },
                view: \.screen,
                keyEvent: Event.key,
                resizeEvent: { .terminal(.resized($0)) },
                backgroundEvent: { .terminal(.backgroundDetected($0)) },
                idleEvent: .terminal(.minutePassed),
                perform: runner.perform,
                isFinished: \.isFinished,
                isReady: \.isReadyToShow,
                finish: finish
            )
        }
    }

    /// Opens the menu in line mode on standard input and output, and returns when the user leaves or the input ends.
    ///
    /// - Parameter next: returns the menu to open after a menu has ended; `nil` for none.
    /// - Returns: how the last menu ended.
    /// - Throws: an error if the output is closed, or if a signal ended the menu but not the process.
    package func runInLines(followedBy next: (MenuEnd) -> TerminalMenu?) throws(TerminalError) -> MenuEnd {
        let terminal = try LineTerminal()
        // Runs after all other cleanup: if a signal has requested the end, this call ends the process.
        defer { terminal.leave() }
        var end = try runInLines(on: terminal)
        while let menu = next(end) { end = try menu.runInLines(on: terminal) }
        return end
    }

    /// Opens the menu in line mode, and returns when the user leaves or the input ends.
    ///
    /// - Returns: how the menu ended.
    /// - Throws: an error if the output is closed, or if a signal ended the menu but not the process.
    public func runInLines() throws(TerminalError) -> MenuEnd { try runInLines { _ in nil } }

    private func runInLines(on terminal: LineTerminal) throws(TerminalError) -> MenuEnd {
        let mailbox = Mailbox<Event>()
        guard mailbox.descriptor >= 0 else { throw .cannotStart }
        let runner = startRunner(mailbox)
        let keeper = settings.session.map(SessionKeeper.init)
        defer {
            runner.stop()
            keeper?.finish()
            flags.readOverrides()
        }
        var menu = LineModeMenu(
            state: opened(TerminalLocale.outputCharset), mailbox: mailbox, runner: runner, terminal: terminal,
            keeper: keeper,
            now: flags.now)
        // The session prints the overrides that stay active, so they are not returned.
        do throws(TerminalError) {
            return MenuEnd(ending: try menu.run(after: firstEvents(keeper)), lastingOverrides: nil)
        } catch {
            PendingWork.finish()
            throw error
        }
    }

    /// The state of a menu that has not read anything yet. The terminal's first event reports the real size.
    private func opened(_ charset: Charset) -> MenuState {
        MenuState(
            target: target, size: Size(columns: 80, rows: 24), charset: charset, now: flags.now(),
            layers: flags.contents.menuLayers, team: flags.team?.source.address, greeting: settings.greeting,
            opensOthers: settings.opening != nil)
    }

    /// The events to handle before the first frame, so that this frame has the right preferences and arrangement.
    private func firstEvents(_ keeper: SessionKeeper?) -> [Event] {
        let reading = settings.preferences?.first ?? appPreferences.map { ($0, []) }
        let offer: Event? = settings.opening?.isOffered == true ? .settings(.openOffered) : nil
        return [reading.map(PreferencesPort.event), keeper?.event, offer].compactMap { $0 }
    }

    func startRunner(_ mailbox: Mailbox<Event>) -> EffectRunner {
        let runner = EffectRunner(flags, store, settings, source: target.source, mailbox: mailbox)
        runner.start(at: flags.now())
        return runner
    }
}
