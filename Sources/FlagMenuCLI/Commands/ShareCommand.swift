import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import FlagSharing
import FlagStorage
import FlagWorkspace
import Platform
import TerminalShell
import TerminalUI

struct ShareCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "share", abstract: "Print your changes as one string, for a bug report or a chat.",
        usage: "flagmenu share [<key> ...] [--except <key>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu share
              flagmenu share express_checkout --qr
              flagmenu share --except checkout_url --from Kim

            The string has the overrides, with the time that is left until they end, and the conditions that are set by \
            hand. What leaves is listed on standard error first. Secret flags, which the catalog marks with "secret": true \
            or flagmenu.json names in secret, are left out. import finds the string in any text.
            """)

    @Argument(
        help: ArgumentHelp("Share the overrides of these keys alone.", valueName: "key"),
        completion: Completions.overriddenKeys)
    var keys: [String] = []

    @Option(
        help: ArgumentHelp("Leave out the override of this key; repeatable.", valueName: "key"),
        completion: Completions.overriddenKeys)
    var except: [String] = []

    @Flag(help: "Share also the attributes of contexts, which may say who you are.")
    var withContext = false

    @Flag(help: "Share also the notes of overrides.")
    var withNotes = false

    @Option(help: ArgumentHelp("Say who shares.", valueName: "name"))
    var from: String?

    @Flag(help: "Show a QR code, too, on standard error.")
    var qr = false

    @Flag(help: "Copy the string to the clipboard through the terminal.")
    var copy = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let (settings, table) = (workspace.settings, workspace.reading.table)
        // A mistyped exception would be shared.
        if let key = (keys + except).first(where: { table.overrides[$0] == nil }) {
            let hint = NearestKeys.suggestion(about: key, among: table.overrides.sortedByKey.map(\.key), naming: 3)
            throw CommandFailure(
                .noMatch, "\(JSONOutput.quoted(key, limit: 80)) has no override; nothing was shared.\(hint)")
        }
        let now = SourceClock.system.now()
        let changes = SharedChanges(
            of: table, evaluations: workspace.evaluations, app: settings.app, at: now, keys: keys, except: except,
            withContext: withContext, withNotes: withNotes, secrets: settings.preferences.secrets,
            in: workspace.board.catalog)
        guard changes.entries.changeCount > 0 else {
            let reason = changes.leftOut.isEmpty ? "Nothing is changed." : changes.leftOut.joined(separator: " ")
            throw CommandFailure(.noMatch, "\(reason) Nothing was shared.")
        }
        let state = SharedState(changes.entries, madeAt: now, author: from)
        let text = try CommandFailure.converting(to: .usage) { () throws(InvalidText) in try state.text() }
        announce(changes, settings)
        if settings.isJSON {
            JSONOutput.object([
                ("text", .string(text)), ("length", .integer(text.utf8.count)),
                ("changes", .integer(changes.entries.changeCount)),
                ("secret", .array(changes.secretKeys.map(JSONOutput.string))),
            ]).print()
        } else {
            StandardOutput.write("\(text)\n")
        }
        try StandardOutput.flush()
        if text.utf8.count > SharedState.suggestedLimit {
            StandardError.warn(
                "The string has \(text.utf8.count) characters, and some chats cut long messages. "
                    + "flagmenu export changes.json writes a file to hand over instead.")
        }
        if copy { copy(text, settings) }
        if qr { showCode(of: state, settings) }
    }

    /// Lists what leaves, before it leaves.
    private func announce(_ changes: SharedChanges, _ settings: Settings) {
        changes.leftOut.forEach(StandardError.warn)
        guard !settings.isQuiet else { return }
        StandardError.printLine("Shares \(changes.entries.changeCount.counted("change")) of \(settings.app):")
        (changes.lines + (from.map { ["from \($0)"] } ?? [])).forEach { StandardError.printLine("  \($0)") }
    }

    private func copy(_ text: String, _ settings: Settings) {
        let (sequence, reply) = Clipboard.copying(text)
        guard StandardError.isTerminal, !sequence.isEmpty else {
            let why = if case .tooLong = reply { "it is too long for terminals" } else { "no terminal here can copy" }
            return StandardError.warn("The string was not copied: \(why).")
        }
        StandardError.write(sequence)
        settings.printLine("Copied through the terminal (OSC 52).")
    }

    /// Shows the QR code if the terminal has room for it.
    private func showCode(of state: SharedState, _ settings: Settings) {
        // A text that is too long has no code.
        guard let code = (try? state.text(.code)).flatMap({ QRCode($0) }) else {
            return StandardError.warn("The changes are too many for a QR code. Share fewer keys, or use the string.")
        }
        guard TerminalLocale.charset == .unicode else {
            return StandardError.warn("The QR code needs a terminal with a UTF-8 locale.")
        }
        let lines = settings.isColorAllowed ? code.coloredLines : code.textLines
        let needed = Size(columns: code.textLines[0].count, rows: lines.count + 1)
        if let size = TerminalWidth.size(of: STDERR_FILENO), size.columns > 0,
            size.columns < needed.columns || size.rows < needed.rows
        {
            return StandardError.warn(
                "The QR code needs a terminal of \(needed.columns) columns and \(needed.rows) rows; this one has "
                    + "\(size.columns) and \(size.rows).")
        }
        // Unchanged, as the lines set colours.
        for line in lines { StandardError.write("\(line)\n") }
    }
}

extension Workspace {
    /// Whether a flag is secret; see `SecretFlags`.
    func isSecret(_ key: String) -> Bool { settings.preferences.secrets.contains(key, in: board.catalog) }

    /// Names the secret flags of which a file has the values.
    func warnOfSecrets(in file: String) {
        settings.preferences.secrets.warning(about: file, with: reading.table.overrides, in: board.catalog)
            .map(StandardError.warn)
    }
}
