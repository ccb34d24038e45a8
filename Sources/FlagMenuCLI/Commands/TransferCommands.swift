import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// `flagmenu export`.
struct ExportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the overrides as a JSON object of keys and values.",
        usage: "flagmenu export [<file>] [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu export overrides.json
              flagmenu export - | ssh device flagmenu import -
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - or nothing is standard output.", completion: .file())
    var file: String = "-"

    @Flag(help: "Only tell what would be written.")
    var dryRun = false

    private var target: String { file == "-" ? "standard output" : file }

    func run(in workspace: Workspace) throws {
        let path = FilePath.resolve(file, in: workspace.settings.environment.workingDirectory)
        if file != "-" { try OwnFiles(workspace.settings, workspace.store).refuse(path) }
        let text = try Self.text(workspace)
        let count = workspace.reading.table.overrides.count.counted("override")
        guard !dryRun else { return StandardError.say("\(count) would be written to \(target).") }
        guard file != "-" else { return StandardOutput.write(text) }
        try Self.write(workspace, to: path)
        if !workspace.settings.isQuiet { StandardError.say("\(count) written to \(target).") }
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

/// Overrides as a file or standard input holds them.
struct ImportFile {
    /// The file; `nil` is standard input.
    let path: String?
    /// What messages call it.
    let origin: String

    /// The overrides, each a value that its flag may have.
    ///
    /// - Throws: what is wrong with the file, or with the first value that is not allowed.
    func values(_ workspace: Workspace, allowsAny: Bool, allowsNew: Bool) throws(CommandFailure) -> [String: String] {
        let values = try readValues()
        var checked: [String: String] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let facts = try workspace.facts(of: key, allowsNew: allowsNew) else {
                checked[key] = value
                continue
            }
            checked[key] = try ValueCheck(facts, allowsAny: allowsAny).checked(value)
        }
        return checked
    }

    private func readValues() throws(CommandFailure) -> [String: String] {
        let bytes = try readBytes()
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw failure(error)
        }
        guard root.kind == .object else {
            throw CommandFailure(.usage, "\(origin) must hold a JSON object of keys and values. Nothing was changed.")
        }
        return try values(in: root)
    }

    private func failure(_ error: JSONError) -> CommandFailure {
        CommandFailure(.usage, "\(origin): \(error). Nothing was changed.")
    }

    private func readBytes() throws(CommandFailure) -> [UInt8] {
        guard let path else { return try StandardInput.readAll() }
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path) else {
                throw StorageError(
                    code: .cannotRead, path: path, sentence: "\(path) does not exist. Nothing was changed.")
            }
            return bytes
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    /// The plain shape that export writes, or the store's own with `format` and `overrides`.
    private func values(in root: JSONValue) throws(CommandFailure) -> [String: String] {
        try refuseNewer(root)
        let isStore = root["format"]?.kind == .number && root["overrides"]?.kind == .object
        var values: [String: String] = [:]
        for (key, value) in (isStore ? root["overrides"] ?? root : root).members {
            let text = isStore ? value["value"]?.flagText : value.flagText
            guard let text else {
                throw failure(JSONError(at: value, "\(JSONOutput.quoted(key.string, limit: 80)) has no value"))
            }
            guard !key.string.isEmpty else {
                throw failure(JSONError(at: value, "A key needs at least one character"))
            }
            values[key.string] = text.string
        }
        return values
    }

    /// A number in `format` is a version, as ``export`` writes every value as text.
    private func refuseNewer(_ root: JSONValue) throws(CommandFailure) {
        guard let format = root["format"], format.kind == .number, format.source != "1" else { return }
        guard let version = Int(format.source), version > 1 else { return }
        throw CommandFailure(
            .usage,
            "\(origin) is of format \(version), which a newer version wrote; this one reads format 1. "
                + "Nothing was changed. Export it anew, or put the number in quotes where it is a flag's value.")
    }
}
