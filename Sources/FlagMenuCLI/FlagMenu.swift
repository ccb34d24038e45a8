import ArgumentParser
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagStorage
import FlagWorkspace
import Platform

/// The command line tool: reads arguments, runs a command, and exits with an `ExitStatus`.
@main
struct FlagMenu: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flagmenu",
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
        version: "flagmenu \(Release.version)",
        subcommands: [MenuCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    ListCommand.self, GetCommand.self, SetCommand.self, ToggleCommand.self, NoteCommand.self,
                    ResetCommand.self, ExplainCommand.self, UndoCommand.self, RedoCommand.self, HistoryCommand.self,
                    WatchCommand.self,
                ]),
            CommandGroup(
                name: "Share",
                subcommands: [ScenarioCommand.self, ShareCommand.self, ExportCommand.self, ImportCommand.self]),
            CommandGroup(name: "Find", subcommands: [BisectCommand.self, MatrixCommand.self, DiffCommand.self]),
            CommandGroup(
                name: "Sources",
                subcommands: [
                    InitCommand.self, FetchCommand.self, ActivateCommand.self, ContextCommand.self,
                    FirebaseCommand.self, TrustCommand.self,
                ]),
            CommandGroup(
                name: "Apps and code",
                subcommands: [AppsCommand.self, ServeCommand.self, MCPCommand.self, GenerateCommand.self]),
            CommandGroup(
                name: "Setup",
                subcommands: [
                    StatusCommand.self, DoctorCommand.self, PromptCommand.self, CompletionsCommand.self,
                    ManualCommand.self,
                ]),
        ],
        defaultSubcommand: MenuCommand.self
    )

    /// The options before a command, which the parser hands on to the command.
    @OptionGroup(title: "General options") var options: GlobalOptions

    static func main() {
        endImmediatelyOnCrash()
        DurableFile.ignoreFileSizeSignal()
        StandardOutput.fillGaps()
        do {
            let arguments = try arguments()
            if arguments == ["--version"] {
                StandardOutput.write("\(configuration.version)\n")
            } else {
                var command = try command(arguments)
                try command.run()
            }
            try StandardOutput.flush()
        } catch {
            end(with: error)
        }
    }

    /// Makes the signals of a crash, and Ctrl-\, end the process immediately, without Swift's backtracer.
    ///
    /// If the toolchain is installed, the backtracer would wait half a minute for a key, while the terminal is still in
    /// raw mode. If `SWIFT_BACKTRACE` is set, the backtracer runs after the screen is restored.
    private static func endImmediatelyOnCrash() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }

    /// The arguments of the process. Swift would replace invalid bytes, and a different value would be stored.
    private static func arguments() throws(CommandFailure) -> [String] {
        guard CommandLine.argc > 0 else {
            throw CommandFailure(.store, "The arguments cannot be read from /proc/self/maps. Nothing was done.")
        }
        return try (1..<Int(CommandLine.argc)).map { index throws(CommandFailure) in
            guard let text = CommandLine.unsafeArgv[index].flatMap({ String(validatingCString: $0) }) else {
                throw CommandFailure(.usage, "Argument \(index) is not UTF-8 text. Nothing was done.")
            }
            return text
        }
    }

    /// The command of some arguments.
    ///
    /// The parser inspects all options of each command that it is given, so it gets only the named one, or the menu. It
    /// gets all commands if options precede the command, and for help.
    private static func command(_ arguments: [String]) throws -> any ParsableCommand {
        func type(named name: String) -> (any ParsableCommand.Type)? {
            configuration.subcommands.first {
                $0.configuration.commandName == name || $0.configuration.aliases.contains(name)
            }
        }
        // What follows "--" belongs to the command that bisect and matrix run.
        let own = arguments.prefix { $0 != "--" }
        let isHelp = own.contains { $0.hasPrefix("--help") || ["-h", "--version"].contains($0) }
        if isHelp { return try parseAsRoot(arguments) }
        if let named = arguments.first.flatMap(type(named:)) {
            // Without arguments, the parser's errors would show the help of all commands.
            return try named.parseAsRoot(arguments.count == 1 ? ["--"] : Array(arguments.dropFirst()))
        }
        let isMenu = !arguments.contains { $0 == "help" || type(named: $0) != nil }
        return try isMenu ? MenuCommand.parseAsRoot(arguments) : parseAsRoot(arguments)
    }

    /// All commands with their names, those of `firebase` and `scenario` in two words.
    static var commands: [(name: String, type: any ParsableCommand.Type)] {
        configuration.subcommands.flatMap { command in
            let (name, inner) = (command.configuration.commandName ?? "", command.configuration.subcommands)
            return inner.isEmpty
                ? [(name, command)] : inner.map { ("\(name) \($0.configuration.commandName ?? "")", $0) }
        }
    }

    /// The parts of a help text: the general options, which the parser prints before the command's own, and the others.
    static func parts(of help: String) -> (own: String, general: String) {
        guard let general = help.firstRange(of: "\nGENERAL OPTIONS:\n"), let own = help.firstRange(of: "\nOPTIONS:\n"),
            general.lowerBound < own.lowerBound
        else { return (help, "") }
        let moved = help[general.lowerBound..<own.lowerBound].dropLast()
        return (String(help[..<general.lowerBound] + help[own.lowerBound...]), String(moved))
    }

    private static func end(with error: any Error) -> Never {
        if let failure = CommandFailure(error) {
            failure.report()
            failure.status.end()
        }
        // An exit code without a message, because the terminal is closed.
        if let code = error as? ExitCode { Self.exit(withError: code) }
        guard exitCode(for: error).isSuccess else {
            // Like other messages: a sentence, and a remedy. The parser's usage names the command.
            let words = message(for: error).split(separator: "\n").joined(separator: " ")
            let usage = fullMessage(for: error).firstMatch(of: /See '(?:flagmenu )?([^']+ )--help'/)
            let command = usage?.output.1 ?? ""
            CommandFailure(.usage, "\(words.asSentence) flagmenu \(command)--help shows the usage.").report()
            ExitStatus.usage.end()
        }
        let help = parts(of: fullMessage(for: error))
        StandardOutput.write("\(help.own)\(help.general)\n")
        ExitStatus.done.end()
    }
}

extension CommandConfiguration {
    /// The configuration of a command of `flagmenu`. With the name of a parent, the parser does not look for a request
    /// of its own completion script, which would take a tenth of the time of `flagmenu get`.
    static func command(
        _ name: String, abstract: String, usage: String? = nil, discussion: String,
        subcommands: [any ParsableCommand.Type] = [], aliases: [String] = []
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, _superCommandName: "flagmenu", abstract: abstract, usage: usage, discussion: discussion,
            subcommands: subcommands, aliases: aliases)
    }
}

extension CommandFailure {
    /// The failure of a command that ended with an error; `nil` for one of the argument parser.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as StorageError:
            let isUsage = [.refused, .takenName, .invalidName].contains(error.code)
            self.init(error.code == .unknownName ? .noMatch : isUsage ? .usage : .store, error.description)
        case let error as SourceError: self.init(.remote, error.asSentence)
        case let error as DocumentError: self.init(.remote, error.asSentence)
        case let error as InvalidText: self.init(.invalidValue, error.sentence)
        case let error as TemplateDraft.DraftError: self.init(.noMatch, "\(error) Nothing was published.")
        default: return nil
        }
    }
}
