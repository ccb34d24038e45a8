import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage

/// The preferences of a run, and their origins. An option wins over the environment, which wins over the project file,
/// which wins over the user's configuration file.
struct Configuration: Sendable {
    /// The user's configuration file, existing or not.
    let path: String
    /// The resulting preferences.
    private(set) var preferences: Preferences
    /// Errors in preferences.
    private(set) var problems: [PreferencesProblem] = []
    /// Whether the user's file exists.
    private(set) var isFilePresent = false
    /// `false` if the user's file could not be parsed at all.
    private(set) var isFileSound = true
    /// `false` if the user's file exists and could not be read.
    private var isFileReadable = true
    /// Why it is not known whether read-only is set, as a sentence with the file or the variable. Then changes are
    /// disabled: a mistake must not turn off a protection.
    private(set) var readOnlyDoubt: String?
    /// The origins, by the names of preferences.
    private(set) var origins: [String: String] = [:]
    /// The option or variable that disables colours; `nil` if there is none.
    let colorRefusal: String?

    private let layers: Layers

    /// The layers above the user's file, which do not change during a run.
    private struct Layers: Sendable {
        let project: ProjectFile?
        let variables: EnvironmentVariables
        let isReadOnly: Bool
    }

    /// Reads everything.
    ///
    /// - Throws: a sentence if a file named by the user cannot be read.
    init(_ options: GlobalOptions, _ environment: Environment, _ project: ProjectFile?) throws(CommandFailure) {
        let named = options.config ?? environment["FLAGMENU_CONFIG"]
        path =
            named.map { FilePath.resolve($0, in: environment.workingDirectory) }
            ?? StandardPaths.configuration(environment) { Self.isThere(FilePath.join($0, "config.json")) }
        layers = Layers(project: project, variables: environment.variables, isReadOnly: options.readOnly)
        colorRefusal = options.noColor ? "--no-color" : environment["NO_COLOR"].map { _ in "NO_COLOR" }
        preferences = .standard
        read()
        if named != nil, !isFilePresent, isFileSound {
            throw CommandFailure(
                .usage, "No configuration file \(path). Create it, or omit --config and FLAGMENU_CONFIG.")
        }
    }

    /// Whether there is a file, even an unreadable one: that is reported, not skipped.
    static func isThere(_ path: String) -> Bool {
        do { return try DurableFile.read(path) != nil } catch { return true }
    }

    /// The sentence that rejects every change; `nil` if changes are allowed.
    var readOnlyRefusal: String? {
        guard preferences.isReadOnly else { return nil }
        if let doubt = readOnlyDoubt { return "\(doubt) It may set read-only, so nothing was changed." }
        return "Read-only (set by \(origin(of: "readOnly"))): nothing was changed."
    }

    /// The exit code of a rejected change: read-only is not a usage error, nor is a failing disk, but an error in a
    /// file is.
    var refusalStatus: ExitStatus { readOnlyDoubt == nil || !isFileReadable ? .store : .usage }

    /// The origin of a preference, as text.
    func origin(of name: String) -> String { origins[name] ?? "the default" }

    /// The configuration with the file read again.
    func readAgain() -> Configuration {
        var again = self
        (again.preferences, again.problems, again.origins) = (.standard, [], [:])
        (again.isFilePresent, again.isFileSound, again.isFileReadable) = (false, true, true)
        again.readOnlyDoubt = nil
        again.read()
        return again
    }

    /// The configuration with its earlier read-only if that is not known now.
    func keepingReadOnly(of known: Configuration) -> Configuration {
        guard readOnlyDoubt != nil else { return self }
        var kept = self
        kept.preferences.isReadOnly = known.preferences.isReadOnly
        (kept.readOnlyDoubt, kept.origins["readOnly"]) = (known.readOnlyDoubt, known.origins["readOnly"])
        return kept
    }

    private mutating func read() {
        readFile()
        if let project = layers.project { take(project.root, from: project.path, isProject: true) }
        for preference in Preference.all {
            guard let variable = preference.variable, let text = layers.variables[variable], !text.isEmpty else {
                continue
            }
            if let objection = preference.take(text, into: &preferences) {
                problems.append(PreferencesProblem("\(variable) \(objection)"))
                if preference.name == "readOnly" { doubtReadOnly(for: variable) }
            } else {
                origins[preference.name] = variable
                if preference.name == "readOnly" { readOnlyDoubt = nil }
            }
        }
        if readOnlyDoubt != nil { preferences.isReadOnly = true }
        if layers.isReadOnly {
            (preferences.isReadOnly, origins["readOnly"], readOnlyDoubt) = (true, "--read-only", nil)
        }
        if let refusal = colorRefusal { (preferences.theme, origins["theme"]) = (.mono, refusal) }
    }

    private mutating func readFile() {
        do {
            guard let bytes = try DurableFile.read(path) else { return }
            isFilePresent = true
            let root = try JSONDocument(parsing: bytes).root
            take(root, from: path)
            isFileSound = root.kind == .object
        } catch let error as JSONError {
            isFileSound = false
            problems.append(
                PreferencesProblem(error, in: path, consequence: "It is ignored; fix it."))
        } catch {
            (isFileSound, isFileReadable) = (false, false)
            problems.append(PreferencesProblem("\(error)", path: path))
        }
        if !isFileSound { doubtReadOnly(for: path) }
    }

    /// Records the last error as the reason why read-only is not known.
    private mutating func doubtReadOnly(for origin: String) {
        (readOnlyDoubt, origins["readOnly"]) = (problems.last?.description, origin)
    }

    private mutating func take(_ root: JSONValue, from path: String, isProject: Bool = false) {
        let reading = PreferencesReading(root, path: path, over: preferences, isProject: isProject)
        preferences = reading.preferences
        problems += reading.problems + (isProject ? [] : reading.clashes)
        for name in reading.names { origins[name] = path }
        if reading.names.contains("readOnly") { readOnlyDoubt = nil }
        if let problem = reading.readOnlyProblem { (readOnlyDoubt, origins["readOnly"]) = (problem.description, path) }
    }
}
