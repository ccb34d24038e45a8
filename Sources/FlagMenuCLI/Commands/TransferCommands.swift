import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// `flagmenu export`.
struct ExportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the overrides as a JSON object of keys and values.",
        usage: "flagmenu export [<file>] [--force] [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu export overrides.json
              flagmenu export - | ssh device flagmenu import -
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - or nothing is standard output.", completion: .file())
    var file: String = "-"

    @Flag(help: "Write over a file that exists.")
    var force = false

    @Flag(help: "Only tell what would be written.")
    var dryRun = false

    private var target: String { file == "-" ? "standard output" : file }

    func run(in workspace: Workspace) throws {
        let path = FilePath.resolve(file, in: workspace.settings.environment.workingDirectory)
        if file != "-" {
            try OwnFiles(workspace.settings, workspace.store).refuse(path)
            if try Self.exists(path), !force {
                throw CommandFailure(
                    .usage, "\(file) exists; nothing was written. --force writes over it, or choose another name.")
            }
        }
        let text = try Self.text(workspace)
        let count = workspace.reading.table.overrides.count.counted("override")
        guard !dryRun else { return StandardError.say("\(count) would be written to \(target).") }
        guard file != "-" else { return StandardOutput.write(text) }
        try Self.write(workspace, to: path)
        if !workspace.settings.isQuiet { StandardError.say("\(count) written to \(target).") }
    }

    /// Whether the file is there.
    ///
    /// - Throws: that nothing can be written in its place, or that there is no folder for it.
    static func exists(_ path: String) throws(CommandFailure) -> Bool {
        do throws(StorageError) {
            return try DurableFile.exists(path)
        } catch {
            throw CommandFailure(error.code == .notAFile ? .store : .usage, error.description)
        }
    }

    /// Writes the overrides to a file and tells how many, in words.
    @discardableResult
    static func write(_ workspace: Workspace, to path: String) throws(CommandFailure) -> String {
        try OwnFiles(workspace.settings, workspace.store).refuse(path)
        let text = try text(workspace)
        do throws(StorageError) {
            try DurableFile.replace(path, with: Array(text.utf8))
        } catch {
            throw CommandFailure(.store, error.description)
        }
        return workspace.reading.table.overrides.count.counted("override")
    }

    private static func text(_ workspace: Workspace) throws(CommandFailure) -> String {
        if case .unreadable(let sentence) = workspace.reading.condition {
            // An empty export would look like a backup.
            throw CommandFailure(.store, sentence)
        }
        let overrides = workspace.reading.table.overrides
        let members = overrides.keys.sorted().map { ($0, JSONOutput.string(overrides[$0]?.value ?? "")) }
        return JSONOutput.object(members).text() + "\n"
    }
}

/// `flagmenu import`.
struct ImportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add overrides from a JSON file, or replace all with them.",
        usage: "flagmenu import <file> [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu import overrides.json --dry-run
              flagmenu import - --replace < overrides.json

            The file is what export writes, or an override file as the store keeps it. Either all of it is imported or nothing.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String

    @Flag(help: "Remove overrides that the file does not name.")
    var replace = false

    @Flag(help: "Only tell what would change.")
    var dryRun = false

    @Flag(help: "Allow values outside the options.")
    var any = false

    @Flag(help: "Allow keys that neither catalog nor remote knows.")
    var new = false

    func run(in workspace: Workspace) throws {
        let here = workspace.settings.environment.workingDirectory
        let source =
            file == "-"
            ? ImportFile(path: nil, origin: "standard input")
            : ImportFile(path: FilePath.resolve(file, in: here), origin: file)
        let checked = try source.values(workspace, allowsAny: any, allowsNew: new)
        let question = BulkQuestion.importing(
            checked, over: workspace.reading.table.overrides, replacing: replace, facts: workspace.factsOfAny)
        let commit = try BulkChange(question: question, workspace: workspace, name: "import", label: "import")
            .run(asks: false, isDryRun: dryRun)
        guard let commit, !commit.changes.isEmpty, !workspace.settings.isQuiet else { return }
        StandardError.say("\(commit.changes.count.counted("override")) changed.")
    }
}
