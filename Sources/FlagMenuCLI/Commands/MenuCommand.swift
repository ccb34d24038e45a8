import ArgumentParser
import DeveloperMenuTerminal
import FlagModel
import FlagQueries
import FlagWorkspace
import Flags
import TerminalShell

/// `flagmenu menu`, also run by `flagmenu` without a command.
struct MenuCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "menu", abstract: "Open the menu.", usage: "flagmenu [menu] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu --source remote.json
              flagmenu menu --launch enable_multiple_locations=true

            In the menu, ? shows every key.
            """)

    @ArgumentParser.Flag(help: "Start with all flags; do not restore the last session.")
    var fresh = false

    @ArgumentParser.Flag(
        help: "Print lines instead of a screen, for screen readers; also if TERM is dumb or not set.")
    var accessible = false

    /// The word in the place of a command that is not one.
    @Argument(help: .hidden) var unknown: [String] = []

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        if unknown == ["version"] { throw CleanExit.message(FlagMenu.configuration.version) }
        if let word = unknown.first { throw Self.failure(unknown: word) }
        var (options, isFresh) = (options, fresh)
        if !StandardInput.isTerminal {
            let settings = try Settings(options.values)
            if settings.sources.compactMap(\.path).contains(where: PipeSource.isStandardInput) {
                // The document is read before the screen is shown, and before keys are.
                try RunStore(settings).flags.openRemote()
                StandardInput.useTerminal()
            }
        }
        // If the user chooses a new project, `init` runs after the screen is restored, and the menu opens again.
        while try show(RunMenu(options, isFresh: isFresh, isInteractive: Self.isOnTerminal)) == .newProject {
            guard try InitCommand.write(with: options) else { return }
            (options, isFresh) = (options.opening(.standard, .current()), false)
        }
    }

    private static func failure(unknown word: String) -> CommandFailure {
        let names = FlagMenu.commands.map(\.name) + ["version"]
        let hint =
            ["paths", "config"].contains(word)
            ? " flagmenu status --files shows files and preferences."
            : NearestKeys.suggestion(about: word, among: names, naming: 3)
        return CommandFailure(
            .usage,
            "\(JSONOutput.quoted(word, limit: 60)) is not a command.\(hint) flagmenu --help lists the commands.")
    }

    private static var isOnTerminal: Bool { StandardInput.isTerminal && StandardOutput.isTerminal }

    /// Shows a menu, and then each menu that the user opens from it on the same screen.
    ///
    /// - Returns: the target to open after the screen is restored; `nil` if the user has quit.
    private func show(_ first: RunMenu) throws -> OpenTarget? {
        let settings = first.run.settings
        var open = first
        var exitMessages: [(store: String, sentence: String)] = []
        func nextMenu(_ menuEnd: MenuEnd) -> TerminalMenu? {
            // If a store was opened more than once, only the last message about this store is printed.
            exitMessages.removeAll { $0.store == open.run.store.path }
            if let sentence = menuEnd.lastingOverrides { exitMessages.append((open.run.store.path, sentence)) }
            guard let next = open.next(after: menuEnd) else { return nil }
            open = next
            return next.menu
        }
        let lastEnd: MenuEnd
        do throws(TerminalError) {
            let terminal = TerminalOptions(
                isColorAllowed: settings.isColorAllowed, areQueriesAllowed: settings.preferences.detectsBackground)
            lastEnd =
                usesLineMode(settings)
                ? try first.menu.runInLines(followedBy: nextMenu)
                : try first.menu.run(terminal, followedBy: nextMenu)
        } catch {
            try end(with: error, open.run.settings)
        }
        exitMessages.map(\.sentence).forEach(settings.printLine)
        return try RunMenu.target(after: lastEnd)
    }

    /// Whether to use line mode: `true` if the user requests line mode, even in a script, or if the terminal has no
    /// cursor addressing.
    private func usesLineMode(_ settings: Settings) -> Bool {
        if accessible || settings.preferences.isAccessible { return true }
        let name = settings.environment["TERM"]
        return (name == nil || name == "dumb") && Self.isOnTerminal
    }

    /// Ends the command after a terminal error. If the menu could not start, prints the list of flags instead; with
    /// `--json`, that is what was asked for.
    private func end(with error: TerminalError, _ settings: Settings) throws -> Never {
        if case .outputFull = error { throw CommandFailure(.store, error.description) }
        if error.isEndFromOutside { throw ExitCode(error.exitStatus) }
        let workspace = try Workspace.open(settings)
        workspace.warnings().forEach(StandardError.warn)
        ListCommand.write(Array(workspace.board.places), of: workspace)
        try StandardOutput.flush()
        if settings.isJSON { throw ExitCode.success }
        throw CommandFailure(.usage, error.description)
    }
}
