import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import TerminalShell

/// `flagmenu menu`, which is also `flagmenu` alone.
struct MenuCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "menu", abstract: "Open the menu.", usage: "flagmenu [menu] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu --source remote.json
              flagmenu menu --launch enable_multiple_locations=true

            In the menu, ? shows every key.
            """)

    @ArgumentParser.Flag(help: "Start with all flags, not as the menu was left.")
    var fresh = false

    @OptionGroup var options: GlobalOptions

    @ArgumentParser.Flag(
        help: "Print lines instead of a screen, for screen readers; also if TERM is dumb or not set.")
    var accessible = false

    func run() throws {
        var (options, isFresh) = (options, fresh)
        // After the screen is restored, `init` prompts and writes what the menu then opens on.
        while try show(RunMenu(options, isFresh: isFresh, isInteractive: Self.isOnTerminal)) == .newProject {
            guard try InitCommand.write(with: options) else { return }
            (options, isFresh) = (options.opening(.standard, .current()), false)
        }
    }

    private static var isOnTerminal: Bool { StandardInput.isTerminal && StandardOutput.isTerminal }

    /// Shows a menu and those that follow it on the same screen.
    ///
    /// - Returns: what to open after the screen is restored; `nil` if the user has left.
    private func show(_ first: RunMenu) throws -> OpenTarget? {
        let settings = first.run.settings
        var open = first
        var lasting: [(store: String, sentence: String)] = []
        func follow(_ left: MenuEnd) -> TerminalMenu? {
            // If an app was opened more than once, the last message counts.
            lasting.removeAll { $0.store == open.run.store.path }
            if let sentence = left.lastingOverrides { lasting.append((open.run.store.path, sentence)) }
            guard let next = open.next(after: left) else { return nil }
            open = next
            return next.menu
        }
        let left: MenuEnd
        do throws(TerminalError) {
            let terminal = TerminalOptions(
                isColorAllowed: settings.isColorAllowed, isAskingAllowed: settings.preferences.detectsBackground)
            left =
                talksInLines(settings)
                ? try first.menu.runInLines(followedBy: follow)
                : try first.menu.run(terminal, followedBy: follow)
        } catch {
            try end(with: error, open.run.settings)
        }
        lasting.map(\.sentence).forEach(settings.say)
        switch left.ending {
        case .left: return nil
        case .reopened(let target): return target
        case .interrupted: throw CommandFailure(.interrupted, "")
        case .withoutSource(let reason): throw CommandFailure(status(withoutSource: open.run), reason)
        }
    }

    /// The exit code of a command without any values.
    private func status(withoutSource run: RunStore) -> ExitStatus {
        do throws(CommandFailure) {
            try run.requireValues(in: run.flags.remote.current)
            return .usage
        } catch {
            return error.status
        }
    }

    /// Line mode works anywhere if requested, even in a script; a terminal without cursor addressing gets it by
    /// default.
    private func talksInLines(_ settings: Settings) -> Bool {
        if accessible || settings.preferences.isAccessible { return true }
        let name = settings.environment["TERM"]
        return (name == nil || name == "dumb") && Self.isOnTerminal
    }

    /// Without a terminal that can show the menu, prints the list, and a sentence why.
    private func end(with error: TerminalError, _ settings: Settings) throws -> Never {
        if case .outputFull = error.code { throw CommandFailure(.store, error.description) }
        if error.isEndFromOutside { throw ExitCode(error.exitStatus) }
        let workspace = try Workspace.open(settings)
        workspace.remarks.forEach(StandardError.warn)
        ListCommand.write(workspace.board.places, of: workspace)
        try StandardOutput.flush()
        throw CommandFailure(.usage, error.description)
    }
}
