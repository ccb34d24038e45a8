import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// If every key is remapped, no screen and no printed line names a default key.
@Suite struct RemappedScreensTests {
    /// A unique letter for each action; none of them is a default key.
    private static let keys: [String: KeyPress] = Dictionary(
        uniqueKeysWithValues: ActionTable.all.enumerated().compactMap { index, action in
            Unicode.Scalar(0x100 + UInt32(index)).map { (action.name, .character(Character($0))) }
        })

    private static func menu(
        _ snapshot: RemoteSnapshot = .sample, columns: Int = 80, overrides: [String: String] = [:]
    ) -> MenuDriver {
        var menu = MenuDriver(snapshot, columns: columns, overrides: overrides)
        menu.prefer { $0.keys = keys.mapValues { [$0] } }
        return menu
    }

    /// A place in the menu, how to get there, and the actions whose keys it must name.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var columns = 80
        var overrides: [String: String] = [:]
        var document: String?
        var events: [Event] = []
        let names: [String]
    }

    private static let wide = #"""
        {"long": "a", "config_categories": [{"category": "C", "items": [
          {"key": "long", "value": "a|b|c1|c2|c3|c4|c5|c6|c7|c8|c9|d1|d2|d3|d4|d5|d6|d7|d8|d9"}]}]}
        """#
    private static let json = #"""
        {"screen": {"b": 1}, "config_categories": [{"category": "C", "items": [{"key": "screen", "type": "json"}]}]}
        """#

    private static func typing(_ text: String, _ opener: Action.ID) -> [Event] {
        [.line(.actionChosen(opener, in: .list)), .line(.textWritten(text))]
    }

    static let places: [Place] = [
        Place(
            testDescription: "values that wait",
            events: [.remote(.fetched(id: 0, waiting: .values(2), at: MenuDriver.now, errors: []))],
            names: ["list.activate"]),
        Place(
            testDescription: "details", columns: 140, overrides: ["long": "b"], document: wide,
            names: ["list.explain"]),
        Place(
            testDescription: "details of an override", columns: 140, overrides: ["enable_multiple_locations": "true"],
            events: [.line(.flagChosen("enable_multiple_locations"))], names: ["list.clear"]),
        Place(
            testDescription: "options", overrides: ["login_variant": "variant_a"],
            events: [.line(.flagChosen("login_variant")), .line(.actionChosen(.open, in: .list))],
            names: ["options.useRemote"]),
        Place(
            testDescription: "no match", events: typing("zzz", .filter) + [.line(.actionChosen(.accept, in: .filter))],
            names: ["list.cancel"]),
        Place(
            testDescription: "nothing changed", events: [.line(.actionChosen("showOverriddenOnly", in: .list))],
            names: ["list.showOverriddenOnly", "list.toggle"]),
        Place(testDescription: "no flags", document: "{}", names: ["list.fetch"]),
        Place(testDescription: "no help", events: typing("zzzz", .help), names: ["help.cancel"]),
        Place(testDescription: "no command", events: typing("zzzz", .palette), names: ["palette.cancel"]),
        Place(
            testDescription: "question", overrides: ["login_variant": "variant_a", "gone": "1"],
            events: [.line(.actionChosen(.clearAll, in: .list))],
            names: ["dialog.accept", "dialog.cancel", "list.undo"]),
        Place(
            testDescription: "other value",
            events: [
                .line(.flagChosen("login_variant")), .line(.actionChosen(.open, in: .list)),
                .line(.actionChosen(.edit, in: OptionList.part)),
                .line(.textWritten("other")), .line(.actionChosen(.accept, in: .editor)),
            ], names: ["otherValue.accept", "otherValue.cancel"]),
        Place(
            testDescription: "editor",
            events: [
                .line(.flagChosen("greeting_text")), .line(.actionChosen(.open, in: .list)),
                .line(.textWritten("other")),
            ], names: ["editor.accept"]),
        Place(
            testDescription: "JSON that is not saved", document: json,
            events: [
                .line(.actionChosen(.open, in: .list)), .line(.textWritten("{}")),
                .line(.actionChosen(.cancel, in: .json)),
            ], names: ["json.accept", "json.cancel"]),
        Place(
            testDescription: "a file that exists",
            events: typing("a.json", .export) + [
                .line(.actionChosen(.accept, in: LinePrompt.part))
            ], names: ["prompt.accept"]),
    ]

    @Test(arguments: places)
    func `screens name no default key`(place: Place) throws {
        var menu = Self.menu(
            place.document.map { .snapshot($0) } ?? .sample, columns: place.columns, overrides: place.overrides)
        menu.files["a.json"] = [:]
        for event in place.events { menu.happens(event) }
        // The footer always takes its keys from the keymap.
        let text = menu.lines.dropLast().joined(separator: "\n")
        for name in place.names {
            let key = try #require(Self.keys[name])
            #expect(text.contains(key.name), "\(name) is \(key.name) in:\n\(text)")
        }
        Self.expectNoOldKey(in: text)
    }

    @Test func `line mode names no default key`() {
        var driver = LineModeDriver(Self.menu(overrides: ["login_variant": "variant_a", "gone": "1"]))
        driver.type("reset all", "no", "login variant", "3 = other", "no")
        Self.expectNoOldKey(in: driver.printed.joined(separator: "\n"))
        #expect(driver.transcript.contains("\(Self.keys["dialog.accept"]?.name ?? "?") confirms"))
        #expect(driver.transcript.contains("\(Self.keys["otherValue.accept"]?.name ?? "?") sets it anyway"))
        #expect(driver.transcript.contains("\(Self.keys["list.quit"]?.name ?? "?") to quit"))
    }

    /// One-letter words are keys, except for the article.
    private static func expectNoOldKey(in text: String) {
        let words = text.split { " \n\u{2502}".contains($0) }
        for word in words {
            let isOld = ["y", "n", "x", "i", "m", "u", "f", "q", "(a)", "Esc", "^S"].contains(word)
            #expect(!isOld, "\(word) in:\n\(text)")
        }
        #expect(!text.contains("Enter once") && !text.contains("Enter sets") && !text.contains("press f"))
    }
}
