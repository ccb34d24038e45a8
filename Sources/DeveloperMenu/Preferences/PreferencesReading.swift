public import FlagModel
public import FlagQueries
import TerminalUI

/// The preferences and the errors of a parsed configuration file.
public struct PreferencesReading: Sendable, Equatable {
    /// The resulting preferences.
    public private(set) var preferences: Preferences
    /// The errors of invalid members. An invalid member leaves its preference unchanged.
    public private(set) var issues: [PreferencesIssue] = []
    /// The error of the member `readOnly`, which is also one of ``issues``; `nil` if there is none.
    public private(set) var readOnlyIssue: PreferencesIssue?
    /// The keys that are assigned to two actions.
    public var clashes: [PreferencesIssue] {
        guard !preferences.keys.isEmpty else { return [] }
        return Keymap.remapping(ActionTable.all, by: preferences.keys).clashes.map {
            PreferencesIssue("\(path): \($0)", path: path)
        }
    }
    /// The names of the valid members.
    public private(set) var names: [String] = []

    private let path: String

    /// Parses the object of a file.
    ///
    /// - Parameters:
    ///   - root: the file's value.
    ///   - path: the file's path, for error messages.
    ///   - preferences: the preferences that the file's members replace.
    ///   - isProject: whether the file belongs to a project. Such a file also has members that are not preferences.
    public init(_ root: JSONValue, path: String, over preferences: Preferences, isProject: Bool = false) {
        (self.path, self.preferences) = (path, preferences)
        guard root.kind == .object else {
            issues = [
                PreferencesIssue("\(path) must contain a JSON object such as {\"theme\": \"dark\"}.", path: path)
            ]
            return
        }
        for (key, value) in root.members {
            let name = key.string
            if let preference = Preference.named(name), !isProject || preference.isForProjects {
                apply(value, as: preference)
            } else if !isProject {
                addUnknown(name, value)
            }
        }
    }

    /// Adds the issue of a member that is not a preference.
    private mutating func addUnknown(_ name: String, _ value: JSONValue) {
        guard name != "$schema" else {
            if value.text == nil { addIssue(at: value, "$schema", "must be a string.") }
            return
        }
        addIssue(
            at: value, name,
            "is not a preference.\(NearestKeys.suggestion(about: name, among: Preference.all.map(\.name)))")
    }

    /// Sets a preference to a member's value, or adds an issue if the value is not valid.
    private mutating func apply(_ value: JSONValue, as preference: Preference) {
        let converted: Preference.Value? =
            switch preference.form {
            case .flag: value.bool.map(Preference.Value.flag)
            case .choice, .text: value.text.map { .text($0.string) }
            case .keys: value.kind == .object ? .keys(keys(in: value)) : nil
            case .texts: Self.texts(value).map(Preference.Value.texts)
            }
        if let converted, preference.apply(&preferences, converted) {
            names.append(preference.name)
        } else {
            let text = value.text?.string ?? value.source
            addIssue(at: value, preference.name, Preference.invalidReason(to: text, as: preference.form))
            if preference.name == "readOnly" { readOnlyIssue = issues.last }
        }
    }

    /// The text, or the texts of a list; `nil` for other values.
    private static func texts(_ value: JSONValue) -> [String]? {
        guard value.kind == .array else { return value.text.map { [$0.string] } }
        let texts = value.elements.compactMap { $0.text?.string }
        return texts.count == value.count ? texts : nil
    }

    /// The valid keys in an object, by the name of an action.
    private mutating func keys(in object: JSONValue) -> [String: [KeyPress]] {
        var assigned: [String: [KeyPress]] = [:]
        for (key, value) in object.members {
            let name = key.string
            guard let action = ActionTable.named(name) else {
                let hint = NearestKeys.suggestion(about: name, among: ActionTable.all.lazy.map(\.name))
                let remedy = hint.isEmpty ? " flagmenu manual lists the names." : hint
                addIssue(at: value, name, "is not an action.\(remedy)")
                continue
            }
            if let keys = keys(value, for: action) { assigned[name] = keys }
        }
        return assigned
    }

    /// The keys that a member assigns to an action; `nil` if the member is not valid, so that the action's standard
    /// keys stay.
    private mutating func keys(_ value: JSONValue, for action: Action) -> [KeyPress]? {
        var keys: [KeyPress] = []
        for element in value.kind == .array ? Array(value.elements) : [value] {
            let (key, invalidReason) = Self.key(element, for: action)
            if let invalidReason { addIssue(at: element, action.name, invalidReason) }
            guard let key else { return nil }
            keys.append(key)
        }
        if keys.isEmpty, action.isWayOut {
            addIssue(at: value, action.name, "needs at least one key; the default keys stay.")
            return nil
        }
        return keys
    }

    /// The key that a value names; if there is none, why the value is not valid, as the end of a sentence.
    private static func key(_ value: JSONValue, for action: Action) -> (key: KeyPress?, invalidReason: String?) {
        guard let name = value.text?.string else { return (nil, "must be the name of a key or a list of such names.") }
        let quoted = JSONOutput.quoted(name, limit: 40)
        if let reason = KeyPress.blocker(toName: name) { return (nil, "cannot be \(quoted), which \(reason).") }
        guard let key = KeyPress(named: name) else {
            let hint = NearestKeys.suggestion(about: name, among: KeyPress.named.lazy.map(\.name))
            return (nil, "cannot be \(quoted), which is not the name of a key.\(hint)")
        }
        if case .character = key, action.part.takesText {
            return (nil, "cannot be \(quoted): characters are typed as text there.")
        }
        return (key, nil)
    }

    private mutating func addIssue(at value: JSONValue, _ name: String, _ invalidReason: String) {
        let error = JSONError(at: value, "\(JSONOutput.quoted(name, limit: 60)) \(invalidReason)")
        issues.append(PreferencesIssue(error, in: path))
    }
}
