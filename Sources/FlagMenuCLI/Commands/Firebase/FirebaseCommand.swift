import ArgumentParser
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
