import DeveloperMenu
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import TerminalUI

/// The preferences of a run, and their origins. Options win over the environment, then the project file, then the
/// user's configuration file.
struct Configuration: Sendable {
    /// The user's configuration file, existing or not.
    let path: String
    /// The resulting preferences.
    private(set) var preferences: Preferences
    /// Errors in preferences.
    private(set) var issues: [PreferencesIssue] = []
    /// Whether the user's file exists.
    private(set) var isFilePresent = false
    /// `false` if the user's file exists but is not a readable JSON object.
    private(set) var isFileSound = true
    /// `false` if the user's file exists but its bytes could not be read.
    private var isFileReadable = true
    /// Why it is not known whether read-only is set, as a sentence; `nil` if it is known. While it is unknown, changes
    /// are disabled, because an error must not turn off a protection.
    private(set) var unclearReadOnly: String?
    /// The origin of each preference that is set, by the name of the preference.
    private(set) var origins: [String: String] = [:]
    /// The option or variable that disables colours; `nil` if colours are allowed.
    let colorDisabler: String?

    private let layers: Layers

    /// The layers above the user's file, which do not change during a run.
    private struct Layers: Sendable {
        let project: ProjectFile?
        let variables: EnvironmentVariables
        let isReadOnly: Bool
    }

    /// Reads the configuration file, the environment and the options.
    ///
    /// - Throws: an error if a file that the user named does not exist.
    init(_ options: GlobalOptions, _ environment: Environment, _ project: ProjectFile?) throws(CommandFailure) {
        let namedPath = options.config ?? environment["FLAGMENU_CONFIG"]
        path =
            namedPath.map { FilePath.resolve($0, in: environment.workingDirectory) }
            ?? StandardPaths.configuration(environment) { Self.fileExists(FilePath.join($0, "config.json")) }
        layers = Layers(project: project, variables: environment.variables, isReadOnly: options.readOnly)
        colorDisabler = options.noColor ? "--no-color" : environment["NO_COLOR"].map { _ in "NO_COLOR" }
        preferences = .standard
        read()
        if namedPath != nil, !isFilePresent, isFileSound {
            throw CommandFailure(
                .usage, "No configuration file \(path). Create it, or omit --config and FLAGMENU_CONFIG.")
        }
    }

    /// Whether there is a file at a path. An unreadable file counts, so that its error is reported.
    static func fileExists(_ path: String) -> Bool {
        do { return try DurableFile.read(path) != nil } catch { return true }
    }

    /// The sentence that rejects every change; `nil` if changes are allowed.
    var readOnlyReason: String? {
        guard preferences.isReadOnly else { return nil }
        if let reason = unclearReadOnly { return "\(reason) It may set read-only, so nothing was changed." }
        return "Read-only (set by \(origin(of: "readOnly"))): nothing was changed."
    }

    /// The exit code of a rejected change: `usage` if an error in a file or variable is the reason, `store` if
    /// read-only is set or a file cannot be read.
    var readOnlyStatus: ExitStatus { unclearReadOnly == nil || !isFileReadable ? .store : .usage }

    /// The origin of a preference, as text.
    func origin(of name: String) -> String { origins[name] ?? "the default" }

    /// The configuration after the user's file is read again.
    func readAgain() -> Configuration {
        var configuration = self
        (configuration.preferences, configuration.issues, configuration.origins) = (.standard, [], [:])
        (configuration.isFilePresent, configuration.isFileSound, configuration.isFileReadable) = (false, true, true)
        configuration.unclearReadOnly = nil
        configuration.read()
        return configuration
    }

    /// This configuration, with the read-only setting of `earlier` if the current setting is unknown.
    func keepingReadOnly(of earlier: Configuration) -> Configuration {
        guard unclearReadOnly != nil else { return self }
        var configuration = self
        configuration.preferences.isReadOnly = earlier.preferences.isReadOnly
        (configuration.unclearReadOnly, configuration.origins["readOnly"]) = (
            earlier.unclearReadOnly, earlier.origins["readOnly"]
        )
        return configuration
    }

    private mutating func read() {
        readFile()
        if let project = layers.project { apply(project.root, from: project.path, isProject: true) }
        for preference in Preference.all {
            guard let variable = preference.variable, let text = layers.variables[variable], !text.isEmpty else {
                continue
            }
            if let invalidReason = preference.apply(text, into: &preferences) {
                issues.append(PreferencesIssue("\(variable) \(invalidReason)"))
                if preference.name == "readOnly" { markReadOnlyUnclear(for: variable) }
            } else {
                origins[preference.name] = variable
                if preference.name == "readOnly" { unclearReadOnly = nil }
            }
        }
        if unclearReadOnly != nil { preferences.isReadOnly = true }
        if layers.isReadOnly {
            (preferences.isReadOnly, origins["readOnly"], unclearReadOnly) = (true, "--read-only", nil)
        }
        if let colorDisabler { (preferences.theme, origins["theme"]) = (.mono, colorDisabler) }
    }

    private mutating func readFile() {
        do {
            guard let bytes = try DurableFile.read(path) else { return }
            isFilePresent = true
            let root = try JSONDocument(parsing: bytes).root
            apply(root, from: path)
            isFileSound = root.kind == .object
        } catch let error as JSONError {
            isFileSound = false
            issues.append(
                PreferencesIssue(error, in: path, consequence: "It is ignored; fix it."))
        } catch {
            (isFileSound, isFileReadable) = (false, false)
            issues.append(PreferencesIssue("\(error)", path: path))
        }
        if !isFileSound { markReadOnlyUnclear(for: path) }
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

// What only the menu knows of its preferences: the actions whose keys they change.
extension Configuration {
    /// The errors of the preferences in a project's file.
    static func issues(inProject root: JSONValue, path: String) -> [PreferencesIssue] {
        PreferencesReading(root, path: path, over: .standard, isProject: true).issues
    }

    /// An action of the menu, as schema and manual describe it. `isWayOut`: it must have a key. `takesText`: characters
    /// are text where it works, so they cannot be its keys.
    typealias NamedAction = (name: String, help: String, keyNames: String, isWayOut: Bool, takesText: Bool)

    /// The actions of each part of the menu, under the part's heading.
    static var actions: [(heading: String, actions: [NamedAction])] {
        MenuPart.all.map { part in
            let actions = ActionTable.actions(in: part)
            return (
                part.heading,
                actions.map { ($0.name, $0.help, $0.keyNames(charset: .ascii), $0.isWayOut, part.takesText) }
            )
        }
    }
}
