public import FlagModel
import TerminalUI

/// A parsed configuration file: preferences, and errors.
public struct PreferencesReading: Sendable, Equatable {
    /// The resulting preferences.
    public private(set) var preferences: Preferences
    /// Invalid members; their previous preferences stay.
    public private(set) var problems: [PreferencesProblem] = []
    /// The error of the read-only member; one of the problems.
    public private(set) var readOnlyProblem: PreferencesProblem?
    /// Keys that two actions want.
    public var clashes: [PreferencesProblem] {
        guard !preferences.keys.isEmpty else { return [] }
        return Keymap.remapping(ActionTable.all, by: preferences.keys).clashes.map {
            PreferencesProblem("\(path): \($0)", path: path)
        }
    }
    /// The valid members.
    public private(set) var names: [String] = []

    private let path: String

    /// Parses the object of a file, on top of other preferences.
    ///
    /// - Parameters:
    ///   - root: the file's value.
    ///   - path: the file's path, for sentences.
    ///   - preferences: the preferences below.
    ///   - isProject: whether it is a project's file, whose other members are not preferences.
    public init(_ root: JSONValue, path: String, over preferences: Preferences, isProject: Bool = false) {
        self.path = path
        self.preferences = preferences
        guard root.kind == .object else {
            problems = [
                PreferencesProblem("\(path) must contain a JSON object such as {\"theme\": \"dark\"}.", path: path)
            ]
            return
        }
        for (key, value) in root.members {
            let name = key.string
            guard let preference = Preference.named(name), !isProject || preference.isForProjects else {
                if !isProject { tellUnknown(name, value) }
                continue
            }
            take(value, as: preference)
        }
    }

    private mutating func tellUnknown(_ name: String, _ value: JSONValue) {
        guard name != "$schema" else {
            if value.text == nil { object(to: value, "$schema", "must be a string.") }
            return
        }
        object(
            to: value, name,
            "is not a preference.\(NearestKeys.question(about: name, among: Preference.all.map(\.name)))")
    }

    private mutating func take(_ value: JSONValue, as preference: Preference) {
        let taken: Preference.Value? =
            switch preference.form {
            case .flag: value.bool.map(Preference.Value.flag)
            case .choice, .text: value.text.map { .text($0.string) }
            case .keys: value.kind == .object ? .keys(keys(in: value)) : nil
            case .texts: nil
            }
        if let taken, preference.take(&preferences, taken) {
            names.append(preference.name)
        } else {
            let spelled = value.text?.string ?? value.source
            object(to: value, preference.name, Preference.objection(to: spelled, as: preference.form))
            if preference.name == "readOnly" { readOnlyProblem = problems.last }
        }
    }

    private mutating func keys(in object: JSONValue) -> [String: [KeyPress]] {
        var assigned: [String: [KeyPress]] = [:]
        for (key, value) in object.members {
            let name = key.string
            guard let action = ActionTable.named(name) else {
                let hint = NearestKeys.question(about: name, among: ActionTable.all.lazy.map(\.name))
                let remedy = hint.isEmpty ? " flagmenu manual lists the names." : hint
                self.object(to: value, name, "is not an action.\(remedy)")
                continue
            }
            if let keys = keys(value, for: action) { assigned[name] = keys }
        }
        return assigned
    }

    /// The keys that a member gives to an action; `nil` if one of them is invalid, so that the standard keys stay.
    private mutating func keys(_ value: JSONValue, for action: Action) -> [KeyPress]? {
        guard value.kind == .string || value.kind == .array else {
            object(to: value, action.name, "must be the name of a key or a list of such names.")
            return nil
        }
        var keys: [KeyPress] = []
        for element in value.kind == .array ? Array(value.elements) : [value] {
            let (key, objection) = Self.key(element, for: action)
            if let objection { object(to: element, action.name, objection) }
            guard let key else { return nil }
            keys.append(key)
        }
        if keys.isEmpty, action.isWayOut {
            object(to: value, action.name, "needs at least one key; the default keys stay.")
            return nil
        }
        return keys
    }

    private static func key(_ value: JSONValue, for action: Action) -> (KeyPress?, String?) {
        guard let name = value.text?.string else { return (nil, "must be the name of a key or a list of such names.") }
        let quoted = JSONOutput.quoted(name, limit: 40)
        if let reason = KeyPress.obstacle(toName: name) { return (nil, "cannot be \(quoted), which \(reason).") }
        guard let key = KeyPress(named: name) else {
            let hint = NearestKeys.question(about: name, among: KeyPress.named.lazy.map(\.name))
            return (nil, "cannot be \(quoted), which is not the name of a key.\(hint)")
        }
        if case .character = key, action.part.takesText {
            return (nil, "cannot be \(quoted): characters are typed as text there.")
        }
        return (key, nil)
    }

    private mutating func object(to value: JSONValue, _ name: String, _ objection: String) {
        let error = JSONError(at: value, "\(JSONOutput.quoted(name, limit: 60)) \(objection)")
        problems.append(PreferencesProblem(error, in: path))
    }
}
