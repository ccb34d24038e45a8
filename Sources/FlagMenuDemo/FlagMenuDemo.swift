import ArgumentParser
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import Logging
import Platform
import TerminalShell
import TerminalUI

/// The demo app: four screens that depend on flags.
@main
struct FlagMenuDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flagmenu-demo",
        abstract: "Show four screens of an app whose flags you change with flagmenu.",
        usage: "flagmenu-demo [<options>]",
        discussion: """
            Open it in one terminal and flagmenu in another, on the same source: each choice in the menu shows on the \
            screen at once, and clearing it restores the remote value.

            EXAMPLES:
              flagmenu-demo --source remote.json
              flagmenu --source remote.json                     in another terminal
              flagmenu-demo --source remote.json --once         an app that takes changes only when it is restarted
              flagmenu-demo --plain --screen login              a screen as text
              flagmenu-demo --plain --screen items --launch maximum_item_count=10

            FLAGMENU_SOURCE and FLAGMENU_APP work as in flagmenu.

            In the demo, d opens the developer menu, v shows two variants side by side, s saves what you see as a \
            scenario, and ? shows every key.
            """)

    @Option(
        help: ArgumentHelp(
            "Read remote values from a file; repeatable, the first wins. Without one, a built-in sample.",
            valueName: "file"),
        completion: .file())
    var source: [String] = []

    @Option(
        help: ArgumentHelp(
            "The id of the app whose overrides are used; by default, the one flagmenu derives from the source.",
            valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("The folder of the overrides.", valueName: "dir"), completion: .directory)
    var store: String?

    @Option(
        help: ArgumentHelp("Give a flag a value for this run only; repeatable, never saved.", valueName: "key=value"))
    var launch: [String] = []

    @Option(
        help: ArgumentHelp("Start with this screen: location, login, items or onboarding.", valueName: "name"),
        completion: .list(StageScreen.allCases.map(\.rawValue)))
    var screen = StageScreen.location

    @ArgumentParser.Flag(help: "Start with two variants side by side.")
    var variants = false

    @ArgumentParser.Flag(
        help: "Read the flags only once, at the start. The menu says that a restart applies a change.")
    var once = false

    @ArgumentParser.Flag(help: "Write the screen to standard output as text, and exit.")
    var plain = false

    @Option(help: ArgumentHelp("The size of what --plain writes.", valueName: "columnsxrows"))
    var size = PlainSize()

    @ArgumentParser.Flag(help: "Use no colour; also if NO_COLOR is set.")
    var noColor = false

    /// Exits with 2 if the arguments are not valid, or if the terminal cannot show the stage.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard !(error is ExitCode), !exitCode(for: error).isSuccess else { Self.exit(withError: error) }
            for line in fullMessage(for: error).split(separator: "\n") { printError(String(line)) }
            Self.exit(withError: ExitCode(2))
        }
    }

    func run() throws {
        let paths = try sourcePaths()
        let names = paths.isEmpty ? [SampleSource().name] : paths.map { FilePath.name(of: $0) }
        let flags = try makeStore(paths)
        let state = StageState(
            app: title(flags.app, paths), source: TerminalMenu.title(of: names), size: size.size,
            charset: plain ? TerminalLocale.outputCharset : TerminalLocale.screenCharset,
            isColorAllowed: !noColor && ProcessEnvironment.variable("NO_COLOR") == nil,
            isClosed: flags[DemoFlags.maintenanceMode], readsOnce: once, screen: screen, isSideBySide: variants)
        guard !plain else { return try writePlain(state, flags) }
        do throws(TerminalError) {
            let settings = ["--app", flags.app] + (store.map { ["--store", $0] } ?? [])
            try Stage(flags: flags, state: state, settings: settings).run()
        } catch {
            if error.isEndFromOutside { throw ExitCode(error.exitStatus) }
            throw ValidationError("\(error) Or use --plain.")
        }
    }

    /// The app as the title names it: without the hash of a document that is opened without an app.
    private func title(_ app: String, _ paths: [String]) -> String {
        paths.first.map { AppFolders.app(ofDocument: $0) == app ? AppFolders.name(ofDocument: $0) : app } ?? app
    }

    private func makeStore(_ paths: [String]) throws -> FlagStore {
        let sources: [any RemoteSource] = paths.isEmpty ? [SampleSource()] : paths.map { RemoteFile($0) }
        let app =
            app ?? ProcessEnvironment.variable("FLAGMENU_APP") ?? paths.first.map(AppFolders.app(ofDocument:))
            ?? AppFolders.sampleApp
        if let invalidReason = AppFolders.invalidReason(to: app) { throw ValidationError(invalidReason) }
        return FlagStore(
            app: app, sources: sources,
            options: .init(
                overrides: .open, declares: DemoFlags.all, launch: try launchValues(), minimumFetchInterval: .zero,
                storeDirectory: store,
                // Errors are shown on the screen; log lines in between would break it.
                logger: Logger(label: "flagmenu-demo") { _ in SwiftLogNoOpLogHandler() }))
    }

    /// The values of `--launch`.
    private func launchValues() throws -> FlagTable<String> {
        var values: FlagTable<String> = [:]
        for text in launch {
            do throws(InvalidText) {
                let (key, value) = try LaunchText.pair(text)
                values[key] = value
            } catch {
                throw ValidationError("--launch \(error.sentence.asSentence)")
            }
        }
        return values
    }

    /// The paths of the sources, found by the same rules as in `flagmenu` so that both programs show the same flags.
    private func sourcePaths() throws -> [String] {
        let names = SourceName.named(
            source, or: ProcessEnvironment.variable("FLAGMENU_SOURCE"), in: WorkingDirectory.path)
        do throws(SourceNameError) {
            return try names.map { name throws(SourceNameError) in try SourceName.path(name) }
        } catch {
            throw ValidationError(error.sentence)
        }
    }

    /// Writes the screen to standard output. If writing fails, for example on a full disk, prints the error and exits
    /// with 4 as `flagmenu` does.
    private func writePlain(_ state: StageState, _ flags: FlagStore) throws {
        var state = state
        state.updates = StageUpdate(flags)
        let text = state.plainLines.map { "\($0)\n" }.joined()
        if let output = fdopen(STDOUT_FILENO, "w"), fputs(text, output) >= 0, fflush(output) == 0 { return }
        Self.printError("Error: Standard output cannot be written: \(String(cString: strerror(errno))).")
        throw ExitCode(4)
    }

    /// Writes a line to standard error.
    private static func printError(_ line: String) {
        let line = DisplayText.safe(line, charset: TerminalLocale.charset) + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension StageScreen: ExpressibleByArgument {}

/// A size in cells as an argument: `80x24`.
struct PlainSize: ExpressibleByArgument {
    var size = Size(columns: 80, rows: 24)

    init() {}

    init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...500).contains(columns),
            (1...200).contains(rows)
        else { return nil }
        size = Size(columns: columns, rows: rows)
    }

    var defaultValueDescription: String { "\(size.columns)x\(size.rows)" }
}
