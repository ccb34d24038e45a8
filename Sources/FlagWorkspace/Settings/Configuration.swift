import DeveloperMenu
import FlagModel
package import FlagQueries
import FlagRemote
import FlagStorage

/// The preferences of a run, and their origins. Options win over the environment, then the project file, then the
/// user's configuration file.
package struct Configuration: Sendable {
    /// The user's configuration file, existing or not.
    package let path: String
    package private(set) var preferences = Preferences.standard
    /// Errors in preferences.
    package private(set) var issues: [PreferencesIssue] = []
    /// What was found at `path`.
    package private(set) var file = FileState.missing
    /// Why it is not known whether read-only is set, as a sentence; `nil` if it is known. While it is unknown, changes
    /// are disabled, because an error must not turn off a protection.
    private(set) var unclearReadOnly: String?
    /// The origin of each preference that is set, by the name of the preference.
    private(set) var origins: [String: String] = [:]
    /// The option or variable that disables colours; `nil` if colours are allowed.
    let colorDisabler: String?

    private let options: RunOptions
    private let environment: Environment
    private let project: ProjectFile?
    /// Whether the user has named the file.
    private let isNamed: Bool

    /// The state of the user's file. `malformed`: it is not a JSON object. `unreadable`: its bytes could not be read.
    package enum FileState { case missing, sound, malformed, unreadable }

    /// Reads the configuration file, the environment and the options.
    ///
    /// - Throws: an error if a file that the user named does not exist.
    package init(_ options: RunOptions, _ environment: Environment, _ project: ProjectFile?) throws(CommandFailure) {
        self.init(reading: options, environment, project)
        guard isNamed, file == .missing else { return }
        throw CommandFailure(
            .usage, "No configuration file \(path). Create it, or omit --config and FLAGMENU_CONFIG.")
    }

    private init(reading options: RunOptions, _ environment: Environment, _ project: ProjectFile?) {
        let namedPath = options.config ?? environment["FLAGMENU_CONFIG"]
        path =
            namedPath.map { FilePath.resolve($0, in: environment.workingDirectory) } ?? environment.configurationFile
        (self.options, self.environment, self.project) = (options, environment, project)
        isNamed = namedPath != nil
        colorDisabler = options.noColor ? "--no-color" : environment["NO_COLOR"].map { _ in "NO_COLOR" }
        read()
    }

    /// The configuration after the user's file is read again.
    func readAgain() -> Configuration { Configuration(reading: options, environment, project) }

    /// The sentence that rejects every change; `nil` if changes are allowed.
    package var readOnlyReason: String? {
        guard preferences.isReadOnly else { return nil }
        if let reason = unclearReadOnly { return "\(reason) It may set read-only, so nothing was changed." }
        return "Read-only (set by \(origin(of: "readOnly"))): nothing was changed."
    }

    /// The exit code of a rejected change: `usage` if an error in a file or variable is the reason, `store` if
    /// read-only is set or a file cannot be read.
    var readOnlyStatus: ExitStatus { unclearReadOnly == nil || file == .unreadable ? .store : .usage }

    /// Throws the error of a rejected change if changes are not allowed.
    package func requireChanges() throws(CommandFailure) {
        if let readOnlyReason { throw CommandFailure(readOnlyStatus, readOnlyReason) }
    }

    /// The origin of a preference, as text.
    package func origin(of name: String) -> String { origins[name] ?? "the default" }

    private mutating func read() {
        readFile()
        if let project { apply(project.root, from: project.path, isProject: true) }
        for preference in Preference.all {
            guard let variable = preference.variable, let text = environment[variable] else { continue }
            if let invalidReason = preference.apply(text, into: &preferences) {
                issues.append(PreferencesIssue("\(variable) \(invalidReason)"))
                if preference.name == "readOnly" { markReadOnlyUnclear(for: variable) }
            } else {
                origins[preference.name] = variable
                if preference.name == "readOnly" { unclearReadOnly = nil }
            }
        }
        if unclearReadOnly != nil { preferences.isReadOnly = true }
        if options.readOnly {
            (preferences.isReadOnly, origins["readOnly"], unclearReadOnly) = (true, "--read-only", nil)
        }
        if let colorDisabler { (preferences.theme, origins["theme"]) = (.mono, colorDisabler) }
    }

    private mutating func readFile() {
        do {
            guard let bytes = try DurableFile.read(path) else { return }
            file = .malformed
            let root = try JSONDocument(parsing: bytes).root
            apply(root, from: path)
            if root.kind == .object { file = .sound }
        } catch let error as JSONError {
            issues.append(
                PreferencesIssue(error, in: path, consequence: "It is ignored; fix it."))
        } catch {
            file = .unreadable
            issues.append(PreferencesIssue("\(error)", path: path))
        }
        if file != .sound { markReadOnlyUnclear(for: path) }
    }

    /// Records that it is not known whether read-only is set. The last issue is the reason.
    private mutating func markReadOnlyUnclear(for origin: String) {
        (unclearReadOnly, origins["readOnly"]) = (issues.last?.description, origin)
    }

    private mutating func apply(_ root: JSONValue, from path: String, isProject: Bool = false) {
        let reading = PreferencesReading(root, path: path, over: preferences, isProject: isProject)
        preferences = reading.preferences
        issues += reading.issues + (isProject ? [] : reading.clashes)
        for name in reading.names { origins[name] = path }
        if reading.names.contains("readOnly") { unclearReadOnly = nil }
        if let issue = reading.readOnlyIssue { (unclearReadOnly, origins["readOnly"]) = (issue.description, path) }
    }
}
