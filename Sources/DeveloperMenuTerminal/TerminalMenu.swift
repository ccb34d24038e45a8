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
public struct TerminalMenu: Sendable {
    let flags: FlagStore
    let store: OverrideStore
    let target: MenuTarget
    let settings: MenuSettings

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
        guard let store = flags.overrides else {
            throw StorageError(
                code: .refused, path: flags.app,
                sentence: "This run of \(flags.app) does not allow overrides, or keeps them in memory only, so it "
                    + "has no menu. See OverrideAccess.")
        }
        var settings = MenuSettings(flags, store)
        settings.appPreferences = preferences
        let sources = flags.remote.configured
        // The options with which `flagmenu` works on the same flags.
        let arguments =
            sources.compactMap(\.identity.path).flatMap { ["--source", $0] }
            + ["--app", flags.app, "--store", FilePath.folder(of: store.path)]
        self.init(
            flags: flags, store: store,
            target: MenuTarget(app: flags.app, source: Self.title(of: sources.map(\.name)), arguments: arguments),
            settings: settings)
    }

    /// Creates a menu for a store.
    ///
    /// - Parameters:
    ///   - flags: the store; it may not have been read yet.
    ///   - store: the store for overrides.
    ///   - target: the names in the title.
    ///   - settings: the other settings.
    package init(flags: FlagStore, store: OverrideStore, target: MenuTarget, settings: MenuSettings) {
        (self.flags, self.store, self.target, self.settings) = (flags, store, target, settings)
    }

    /// The name of several sources together, such as `remote.json and 2 more`.
    package static func title(of sources: [String]) -> String {
        guard let first = sources.first else { return "no source" }
        return first + (sources.count > 1 ? " and \(sources.count - 1) more" : "")
    }

    /// Opens the menu on standard input and output, and returns when the user leaves.
    ///
    /// - Parameter next: returns the menu to open on the same screen after a menu has ended; `nil` for none.
    /// - Returns: how the last menu ended, and a sentence to print after the screen is restored.
    /// - Throws: an error if the terminal cannot show the menu or was closed, or if a signal ended the menu but not the
    ///   process.
    public func run(
        _ options: TerminalOptions = TerminalOptions(), followedBy next: (MenuEnd) -> TerminalMenu? = { _ in nil }
    ) throws(TerminalError) -> MenuEnd {
        var open = OpenMenu(self)
        defer { open.finish() }
        let last = try open.program().run(mailbox: open.mailbox, options: options) { last in
            guard let menu = next(MenuEnd(last)) else { return nil }
            open.finish()
            open = OpenMenu(menu)
            return (open.program(typeAhead: last.typeAhead), open.mailbox)
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
        return MenuEnd(try open.program().run(mailbox: open.mailbox, on: terminal))
    }

    /// Opens the menu in line mode on standard input and output, and returns when the user leaves or the input ends.
    ///
    /// - Parameter next: returns the menu to open after a menu has ended; `nil` for none.
    /// - Returns: how the last menu ended.
    /// - Throws: an error if the output is closed, or if a signal ended the menu but not the process.
    public func runInLines(
        followedBy next: (MenuEnd) -> TerminalMenu? = { _ in nil }
    ) throws(TerminalError) -> MenuEnd {
        let terminal = try LineTerminal()
        // Runs after all other cleanup: if a signal has requested the end, this call ends the process.
        defer { terminal.leave() }
        var end = try runInLines(on: terminal)
        while let menu = next(end) { end = try menu.runInLines(on: terminal) }
        return end
    }

    private func runInLines(on terminal: LineTerminal) throws(TerminalError) -> MenuEnd {
        let open = OpenMenu(self)
        defer { open.finish() }
        guard open.mailbox.descriptor >= 0 else { throw .cannotStart }
        var menu = LineModeMenu(open, on: terminal)
        do throws(TerminalError) {
            return try menu.run()
        } catch {
            PendingWork.finish()
            throw error
        }
    }
}
