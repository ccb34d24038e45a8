import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "scenario", abstract: "Save your changes under a name, and apply them again.",
        usage: "flagmenu scenario <subcommand> [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu scenario save checkout
              flagmenu scenario apply checkout --replace

            A scenario is a file in the format of export, in the folder scenarios beside flagmenu.json, else beside your \
            overrides.
            """,
        subcommands: [
            ScenarioListCommand.self, ScenarioShowCommand.self, ScenarioSaveCommand.self, ScenarioApplyCommand.self,
            ScenarioDiffCommand.self, ScenarioDeleteCommand.self, ScenarioRenameCommand.self,
            ScenarioSchemaCommand.self,
        ])
}

struct ScenarioSaveCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "save", abstract: "Save your changes as a scenario.",
        usage: "flagmenu scenario save <name> [--force] [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario save checkout

            An override that ends is saved with the time that it has left, which starts when the scenario is applied.
            """)

    @Argument(help: "1 to 60 letters, digits, dots, hyphens and underscores.") var name: String

    @Flag(help: "Replace an existing scenario.") var force = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        try settings.requireOwner()
        if !force, settings.scenarioFolders.scenario(name) != nil {
            throw CommandFailure(
                .usage, "\(name) exists; nothing was saved. --force replaces it, or choose another name.")
        }
        let text = try workspace.reading.exported(
            app: settings.app, source: settings.sourceTitle, at: SourceClock.system.now())
        _ = try settings.scenarioFolders.save(text, as: name, isReplacing: force)
        try settings.report(settings.scenario(name), "Saved \(workspace.reading.exportedCount) as \(name).")
    }
}

struct ScenarioDeleteCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "delete", abstract: "Delete a scenario. Your changes stay.",
        usage: "flagmenu scenario delete <name> [<options>]",
        discussion: "EXAMPLE:\n  flagmenu scenario delete checkout")

    @Argument(help: "The scenario.", completion: Completions.scenarios) var name: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        try settings.requireOwner()
        let scenario = try settings.scenario(name)
        try settings.scenarioFolders.delete(name)
        settings.report(scenario, "Deleted \(name).")
    }
}

struct ScenarioRenameCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "rename", abstract: "Give a scenario another name.",
        usage: "flagmenu scenario rename <name> <new-name> [<options>]",
        discussion: "EXAMPLE:\n  flagmenu scenario rename checkout checkout-a")

    @Argument(help: "The scenario.", completion: Completions.scenarios) var name: String

    @Argument(help: "Its new name.") var newName: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        try settings.requireOwner()
        _ = try settings.scenario(name)
        try settings.scenarioFolders.rename(name, to: newName)
        try settings.report(settings.scenario(newName), "Renamed \(name) to \(newName).")
    }
}

struct ScenarioSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "schema", abstract: "Write the JSON Schema of a scenario's file.", usage: "flagmenu scenario schema",
        discussion: "EXAMPLE:\n  flagmenu scenario schema > scenario.schema.json")

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() { ConfigurationSchema.scenario.print() }
}

extension Settings {
    /// Prints what has happened to a scenario, with the path of its file.
    fileprivate func report(_ scenario: ScenarioFile, _ sentence: String) {
        let (name, path) = (JSONOutput.string(scenario.name), JSONOutput.string(scenario.path))
        if isJSON { JSONOutput.object([("name", name), ("path", path)]).print() }
        printLine("\(sentence) (\(scenario.path))")
    }
}
