import ArgumentParser
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagStorage
import FlagWorkspace

/// `flagmenu firebase pull`.
struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull", abstract: "Write the template of a project to a file.",
        usage: "flagmenu firebase pull [<file>] [--project <id>] [--yes] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu firebase pull template.json --project shop
              flagmenu firebase pull template.json --version 41 --dry-run
              flagmenu firebase pull > template.json

            If the file exists, shows what would change in it, and asks. Without a file, prints the template.
            """)

    @Argument(help: "The file to write; standard output without it.", completion: .file())
    var file: String?

    @OptionGroup var template: TemplateOptions

    @Option(
        name: .customLong("version"),
        help: ArgumentHelp("An old version; by default the newest.", valueName: "number"))
    var number: Int?

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only show what would change in the file.")
    var dryRun = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let settings = try template.settings(options)
        try settings.requireTrust()
        let published = try PublishedTemplate(
            settings, Services(settings.environment), outcome: "Nothing was written.")
        let pulled = try published.version(number)
        guard let file, file != SourceName.standardInput else {
            return StandardOutput.write(String(decoding: pulled.bytes, as: UTF8.self))
        }
        let target = ExportTarget(
            FilePath.resolve(file, in: settings.environment.workingDirectory), protecting: [])
        let isNew = try !ExportCommand.exists(target)
        let old = try isNew ? [] : settings.template(at: file)
        let differences = try published.differences { () throws(DocumentError) in
            try isNew ? [] : TemplateDifference.between(old, pulled.bytes)
        }
        if !isNew {
            guard !differences.isEmpty else { return settings.printLine("\(file) has these values already.") }
            // Without them, nobody could answer.
            let print = yes || dryRun ? settings.printLine : StandardError.printLine
            differences.forEach { print("  \($0.sentence)") }
        }
        if settings.isJSON, dryRun { JSONOutput.object([("planned", .array(differences.map(\.json)))]).print() }
        guard !dryRun else { return settings.printLine("Nothing was written.") }
        if !isNew, !yes {
            try TerminalPrompt.require(for: "firebase pull", outcome: "Nothing was written.")
            guard TerminalPrompt.agreement("Replace \(file)?") else {
                return settings.printLine("Nothing was written.")
            }
        }
        try CommandFailure.converting { () throws(StorageError) in
            try target.write(String(decoding: pulled.bytes, as: UTF8.self), for: .everyone)
        }
        if settings.isJSON { JSONOutput.object([("written", .array(differences.map(\.json)))]).print() }
        let version = pulled.template.version?.label ?? "a version without a number"
        settings.printLine("Wrote \(file): \(published.title), \(version).")
    }
}
