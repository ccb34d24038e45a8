import DeveloperMenu
import FlagModel
package import FlagQueries
import FlagRemote
import FlagStorage
import TerminalUI

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

    /// The layers above the user's file, which do not change during a run.
    private let project: ProjectFile?
    private let variables: [String: String]
    private let isReadOnlyRequested: Bool

    /// The state of the user's file. `malformed`: it is not a JSON object. `unreadable`: its bytes could not be read.
    package enum FileState { case missing, sound, malformed, unreadable }

    /// Reads the configuration file, the environment and the options.
    ///
    /// - Throws: an error if a file that the user named does not exist.
    package init(_ options: RunOptions, _ environment: Environment, _ project: ProjectFile?) throws(CommandFailure) {
        let namedPath = options.config ?? environment["FLAGMENU_CONFIG"]
        path =
            namedPath.map { FilePath.resolve($0, in: environment.workingDirectory) } ?? environment.configurationFile
        (self.project, variables, isReadOnlyRequested) = (project, environment.variables, options.readOnly)
        colorDisabler = options.noColor ? "--no-color" : environment["NO_COLOR"].map { _ in "NO_COLOR" }
        read()
        if namedPath != nil, file == .missing {
            throw CommandFailure(
                .usage, "No configuration file \(path). Create it, or omit --config and FLAGMENU_CONFIG.")
        }
    }

    /// The configuration after the user's file is read again.
    func readAgain() -> Configuration {
        var again = self
        (again.preferences, again.issues, again.file) = (.standard, [], .missing)
        (again.unclearReadOnly, again.origins) = (nil, [:])
        again.read()
        return again
    }

    /// The sentence that rejects every change; `nil` if changes are allowed.
    package var readOnlyReason: String? {
        guard preferences.isReadOnly else { return nil }
        if let reason = unclearReadOnly { return "\(reason) It may set read-only, so nothing was changed." }
        return "Read-only (set by \(origin(of: "readOnly"))): nothing was changed."
    }

    /// The exit code of a rejected change: `usage` if an error in a file or variable is the reason, `store` if
    /// read-only is set or a file cannot be read.
    package var readOnlyStatus: ExitStatus { unclearReadOnly == nil || file == .unreadable ? .store : .usage }

    /// The origin of a preference, as text.
    package func origin(of name: String) -> String { origins[name] ?? "the default" }

    private mutating func read() {
        readFile()
        if let project { apply(project.root, from: project.path, isProject: true) }
        for preference in Preference.all {
            guard let variable = preference.variable, let text = variables[variable], !text.isEmpty else {
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
        if isReadOnlyRequested {
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

// What only the menu knows of its preferences: the actions whose keys they change.
extension Configuration {
    /// The errors of the preferences in a project's file.
    static func issues(inProject root: JSONValue, path: String) -> [PreferencesIssue] {
        PreferencesReading(root, path: path, over: .standard, isProject: true).issues
    }

    /// An action of the menu, as schema and manual describe it. `isWayOut`: it must have a key. `takesText`: characters
    /// are text where it works, so they cannot be its keys.
    package typealias NamedAction = (name: String, help: String, keyNames: String, isWayOut: Bool, takesText: Bool)

    /// The actions of each part of the menu, under the part's heading.
    package static var actions: [(heading: String, actions: [NamedAction])] {
        MenuPart.all.map { part in
            let actions = ActionTable.actions(in: part)
            return (
                part.heading,
                actions.map { ($0.name, $0.help, $0.keyNames(charset: .ascii), $0.isWayOut, part.takesText) }
            )
        }
    }
}
