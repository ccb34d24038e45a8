import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// `flagmenu export`.
struct ExportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "export", abstract: "Write the overrides as a JSON object of keys and values.",
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

    private var targetName: String { file == "-" ? "standard output" : file }

    func run(in workspace: Workspace) throws {
        let path = FilePath.resolve(file, in: workspace.settings.environment.workingDirectory)
        let target = ExportTarget(path, sparing: workspace.run.ownFiles)
        if file != "-", try Self.isTaken(target), !force {
            throw CommandFailure(
                .usage, "\(file) exists; nothing was written. --force writes over it, or choose another name.")
        }
        let text = try Self.failing { () throws(StorageError) in try workspace.reading.exported() }
        let count = workspace.reading.exportedCount
        if workspace.reading.table.overrides[""] != nil {
            StandardError.warn("The override of the empty key is left out, as no import takes it.")
        }
        guard !dryRun else { return StandardError.say("\(count) would be written to \(targetName).") }
        guard file != "-" else { return StandardOutput.write(text) }
        try Self.write(workspace.reading, to: target)
        workspace.settings.say("\(count) written to \(targetName).")
    }

    /// Whether the file is there.
    ///
    /// - Throws: that nothing can be written in its place, or that there is no folder for it.
    static func isTaken(_ target: ExportTarget) throws(CommandFailure) -> Bool {
        do throws(StorageError) {
            return try target.isTaken()
        } catch {
            throw CommandFailure(error.code == .notAFile ? .store : .usage, error.description)
        }
    }

    /// Writes the overrides to a file and tells how many, in words.
    @discardableResult
    static func write(_ reading: StoreReading, to target: ExportTarget) throws(CommandFailure) -> String {
        try failing { () throws(StorageError) in try target.write(reading) }
    }

    private static func failing<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            throw CommandFailure(error.code == .refused ? .usage : .store, error.description)
        }
    }
}

/// `flagmenu import`.
struct ImportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "import", abstract: "Add overrides from a JSON file, or replace all with them.",
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
