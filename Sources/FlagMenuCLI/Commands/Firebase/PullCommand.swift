import ArgumentParser
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagStorage
import FlagWorkspace

struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "pull", abstract: "Write the template of a project to a file.",
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
        let published = try PublishedTemplate(settings, outcome: "Nothing was written.")
        let pulled = try published.version(number)
        guard let file, file != SourceName.standardInput else {
            return StandardOutput.write(String(decoding: pulled.bytes, as: UTF8.self))
        }
        let target = ExportTarget(
            FilePath.resolve(file, in: settings.environment.workingDirectory), protecting: [])
        let old = try ExportCommand.exists(target) ? settings.template(at: file) : nil
        let differences = try old.map { try TemplateDifference.between($0, pulled.bytes) } ?? []
        guard old == nil || !differences.isEmpty else { return settings.printLine("\(file) has these values already.") }
        let isPrompting = old != nil && !yes && !dryRun
        // Without them, nobody could answer.
        let print = isPrompting ? StandardError.printLine : settings.printLine
        differences.forEach { print("  \($0.sentence)") }
        let changes = JSONOutput.array(differences.map(\.json))
        if settings.isJSON, dryRun { JSONOutput.object([("planned", changes)]).print() }
        if isPrompting { try TerminalPrompt.require(for: "firebase pull", outcome: "Nothing was written.") }
        guard !dryRun, !isPrompting || TerminalPrompt.agreement("Replace \(file)?") else {
            return settings.printLine("Nothing was written.")
        }
        try target.write(String(decoding: pulled.bytes, as: UTF8.self), for: .everyone)
        if settings.isJSON { JSONOutput.object([("written", changes)]).print() }
        let version = pulled.template.version?.label ?? "a version without a number"
        settings.printLine("Wrote \(file): \(published.title), \(version).")
    }
}
