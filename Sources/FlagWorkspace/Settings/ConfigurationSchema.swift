import DeveloperMenu
package import FlagModel
import FlagQueries
import TerminalUI

/// JSON Schemas of `config.json` and `flagmenu.json`, generated from the definitions that their parsers use, and of
/// scenarios.
package enum ConfigurationSchema {
    /// The version of JSON Schema.
    private static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// The schema of the user's `config.json`.
    package static var user: JSONOutput {
        schema("FlagMenu: preferences of a user", Preference.all)
    }

    /// The schema of a project's `flagmenu.json`.
    package static func project(_ registry: SourceRegistry = .standard) -> JSONOutput {
        let sources = oneOrMore(of: .object([("$ref", .string("#/$defs/source"))]), isRequired: true)
        return schema(
            "FlagMenu: settings of a project", Preference.all.filter(\.isForProjects),
            after: ProjectFile.settings.map { ($0.name, $0.form.map(form) ?? sources, $0.help) },
            definitions: [("source", registry.schema)])
    }

    /// The schema of a scenario's file, which is what `export` writes.
    package static var scenario: JSONOutput {
        let text = [("type", JSONOutput.string("string"))]
        func table(of value: String) -> [(String, JSONOutput)] {
            [("type", .string("object")), ("additionalProperties", .raw(value))]
        }
        let conditions = #"{"type": "object", "additionalProperties": {"enum": [true, false, null]}}"#
        let context = #"{"properties": {"context": {"type": "object"}, "conditions": \#(conditions)}}"#
        return schema(
            "FlagMenu: a scenario", [],
            after: [
                ("app", text, "The app whose changes these are."), ("source", text, "Where its flags came from."),
                ("exportedAt", text, "When it was saved, such as 2026-11-29T18:00:00Z."),
                ("overrides", table(of: #"{"not": {"type": "null"}}"#), "Values by key, as text or JSON."),
                ("contexts", table(of: context), "By the name of the source."),
                ("notes", table(of: #"{"type": "string"}"#), "Why overrides exist, by key."),
                (
                    "ends", table(of: #"{"pattern": "^([1-9][0-9]*[smhd]|restart)$"}"#),
                    "How long overrides stay, by key: 2h, or restart."
                ),
            ], required: ["exportedAt", "overrides"])
    }

    /// The keys of each part of the menu, under the part's heading.
    package static var keys: [(heading: String, actions: [(keys: String, help: String, name: String)])] {
        MenuPart.all.map { part in
            let actions = Keymap.standard.actions(in: part)
            return (part.heading, actions.map { ($0.keyNames(charset: .ascii), $0.help, $0.name) })
        }
    }

    private static func schema(
        _ title: String, _ preferences: [Preference],
        after members: [(name: String, form: [(String, JSONOutput)], help: String)] = [],
        definitions: [(String, JSONOutput)] = [], required: [String] = []
    ) -> JSONOutput {
        let members = members + preferences.map { ($0.name, form($0.form), $0.help) }
        let properties = members.map { ($0.name, JSONOutput.object([("description", .string($0.help))] + $0.form)) }
        let definitions = (preferences.contains { $0.form == .keys } ? keyDefinitions : []) + definitions
        return .object(
            [
                ("$schema", .string(dialect)), ("title", .string(title)), ("type", .string("object")),
                ("properties", .object([("$schema", .object([("type", .string("string"))]))] + properties)),
                ("additionalProperties", .bool(false)),
            ] + (required.isEmpty ? [] : [("required", .array(required.map(JSONOutput.string)))])
                + (definitions.isEmpty ? [] : [("$defs", .object(definitions))]))
    }

    private static func form(_ form: Preference.Form) -> [(String, JSONOutput)] {
        switch form {
        case .flag: [("type", .string("boolean"))]
        case .choice(let words): [("enum", .array(words.map(JSONOutput.string)))]
        case .text(let limit): [("type", .string("string")), ("maxLength", .integer(limit))]
        case .texts: oneOrMore(of: .object([("type", .string("string"))]))
        case .keys:
            [
                ("type", .string("object")), ("additionalProperties", .bool(false)),
                ("properties", .object(ActionTable.all.map { ($0.name, keys(of: $0)) })),
            ]
        }
    }

    /// The schema for the keys of an action. An action that closes something needs at least one key. Keys that type a
    /// character are not allowed in parts of the menu with text input.
    private static func keys(of action: Action) -> JSONOutput {
        let key = action.part.takesText ? "keyThatTypesNothing" : "key"
        let reference = JSONOutput.object([("$ref", .string("#/$defs/\(key)"))])
        return .object(
            [("description", .string(action.help))] + oneOrMore(of: reference, isRequired: action.isWayOut))
    }

    private static func oneOrMore(of item: JSONOutput, isRequired: Bool = false) -> [(String, JSONOutput)] {
        let list: [(String, JSONOutput)] = [("type", .string("array")), ("items", item)]
        return [("anyOf", .array([item, .object(list + (isRequired ? [("minItems", .integer(1))] : []))]))]
    }

    private static var keyDefinitions: [(String, JSONOutput)] {
        func names(_ isIncluded: (KeyPress) -> Bool) -> JSONOutput {
            .object([("enum", .array(KeyPress.named.filter { isIncluded($0.key) }.map { .string($0.name) }))])
        }
        let character: JSONOutput = .object([
            ("type", .string("string")), ("minLength", .integer(1)), ("maxLength", .integer(1)),
        ])
        return [
            ("keyThatTypesNothing", names { if case .character = $0 { false } else { true } }),
            ("key", .object([("anyOf", .array([names { _ in true }, character]))])),
        ]
    }
}
