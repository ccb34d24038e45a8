import ArgumentParser
import FlagStorage

/// The command line tool: reads arguments, runs a command, and exits with an `ExitStatus`.
@main
struct FlagMenu: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "The developer menu for feature flags, in the terminal.",
        usage: "flagmenu [<command>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu                                     open the menu
              flagmenu --source remote.json                open it on your document
              flagmenu init                                set this folder's source
              flagmenu set enable_multiple_locations true  override a flag
              flagmenu explain enable_multiple_locations   see why it has its value
              flagmenu reset --all --yes                   go back to remote values
              flagmenu --accessible                        lines, for screen readers
              flagmenu --fresh                             forget the last session

            Overrides win over remote values. Scripts read effective values with get and follow changes with watch; \
            overrides are kept until they are reset.
            """,
        version: "flagmenu \(version)",
        subcommands: [MenuCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    ListCommand.self, GetCommand.self, SetCommand.self, ToggleCommand.self, ResetCommand.self,
                    ExplainCommand.self, UndoCommand.self, RedoCommand.self, HistoryCommand.self, WatchCommand.self,
                ]),
            CommandGroup(name: "Share", subcommands: [ExportCommand.self, ImportCommand.self]),
            CommandGroup(name: "Find", subcommands: [DiffCommand.self]),
            CommandGroup(
                name: "Sources",
                subcommands: [
                    InitCommand.self, FetchCommand.self, ActivateCommand.self, ContextCommand.self,
                    FirebaseCommand.self, TrustCommand.self,
                ]),
            CommandGroup(
                name: "Apps and code", subcommands: [AppsCommand.self, ServeCommand.self, GenerateCommand.self]),
            CommandGroup(
                name: "Setup",
                subcommands: [
                    StatusCommand.self, DoctorCommand.self, PathsCommand.self, ConfigCommand.self,
                    PromptCommand.self, CompletionsCommand.self, ManualCommand.self,
                ]),
        ],
        defaultSubcommand: MenuCommand.self
    )

    /// The name of the program.
    static let name = "flagmenu"
    /// The version of the program.
    static let version = "0.1.0"

    /// The options before a command, declared for help and completions; ``CommandReader`` moves them after the command.
    @OptionGroup var options: GlobalOptions

    static func main() {
        CrashSignals.endImmediately()
        DurableFile.ignoreFileSizeSignal()
        StandardStreams.fillGaps()
        do {
            var command = try CommandReader.command(try CommandReader.givenArguments())
            try command.run()
            try StandardOutput.flush()
        } catch {
            end(with: error)
        }
    }

    /// Help with the general options at its end: the parser prints them before the command's own options.
    private static func ownOptionsFirst(_ help: String) -> String {
        guard let general = help.firstRange(of: "\nGENERAL OPTIONS:\n"), let own = help.firstRange(of: "\nOPTIONS:\n"),
            general.lowerBound < own.lowerBound
        else { return help }
        let moved = help[general.lowerBound..<own.lowerBound].dropLast()
        return String(help[..<general.lowerBound]) + help[own.lowerBound...] + moved
    }

    private static func end(with error: any Error) -> Never {
        if let failure = error as? CommandFailure {
            failure.report()
            failure.status.end()
        }
        // An exit code without a message, because the terminal is closed.
        if let code = error as? ExitCode { Self.exit(withError: code) }
        guard exitCode(for: error).isSuccess else {
            CommandFailure(.usage, ParserSentence.sentence(message(for: error), fullMessage(for: error))).report()
            ExitStatus.usage.end()
        }
        let message = ownOptionsFirst(fullMessage(for: error))
        if !message.isEmpty { StandardOutput.write(message + "\n") }
        ExitStatus.done.end()
    }
}
