import DeveloperMenu
import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// The published schemas of the two configuration files match their readers.
@Suite struct ConfigurationSchemaTests {
    private let values = [
        "true", "false", "null", "1", "-2.5", "\"\"", "\"auto\"", "\"dark\"", "\"drak\"", "\"highContrast\"",
        "\"name\"",
        "\"fill\"", "\"ascii\"", "\"true\"", "[]", "[\"a\"]", "[1]", "[\"a\", true]", "{}", "{\"a\": 1}", "\"staging\"",
        "\"\(String(repeating: "x", count: 61))\"", "\"\(String(repeating: "x", count: 60))\"",
    ]

    private let keys = [
        "\"t\"", "\"space\"", "\"ctrl-r\"", "\"^R\"", "\"ctrl-i\"", "\"ctrl-c\"", "\"alt-x\"", "\"PgUp\"", "\"F12\"",
        "\"F13\"", "\"tt\"", "\"\"", "\"ü\"", "7", "null",
    ]

    private func pick(_ texts: [String], _ random: inout SeededGenerator) -> String {
        texts[Int.random(in: texts.indices, using: &random)]
    }

    /// An object of random members, some known and some unknown.
    private func object(_ names: [String], _ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...3, using: &random)
        let chosen = (names + ["mouze", "$schema", "x"]).shuffled(using: &random).prefix(count)
        return "{" + chosen.map { "\"\($0)\": \(value($0, &random))" }.joined(separator: ", ") + "}"
    }

    private func value(_ name: String, _ random: inout SeededGenerator) -> String {
        guard name == "keys", Int.random(in: 0..<8, using: &random) > 0 else {
            return pick(values, &random)
        }
        let actions = ["list.toggle", "list.quit", "list.fetch", "filter.accept", "editor.moveLeft", "list.togle"]
        let members = actions.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map { name in
            let list = (0..<Int.random(in: 0...2, using: &random)).map { _ in pick(keys, &random) }
            let isList = Bool.random(using: &random) || list.isEmpty
            return "\"\(name)\": " + (isList ? "[\(list.joined(separator: ", "))]" : list[0])
        }
        return "{\(members.joined(separator: ", "))}"
    }

    @Test func `the config schema accepts exactly what the config reader accepts`() throws {
        let schema = try JSONSchemaCheck(ConfigurationSchema.user)
        var random = SeededGenerator(seed: 7)
        var accepted = 0
        for _ in 0..<4_000 {
            let text = object(Preference.all.map(\.name), &random)
            let root = try JSONDocument(parsing: Array(text.utf8)).root
            let issues = PreferencesReading(root, path: "config.json", over: .standard).issues
            #expect(schema.accepts(root) == issues.isEmpty, "\(text): \(issues)")
            accepted += issues.isEmpty ? 1 : 0
        }
        // The comparison is only meaningful if both results are frequent.
        #expect((400...3_600).contains(accepted))
    }

    @Test func `the project schema accepts exactly what the project reader accepts`() throws {
        let schema = try JSONSchemaCheck(ConfigurationSchema.project())
        let names = ProjectFile.settings.map(\.name) + Preference.all.filter(\.isForProjects).map(\.name)
        let workplace = Workplace()
        var random = SeededGenerator(seed: 11)
        var accepted = 0
        for _ in 0..<600 {
            let text = object(names, &random)
            workplace.write(text, to: "flagmenu.json")
            let root = try JSONDocument(parsing: Array(text.utf8)).root
            let project = try? ProjectFile.find(workplace.started)
            let isAccepted = project?.warnings.isEmpty ?? false
            #expect(schema.accepts(root) == isAccepted, "\(text)")
            accepted += isAccepted ? 1 : 0
        }
        #expect((60...540).contains(accepted))
    }

    @Test func `the schema and the reader know the same settings`() throws {
        func properties(_ schema: JSONOutput) throws -> Set<String> {
            let root = try JSONDocument(parsing: Array(schema.text().utf8)).root
            return Set(root["properties"]?.members.map(\.key.string) ?? [])
        }
        #expect(try properties(ConfigurationSchema.user) == Set(Preference.all.map(\.name) + ["$schema"]))
        let root = try JSONDocument(parsing: Array(ConfigurationSchema.user.text().utf8)).root
        let actions = root["properties"]?["keys"]?["properties"]?.members.map(\.key.string) ?? []
        #expect(actions == ActionTable.all.map(\.name))
    }

    @Test func `the config command prints both schemas`() throws {
        let workplace = Workplace()
        #expect(workplace.flagmenu("status --schema").text == ConfigurationSchema.user.text() + "\n")
        #expect(workplace.flagmenu("status --project-schema").text == ConfigurationSchema.project().text() + "\n")
    }
}
