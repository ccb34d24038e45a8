import DeveloperMenu
import FlagModel
import FlagQueries
import FlagRemote
package import FlagStorage

/// The settings of a project in `flagmenu.json`, which is searched from the working directory upward.
package struct ProjectFile {
    package static let name = "flagmenu.json"

    package let path: String
    let app: String?
    package let sources: [SourceSettings]
    let defaults: String?
    package let store: String?
    /// The address of the overrides that a team shares.
    let team: String?
    /// Whether edits of a file wait until they are activated, as fetched values do.
    let activatesManually: Bool
    /// The whole file; preferences are read from it.
    let root: JSONValue
    /// Warnings about unknown members, a sentence each.
    package let warnings: [String]

    /// The folder of the file, from which relative paths start.
    package var folder: String { FilePath.folder(of: path) }

    /// The nearest project file from the working directory upward, or `nil` if there is none.
    ///
    /// - Throws: an error if the owner of the file is not trusted, or the file is not valid.
    package static func find(
        _ environment: Environment, _ registry: SourceRegistry = .standard
    ) throws(CommandFailure) -> ProjectFile? {
        guard let found = try nearest(environment) else { return nil }
        try ProjectTrust(found.path, environment).requireOwner()
        return try ProjectFile(found.bytes, path: found.path, environment, registry)
    }

    /// The nearest project file from the working directory upward, regardless of its owner.
    package static func nearest(
        _ environment: Environment
    ) throws(CommandFailure) -> (path: String, bytes: [UInt8])? {
        // If the project file were left out, the overrides of another app would be read and written.
        guard environment.isWorkingDirectoryKnown else {
            throw CommandFailure(
                .usage,
                "The working directory cannot be read, so its flagmenu.json is not known. Nothing was changed. Change to a folder "
                    + "that exists.")
        }
        var folder = environment.workingDirectory
        while true {
            let path = FilePath.join(folder, name)
            if let bytes = try read(path) { return (path, bytes) }
            guard folder != "/" else { return nil }
            folder = FilePath.folder(of: folder)
        }
    }

    /// The content of the project file at a path; `nil` if there is none.
    package static func read(_ path: String, files: FileOperations = .live) throws(CommandFailure) -> [UInt8]? {
        do throws(StorageError) {
            if let bytes = try DurableFile.read(path, files: files) { return bytes }
        } catch {
            // A file that exists but cannot be read may set read-only, so an error is thrown. A folder that cannot be
            // searched contains no settings of this user, so the search continues above it.
            guard !DurableFile.isClosed(FilePath.folder(of: path)) else {
                StandardError.warn("\(error) No settings were read from there.")
                return nil
            }
            throw CommandFailure(.usage, error.description)
        }
        guard DurableFile.isLink(path) else { return nil }
        throw CommandFailure(
            .usage,
            "\(path) is a link to nothing, and its target may set read-only. Nothing was done. "
                + "Fix the link or remove it.")
    }

    /// Parses the text of a project file.
    ///
    /// - Throws: an error with its place in the file.
    package init(
        _ bytes: [UInt8], path: String, _ environment: Environment, _ registry: SourceRegistry = .standard
    ) throws(CommandFailure) {
        let root = try CommandFailure.converting(to: .usage) {
            try JSONDocument(parsing: bytes).root
        } sentence: {
            "\(path): \($0.asSentence) Nothing was read from it; fix it, then try again."
        }
        guard root.kind == .object else {
            throw CommandFailure(
                .usage, "\(path) must contain a JSON object such as {\"app\": \"shop\", \"source\": \"remote.json\"}.")
        }
        self.path = path
        let folder = FilePath.folder(of: path)
        func text(_ name: String) throws(CommandFailure) -> String? {
            guard let value = root[name] else { return nil }
            guard let text = value.text else { throw Self.failure("\"\(name)\" must be a string.", at: value, path) }
            return text.string
        }
        _ = try text("$schema")
        app = try text("app")
        defaults = try text("defaults").map { FilePath.resolve($0, in: folder) }
        store = try text("store").map { FilePath.resolve($0, in: folder) }
        team = try text("team")
        activatesManually = try text("activate") == "manual"
        if let activate = root["activate"], !activatesManually {
            throw Self.failure("\"activate\" must be \"manual\".", at: activate, path)
        }
        sources = SourceSettings.withUniqueNames(
            try Self.sources(in: root, path: path, registry).map { name, options in
                registry.settings(
                    SourceName.resolve(name, in: folder, services: registry.schemes), options, in: folder,
                    environment: environment)
            })
        warnings = Self.warnings(on: root, path: path)
        self.root = root
        // The system would end such a path there, and open another file than the one that is checked and shown.
        let files = [defaults, store].compactMap { $0 } + sources.compactMap(\.path) + sources.flatMap(\.namedFiles)
        guard !files.contains(where: { $0.utf8.contains(0) }) else {
            throw CommandFailure(
                .usage,
                "\(path): A path contains the character U+0000. Nothing was read from it; fix it, then try again.")
        }
        // Invalid preferences are errors, because a mistake must not turn off read-only.
        let reading = PreferencesReading(root, path: path, over: .standard, isProject: true)
        if let issue = reading.issues.first {
            throw CommandFailure(.usage, issue.description)
        }
    }

    /// The members of the file that are not preferences, with their form and help. Without a form: the name of a source,
    /// an object with its settings, or a list of both.
    static let settings: [(name: String, form: Preference.Form?, help: String)] = [
        ("app", .text(limit: 200), "The id of the app whose overrides are used; names a folder."),
        (
            "source", nil,
            "Where remote values are read from: a path relative to this file, a URL, or a service with its settings."
        ),
        ("sources", nil, "Several sources, at most \(Settings.sourceLimit); the first wins."),
        ("defaults", .text(limit: 4096), "The file of the values compiled into the app."),
        ("store", .text(limit: 4096), "The folder of the overrides."),
        ("activate", .choice(["manual"]), "Whether edits of a source file wait for activation, as fetched values do."),
        (
            "team", .text(limit: 4096),
            "The overrides that a team shares in etcd: etcd://HOST:PORT,HOST:PORT/PREFIX, or etcds:// with TLS."
        ),
    ]

    private static let members =
        ["$schema"] + settings.map(\.name) + Preference.all.filter(\.isForProjects).map(\.name)

    /// The name of each source, and the object with its settings if there is one.
    private static func sources(
        in root: JSONValue, path: String, _ registry: SourceRegistry
    ) throws(CommandFailure) -> [(name: String, options: JSONValue?)] {
        var sources: [(name: String, options: JSONValue?)] = []
        for member in ["source", "sources"] {
            guard let value = root[member] else { continue }
            let elements = value.kind == .array ? Array(value.elements) : [value]
            try Settings.checkCount(of: sources.count + elements.count, in: path)
            guard !elements.isEmpty else {
                throw failure("\"\(member)\" names no source; name one, or leave it out.", at: value, path)
            }
            for element in elements {
                guard let name = element.text ?? element["source"]?.text else {
                    throw failure(
                        "\"\(member)\" must be a string, an object with a string \"source\", or a list of these.",
                        at: element, path)
                }
                if let error = registry.error(in: element) {
                    throw CommandFailure(
                        .usage, "\(path): \(error) Nothing was read from it; fix it, then try again.")
                }
                sources.append((name.string, element.kind == .object ? element : nil))
            }
        }
        return sources
    }

    /// The error of a value, with its place in the file.
    private static func failure(_ sentence: String, at value: JSONValue, _ path: String) -> CommandFailure {
        CommandFailure(.usage, "\(path): \(JSONError(at: value, sentence))")
    }

    private static func warnings(on root: JSONValue, path: String) -> [String] {
        root.members.map(\.key.string).filter { !members.contains($0) }.map { member in
            let hint = NearestKeys.suggestion(about: member, among: members)
            return "\(path): \(JSONOutput.quoted(member, limit: 60)) is not a setting and was ignored.\(hint)"
        }
    }
}
