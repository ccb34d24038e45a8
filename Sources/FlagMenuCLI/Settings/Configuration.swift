import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage

/// The preferences of a run, and who said what. A flag wins over the environment, which wins over the project file, which
/// wins over the user's configuration file.
struct Configuration: Sendable {
    /// The user's configuration file, whether it is there or not.
    let path: String
    /// What holds.
    private(set) var preferences: Preferences
    /// What could not be taken.
    private(set) var problems: [PreferencesProblem] = []
    /// Whether the user's file is there.
    private(set) var isFilePresent = false
    /// `false` where the user's file could not be read as a whole, so that nothing of it is known.
    private(set) var isFileSound = true
    /// `false` where the user's file is there and its bytes could not be read.
    private var isFileReadable = true
    /// Why it cannot be told whether read-only is asked for, a sentence that names the file or the variable. Then
    /// changes are refused: a slip must not switch off what somebody relies on.
    private(set) var readOnlyDoubt: String?
    /// Who said what, by the names of preferences.
    private(set) var origins: [String: String] = [:]
    /// Who refused colours, by an option or a variable; `nil` where nobody did.
    let colorRefusal: String?

    private let layers: Layers

    /// What lies above the user's file and does not change during a run.
    private struct Layers: Sendable {
        let project: ProjectFile?
        let variables: EnvironmentVariables
        let isReadOnly: Bool
    }

    /// Reads everything.
    ///
    /// - Throws: a sentence when a file that was asked for by name cannot be read.
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

    /// Whether there is a file, which one that cannot be read is too: it is told then, not passed over.
    static func isThere(_ path: String) -> Bool {
        do { return try DurableFile.read(path) != nil } catch { return true }
    }

    /// The sentence with which every change is refused; `nil` where changes are allowed.
    var readOnlyRefusal: String? {
        guard preferences.isReadOnly else { return nil }
        if let doubt = readOnlyDoubt { return "\(doubt) It may set read-only, so nothing was changed." }
        return "Read-only (set by \(origin(of: "readOnly"))): nothing was changed."
    }

    /// With what number a refused change ends: being asked to refuse is no mistake, and a failing disk is none, but what is wrong in
    /// a file is one.
    var refusalStatus: ExitStatus { readOnlyDoubt == nil || !isFileReadable ? .store : .usage }

    /// Who said what holds of a preference, for people.
    func origin(of name: String) -> String { origins[name] ?? "the default" }

    /// The same with the file read again.
    func readAgain() -> Configuration {
        var again = self
        (again.preferences, again.problems, again.origins) = (.standard, [], [:])
        (again.isFilePresent, again.isFileSound, again.isFileReadable) = (false, true, true)
        again.readOnlyDoubt = nil
        again.read()
        return again
    }

    /// The same, but read-only as it was where that cannot be told now.
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

    /// Takes the last problem for a reason not to know whether read-only is asked for.
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
