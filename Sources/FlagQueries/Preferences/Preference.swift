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
        case keys([String: [KeyPress]])
    }

    /// Every preference, in the order in which lists show them.
    public static let all: [Preference] = [
        choice(
            "theme", \.theme, variable: "FLAGMENU_THEME",
            "The colours: by the terminal's background, or fixed."),
        flag("mouse", \.mouse, "Enables the mouse; hold Shift to select text."),
        Preference(
            name: "keys", help: "Your own keys, such as {\"list.toggle\": [\"space\", \"t\"]}.", form: .keys,
            variable: nil, isForProjects: false, json: { $0.keysJSON },
            apply: { preferences, value in
                guard case .keys(let keys) = value else { return false }
                preferences.keys = keys
                return true
            }),
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

    /// A preference that is `true` or `false`.
    private static func flag(
        _ name: String, _ path: Path<Bool>, variable: String? = nil, isForProjects: Bool = false, _ help: String
    ) -> Preference {
        Preference(
            name: name, help: help, form: .flag, variable: variable, isForProjects: isForProjects,
            json: { $0[keyPath: path] ? "true" : "false" },
            apply: { preferences, value in
                guard case .flag(let isOn) = value else { return false }
                preferences[keyPath: path] = isOn
                return true
            })
    }

    /// A preference that is one of the cases of an enumeration.
    private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice>, variable: String? = nil, _ help: String
    ) -> Preference {
        Preference(
            name: name, help: help, form: .choice(Choice.allCases.map(\.rawValue)), variable: variable,
            isForProjects: false, json: { JSONOutput.quoted($0[keyPath: path].rawValue) },
            apply: { preferences, value in
                guard case .text(let text) = value, let choice = Choice(rawValue: text) else { return false }
                preferences[keyPath: path] = choice
                return true
            })
    }

    /// A preference that is a short text.
    private static func text(
        _ name: String, _ path: Path<String>, variable: String? = nil, isForProjects: Bool = false, _ help: String
    ) -> Preference {
        // Enough for a name in the title, as the title has only one line.
        let limit = 60
        return Preference(
            name: name, help: help, form: .text(limit: limit), variable: variable, isForProjects: isForProjects,
            json: { JSONOutput.quoted($0[keyPath: path]) },
            apply: { preferences, value in
                guard case .text(let text) = value, text.utf8.count <= limit else { return false }
                preferences[keyPath: path] = text
                return true
            })
    }
}

extension Preferences {
    fileprivate var keysJSON: String {
        JSONOutput.object(
            keys.sorted { $0.key < $1.key }.map { name, keys in
                (name, .array(keys.map { .string($0.name) }))
            }
        ).text(indented: false)
    }
}
