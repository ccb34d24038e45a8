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
        usage: "flagmenu scenario save <name> [--force] [--with-notes] [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario save checkout

            An override that ends is saved with the time that it has left, which starts when the scenario is applied. In \
            the folder of a project, which others read, notes are left out.
            """)

    @Argument(help: "1 to 60 letters, digits, dots, hyphens and underscores.") var name: String

    @Flag(help: "Replace an existing scenario.") var force = false

    @Flag(help: "Save notes in the folder of a project, too.") var withNotes = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        try settings.requireOwner()
        do throws(StorageError) {
            let change = try settings.scenarioFolders.save(
                workspace.reading, as: name, app: settings.app, source: settings.sourceTitle,
                evaluations: workspace.evaluations, at: SourceClock.system.now(), isReplacing: force,
                withNotes: withNotes)
            workspace.warnOfSecrets(in: "scenario")
            settings.report(name, change)
        } catch {
            guard error.code == .takenName else { throw error }
            throw CommandFailure(.usage, "\(error) --force replaces it, or choose another name.")
        }
    }
}

struct ScenarioDeleteCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "delete", abstract: "Delete a scenario. Your changes stay.",
        usage: "flagmenu scenario delete <name> [--yes] [<options>]",
        discussion: "EXAMPLE:\n  flagmenu scenario delete checkout")

    @Argument(help: "The scenario.", completion: Completions.scenarios) var name: String

    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        try settings.requireOwner()
        // A built-in scenario has no file and cannot be deleted, so there is no question.
        if !yes, try settings.scenarioFolders.existing(name).file != nil {
            try TerminalPrompt.require(for: "scenario delete", outcome: "Nothing was changed.")
            guard TerminalPrompt.agreement("Delete \(name)? No undo.") else {
                return settings.printLine("Nothing was changed.")
            }
        }
        settings.report(name, try settings.scenarioFolders.delete(name))
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
        // Its name is in the store, too.
        if workspace.reading.table.scenario?.name == name { try settings.requireChanges() }
        settings.report(newName, try settings.scenarioFolders.rename(name, to: newName, in: workspace.store))
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
    /// Prints what was done to a scenario, with the path of its file.
    fileprivate func report(_ name: String, _ change: ScenarioFolders.Change) {
        if isJSON { JSONOutput.object([("name", .string(name)), ("path", .string(change.path))]).print() }
        printLine("\(change.sentence) (\(change.path))")
    }
}
