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
              flagmenu scenario list
              flagmenu scenario apply checkout --replace
              flagmenu scenario diff checkout

            A scenario is a file in the format of export, in the folder scenarios beside flagmenu.json, else beside your \
            overrides.
            """,
        subcommands: [
            ScenarioListCommand.self, ScenarioShowCommand.self, ScenarioSaveCommand.self, ScenarioApplyCommand.self,
            ScenarioDiffCommand.self, ScenarioDeleteCommand.self, ScenarioRenameCommand.self,
            ScenarioSchemaCommand.self,
        ])
}

struct ScenarioSaveCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "save", abstract: "Save your changes as a scenario.",
        usage: "flagmenu scenario save <name> [--force] [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario save checkout

            It has your overrides with notes, contexts and conditions. An end is saved as a duration, from the time at which \
            the scenario is applied.
            """)

    @Argument(help: "1 to 60 letters a to z, digits, dots, hyphens and underscores.")
    var name: String

    @Flag(help: "Replace an existing scenario.")
    var force = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        let folders = try settings.writableScenarios()
        if !force, folders.scenario(name) != nil {
            throw CommandFailure(
                .usage, "\(name) exists; nothing was saved. --force replaces it, or choose another name.")
        }
        let text = try workspace.reading.exported(
            app: settings.app, source: settings.sourceTitle, at: SourceClock.system.now())
        let path = try folders.save(text, as: name, isReplacing: force)
        settings.report(name, path, "Saved \(workspace.reading.exportedCount) as \(name).")
    }
}

struct ScenarioDeleteCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "delete", abstract: "Delete a scenario. Your changes stay.",
        usage: "flagmenu scenario delete <name> [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario delete checkout
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios)
    var name: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        let folders = try workspace.settings.writableScenarios()
        let path = try folders.known(name).path
        try folders.delete(name)
        workspace.settings.report(name, path, "Deleted \(name).")
    }
}

struct ScenarioRenameCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "rename", abstract: "Give a scenario another name.",
        usage: "flagmenu scenario rename <name> <new-name> [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario rename checkout checkout-a
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios)
    var name: String

    @Argument(help: "Its new name.")
    var newName: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        let folders = try workspace.settings.writableScenarios()
        _ = try folders.known(name)
        try folders.rename(name, to: newName)
        workspace.settings.report(newName, try folders.known(newName).path, "Renamed \(name) to \(newName).")
    }
}

struct ScenarioSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "schema", abstract: "Write the JSON Schema of a scenario's file.",
        usage: "flagmenu scenario schema [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario schema > scenario.schema.json
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws { ConfigurationSchema.scenario.print() }
}

extension Settings {
    /// The folders of scenarios, to write to.
    ///
    /// - Throws: why root does not write there.
    fileprivate func writableScenarios() throws(CommandFailure) -> ScenarioFolders {
        if let rootReason { throw CommandFailure(.store, rootReason) }
        return scenarioFolders
    }

    /// Prints what happened to the file of a scenario.
    fileprivate func report(_ name: String, _ path: String, _ sentence: String) {
        if isJSON { JSONOutput.object([("name", .string(name)), ("path", .string(path))]).print() }
        printLine("\(sentence) (\(path))")
    }
}

extension ScenarioFolders {
    /// A scenario; throws an error if there is none of this name.
    func known(_ name: String) throws(CommandFailure) -> ScenarioFile {
        try CommandFailure.converting(to: .noMatch) { () throws(StorageError) in try existing(name) }
    }
}
