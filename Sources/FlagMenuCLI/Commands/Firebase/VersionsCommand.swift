import ArgumentParser
import FlagModel
import FlagWorkspace

struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "versions", abstract: "List the versions of a Firebase template, the newest first.",
        usage: "flagmenu firebase versions [--limit <count>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu firebase versions --source firebase:my-shop
              flagmenu firebase versions --limit 5 --json

            Firebase keeps 300 versions. flagmenu firebase publish --rollback <version> publishes one of them again.
            """)

    @Option(help: ArgumentHelp("At most this many versions.", valueName: "count"))
    var limit = 20

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws {
        guard 1...300 ~= limit else { throw ValidationError("--limit must be a whole number from 1 to 300.") }
    }

    func run() throws {
        let settings = try Settings(options.values)
        let versions = try PublishedTemplate(settings, outcome: "").versions(count: limit)
        options.print(.array(versions.map(\.json)), or: versions.map(\.cells).table)
    }
}
