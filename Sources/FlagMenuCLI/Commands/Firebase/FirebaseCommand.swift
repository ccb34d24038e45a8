import ArgumentParser
import FlagModel
import FlagWorkspace

struct FirebaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "firebase", abstract: "Publish to Firebase Remote Config, and move whole templates.",
        usage: "flagmenu firebase push|pull|publish|versions [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu firebase pull template.json --project shop-test
              flagmenu firebase push template.json --project shop --dry-run
              flagmenu firebase publish new_menu
              flagmenu firebase versions
            """,
        subcommands: [PushCommand.self, PullCommand.self, PublishCommand.self, VersionsCommand.self])
}

/// The options of commands for whole templates.
struct TemplateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The id of the Firebase project; by default the only one among the sources.", valueName: "id"))
    var project: String?

    /// The settings of a run with the project as its only source, if it is named.
    func settings(_ options: GlobalOptions) throws(CommandFailure) -> Settings {
        var options = options
        if let project { options.source = ["firebase:\(project)"] }
        return try Settings(options.values)
    }
}

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
