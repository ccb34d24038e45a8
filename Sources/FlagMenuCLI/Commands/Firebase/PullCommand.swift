import ArgumentParser
import FlagFormats
import FlagModel
import FlagSourceFirebase
import FlagStorage

/// `flagmenu firebase pull`.
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

    @OptionGroup var options: GlobalOptions

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

    func run() throws {
        let settings = try template.settings(options)
        try settings.requireTrust()
        let published = try PublishedTemplate(
            settings, Services(settings.environment), outcome: "Nothing was written.")
        let pulled = if let number { try published.version(number) } else { try published.newest() }
        guard let file else { return StandardOutput.write(String(decoding: pulled.bytes, as: UTF8.self)) }
        let target = TemplateFile(file, settings)
        let isNew = try !DurableFile.exists(target.path)
        if !isNew {
            let old = try target.readTemplate()
            let differences: [TemplateDifference]
            do throws(DocumentError) {
                differences = try TemplateDifference.between(old, pulled.bytes)
            } catch {
                throw CommandFailure(.remote, "\(published.title): \(error.asSentence) Nothing was written.")
            }
            if settings.isJSON { JSONOutput.object([("planned", .array(differences.map(\.json)))]).print() }
            guard !differences.isEmpty else { return settings.printLine("\(file) has these values already.") }
            differences.forEach { settings.printLine("  \($0.sentence)") }
        }
        guard !dryRun else { return settings.printLine("Nothing was written.") }
        if !isNew, !yes {
            try TerminalPrompt.require(for: "firebase pull", outcome: "Nothing was written.")
            guard TerminalPrompt.agreement("Replace \(file)?") else {
                return settings.printLine("Nothing was written.")
            }
        }
        do throws(StorageError) {
            _ = try DurableFile.replace(target.path, with: pulled.bytes)
        } catch {
            throw CommandFailure(.store, error.description)
        }
        let version = pulled.template.version?.words ?? "a version without a number"
        settings.printLine("Wrote \(file): \(published.title), \(version).")
    }
}
