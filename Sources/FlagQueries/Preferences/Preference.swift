import FlagModel
package import TerminalUI

/// One member of a configuration file: its name, its form, and its effect on ``Preferences``.
///
/// The parser, the published schema, `flagmenu status --files` and the manual all use ``all``.
public struct Preference: Sendable {
    /// The JSON values that a member accepts.
    public enum Form: Sendable, Equatable {
        /// `true` or `false`.
        case flag
        /// One of the words.
        case choice([String])
        /// A string of at most `limit` bytes in UTF-8.
        case text(limit: Int)
        /// A string or a list of strings.
        case texts
        /// An object whose members are the names of actions, each with a key or a list of keys.
        case keys
    }

    /// The member's name.
    public let name: String
    /// One sentence about the preference's effect.
    public let help: String
    /// The accepted values.
    public let form: Form
    /// The equivalent environment variable, if there is one.
    public let variable: String?
    /// Whether a project's `flagmenu.json` may set the preference too.
    public let isForProjects: Bool
    /// The preference's value in JSON.
    public let json: @Sendable (Preferences) -> String
    /// Sets the preference; returns `false` if the value does not have the preference's form.
    package let apply: @Sendable (inout Preferences, Value) -> Bool

    /// A value to set.
    package enum Value {
        case flag(Bool)
        case text(String)
        case texts([String])
        case keys([String: [KeyPress]])
    }

    /// Every preference, in the order in which lists show them.
    public static let all: [Preference] = [
        choice(
            "theme", \.theme, variable: "FLAGMENU_THEME",
            "The colours: by the terminal's background, or fixed."),
        flag("mouse", \.mouse, "Enables the mouse; hold Shift to select text."),
        Preference(
            "keys", \.keys, .keys, variable: nil, isForProjects: false,
            "Your own keys, such as {\"list.toggle\": [\"space\", \"t\"]}."
        ) { keys in
            JSONOutput.object(
                keys.sorted { $0.key < $1.key }.map { name, keys in (name, .array(keys.map { .string($0.name) })) }
            ).text(indented: false)
        } read: {
            if case .keys(let keys) = $0 { keys } else { nil }
        },
        choice("charset", \.charset, "The characters drawn: those of the locale, or ASCII."),
        flag("detectBackground", \.detectsBackground, "Asks the terminal whether its background is dark or light."),
        choice("order", \.order, "The order of the list at the first start."),
        flag(
            "restoreSession", \.restoresSession,
            "Restores selection, order, pins, theme and mouse at the next start."),
        flag(
            "readOnly", \.isReadOnly, variable: "FLAGMENU_READ_ONLY", isForProjects: true,
            "Rejects every change of values that apps read."),
        text(
            "environment", \.environment, variable: "FLAGMENU_ENVIRONMENT", isForProjects: true,
            "The environment's name, shown in the title; red for production."),
        flag(
            "accessible", \.isAccessible, variable: "FLAGMENU_ACCESSIBLE",
            "Shows numbered lines and prompts instead of a screen."),
        Preference(
            name: "secret",
            help: "Keys of secret flags, such as \"*_token\": their values are not shared, nor in bug reports.",
            form: .texts, variable: nil, isForProjects: true
        ) { preferences in
            JSONOutput.array(preferences.secrets.patterns.map(JSONOutput.string)).text(indented: false)
        } apply: { preferences, value in
            guard case .texts(let patterns) = value else { return false }
            // A project adds patterns to those of the user.
            preferences.secrets.patterns += patterns.filter { !preferences.secrets.patterns.contains($0) }
            return true
        },
    ]

    /// The preference with a name; `nil` if there is none.
    public static func named(_ name: String) -> Preference? { all.first { $0.name == name } }

    /// Sets the preference from the text of an environment variable or an option.
    ///
    /// - Returns: why the text is not valid, as the end of a sentence; `nil` if the text is valid.
    public func apply(_ text: String, into preferences: inout Preferences) -> String? {
        var value = Value.text(text)
        if form == .flag {
            guard let isOn = FlagReading.bool(text) else { return Self.invalidReason(to: text, as: form) }
            value = .flag(isOn)
        }
        return apply(&preferences, value) ? nil : Self.invalidReason(to: text, as: form)
    }

    /// Why a text does not have a form, as the end of a sentence, such as `cannot be "drak". Did you mean "dark"?`.
    package static func invalidReason(to text: String, as form: Form) -> String {
        let quoted = JSONOutput.quoted(text, limit: 40)
        switch form {
        case .flag: return "must be true or false, not \(quoted)."
        case .choice(let words):
            let hint = NearestKeys.suggestion(about: text, among: words)
            return "cannot be \(quoted).\(hint.isEmpty ? " It is one of \(words.joined(separator: ", "))." : hint)"
        case .text(let limit): return "must be a text of at most \(limit) bytes."
        case .texts: return "must be a string or a list of strings."
        case .keys: return "must be an object such as {\"list.toggle\": [\"space\", \"t\"]}."
        }
    }
}

extension Preference {
    private typealias Path<Value> = any WritableKeyPath<Preferences, Value> & Sendable

    /// A preference that `read` makes of a value; `nil` if the value does not have the form.
    private init<Stored>(
        _ name: String, _ path: Path<Stored>, _ form: Form, variable: String?, isForProjects: Bool, _ help: String,
        json: @escaping @Sendable (Stored) -> String, read: @escaping @Sendable (Value) -> Stored?
    ) {
        self.init(
            name: name, help: help, form: form, variable: variable, isForProjects: isForProjects,
            json: { json($0[keyPath: path]) },
            apply: { preferences, value in
                guard let stored = read(value) else { return false }
                preferences[keyPath: path] = stored
                return true
            })
    }

    /// A preference that is `true` or `false`.
    private static func flag(
        _ name: String, _ path: Path<Bool>, variable: String? = nil, isForProjects: Bool = false, _ help: String
    ) -> Preference {
        Preference(name, path, .flag, variable: variable, isForProjects: isForProjects, help) {
            String($0)
        } read: {
            if case .flag(let isOn) = $0 { isOn } else { nil }
        }
    }

    /// A preference that is one of the cases of an enumeration.
    private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice>, variable: String? = nil, _ help: String
    ) -> Preference {
        let form = Form.choice(Choice.allCases.map(\.rawValue))
        return Preference(name, path, form, variable: variable, isForProjects: false, help) {
            JSONOutput.quoted($0.rawValue)
        } read: {
            if case .text(let text) = $0 { Choice(rawValue: text) } else { nil }
        }
    }

    /// A preference that is a short text.
    private static func text(
        _ name: String, _ path: Path<String>, variable: String? = nil, isForProjects: Bool = false, _ help: String
    ) -> Preference {
        // Enough for a name in the title, as the title has only one line.
        let limit = 60
        let form = Form.text(limit: limit)
        return Preference(name, path, form, variable: variable, isForProjects: isForProjects, help) {
            JSONOutput.quoted($0)
        } read: {
            if case .text(let text) = $0, text.utf8.count <= limit { text } else { nil }
        }
    }
}
