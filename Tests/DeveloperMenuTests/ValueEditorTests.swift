import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The editor of values without options: saving valid values and rejecting others.
@Suite struct ValueEditorTests {
    /// One flag without options of each type.
    private static let types = RemoteSnapshot.snapshot(
        #"""
        {"a_bool": "true", "an_int": "1", "a_double": "1.5", "a_string": "x", "a_json": "{}",
         "config_categories": [{"category": "C", "items": [
           {"key": "a_bool", "type": "bool"}, {"key": "an_int", "type": "int"}, {"key": "a_double", "type": "double"},
           {"key": "a_string", "type": "string"}, {"key": "a_json", "type": "json"}]}]}
        """#)

    private static func edited(_ key: String, to text: String) -> MenuDriver {
        var menu = MenuDriver(types, pressing: "/\(key)<enter><enter>")
        guard menu.state.sheet(ValueEditor.self) != nil else { return menu }
        menu.press("<c-e><c-u><paste:\(text.replacing("\n", with: "{nl}"))><c-s>")
        return menu
    }

    @Test(arguments: [
        ("an_int", "-12"), ("an_int", "0"),
        ("a_double", "1e3"), ("a_double", "-0.5"), ("a_string", ""), ("a_string", "two words"), ("a_string", "日本"),
        ("a_json", "[1,{\"a\":null}]"), ("a_json", "\"text\""), ("a_string", "one\ntwo"),
    ])
    func `valid value is saved`(key: String, text: String) {
        let menu = Self.edited(key, to: text)
        #expect(menu.saved == [key: text])
        #expect(menu.state.mode == .list)
        #expect(menu.selectedKey == key)
    }

    @Test(arguments: [
        ("an_int", "1.5", "Not an int. Write digits, with a leading - if negative."),
        ("an_int", "+1", "Not an int. Write digits, with a leading - if negative."),
        ("an_int", "", "Not an int. Write digits, with a leading - if negative."),
        ("a_double", "inf", "Not a double. Write a number such as 0.5 or 1e3."),
        ("a_json", "{", "Not JSON: line 1, column 2"),
        ("a_json", "[1, 2,]", "Not JSON: line 1, column 7"),
        ("a_json", "", "Not JSON: line 1, column 1"),
    ])
    func `invalid value is rejected and the editor stays open`(key: String, text: String, rejection: String) throws {
        var menu = Self.edited(key, to: text)
        #expect(menu.saved == [:])
        #expect(menu.effects == [])
        let editor = try #require(menu.state.sheet(ValueEditor.self))
        #expect(editor.field.text == text)
        #expect(editor.error?.hasPrefix(rejection) == true, "\(editor.error ?? "no error")")
        #expect(menu.lines.contains { $0.contains(rejection) })
        menu.press("1")
        let corrected = try #require(menu.state.sheet(ValueEditor.self))
        #expect(corrected.error == nil, "typing clears the error")
    }

    @Test func `closing changes nothing`() {
        var menu = MenuDriver(Self.types)
        #expect(menu.effects(of: "/string<enter><enter>abc<esc>") == [])
        #expect(menu.saved == [:] && menu.state.mode == .list)
    }

    @Test(arguments: [("an_int", "42"), ("a_double", "0.5")])
    func `white space around a pasted number is removed`(key: String, text: String) {
        #expect(Self.edited(key, to: "  \(text)\n").saved == [key: text])
    }

    /// A pasted line break must not press Enter, and pasted letters must not act as keys.
    @Test func `paste acts as text not as keys`() throws {
        var menu = MenuDriver(Self.types, pressing: "/string<enter><enter><c-u><paste:q{nl}x>")
        let editor = try #require(menu.state.sheet(ValueEditor.self))
        #expect(editor.field.text == "q\nx")
        menu.press("<esc>/<esc>")
        #expect(menu.effects(of: "<paste:q>") == [])
        #expect(menu.state.ending == nil)
    }

    @Test func `editing keeps existing line breaks`() {
        let menu = MenuDriver(.snapshot(#"{"text": "one\ntwo"}"#), pressing: "<enter><end>!<enter>")
        #expect(menu.saved == ["text": "one\ntwo!"])
    }

    @Test(arguments: [("12x", nil, "<bs>", "12"), ("7", "99", "0", "70")] as [(String, String?, String, String)])
    func `editor opens on an override that is invalid or hidden by a launch value`(
        override: String, launch: String?, keys: String, saved: String
    ) {
        var menu = MenuDriver(
            Self.types, overrides: ["an_int": override], launch: launch.map { ["an_int": $0] } ?? [:])
        #expect(menu.press("/an_int<enter><enter><end>\(keys)<enter>").saved == ["an_int": saved])
    }

    @Test(arguments: [
        ("5", "5"), ("<bs>5", "5"), ("<del>5", "5"), ("<paste:5>", "5"), ("<end>5", "9000005"), ("<left>5", "9000050"),
        ("<up>", "900001"), ("5<c-_><end>5", "9000005"), ("<c-u>7", "7"),
    ])
    func `the first key replaces the value and arrows keep it`(_ keys: String, _ saved: String) {
        #expect(MenuDriver(.snapshot(#"{"n": 900000}"#), pressing: "<enter>\(keys)<enter>").saved == ["n": saved])
    }

    @Test func `a flag without a value can be set to an empty text`() {
        var menu = MenuDriver(.snapshot("{\(RemoteSnapshot.catalog("t", #""type": "string""#))}"))
        #expect(menu.press("<enter><enter>").saved == ["t": ""])
    }

    /// What the editor was opened with is no longer the override: the user wants it back.
    @Test func `a value that changed meanwhile is set`() {
        var menu = MenuDriver(Self.types, overrides: ["an_int": "7"], pressing: "/an_int<enter><enter>8<bs>7")
        menu.changeElsewhere([.set(key: "an_int", value: "9")])
        #expect(menu.press("<enter>").saved == ["an_int": "7"])
    }

    /// An editor in which nothing was typed does not write over a change that was made elsewhere.
    @Test(arguments: ["an_int", "a_json"])
    func `an untouched editor sets nothing`(key: String) {
        var menu = MenuDriver(.snapshot(#"{"an_int": 1, "a_json": {"b": 1}}"#), pressing: "/\(key)<enter><enter>")
        let value = key == "an_int" ? "9" : #"{"b":2}"#
        menu.changeElsewhere([.set(key: key, value: value)])
        menu.press("<c-s>")
        #expect(menu.saved == [key: value] && menu.state.mode == .list)
    }

    @Test(
        arguments: [
            ([:], "/an_int<enter><enter><enter>", "an_int was not changed."),
            ([:], "/an_int<enter><enter>1<enter>", "an_int was not changed."),
            (["a_string": "mine"], "/string<enter><enter><enter>", "a_string already has that override."),
        ] as [([String: String], String, String)])
    func `an unchanged value sets nothing`(overrides: [String: String], keys: String, message: String) {
        var menu = MenuDriver(Self.types, overrides: overrides)
        #expect(menu.effects(of: keys) == [])
        #expect(menu.saved == overrides && menu.state.mode == .list && menu.message == message)
    }

    /// Quadratic time in the length of the text would take hours.
    @Test(.timeLimit(.minutes(10)), arguments: ["[1, \"two\"],", "日本語é👍🏽"])
    func `large paste is edited and saved whole`(piece: String) {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        var menu = MenuDriver(Self.types, pressing: "/a_string<enter><enter><c-u>")
        #expect(menu.happens(.key(.paste(text))).lines.contains { $0.contains(piece.prefix(4)) })
        #expect(menu.press("<c-a>x<del><right>y<bs><c-e>!<enter>").saved == ["a_string": "x" + text.dropFirst() + "!"])
    }

    @Test(arguments: ["/a_string<enter><enter>", "/a_json<enter><enter>", "", "/", "S", "?"])
    func `oversized paste is rejected`(keys: String) {
        var menu = MenuDriver(Self.types, pressing: keys)
        let before = menu.state.mode
        #expect(menu.happens(.key(.oversizedPaste)).state.mode == before)
        #expect(menu.message == "Not pasted: the text is longer than 1 MiB.")
        #expect(menu.lines.contains { $0.contains("the text is longer than 1 MiB") })
    }

    // MARK: numbers

    private static let bounded = RemoteSnapshot.snapshot(
        #"""
        {"count": 10, "ratio": 0.5, "free": "x", "config_categories": [{"category": "C", "items": [
          {"key": "count", "type": "int", "min": 5, "max": 50}, {"key": "ratio", "type": "double", "max": 1e0},
          {"key": "free", "type": "int"}]}]}
        """#)

    @Test(arguments: [
        ("count", "4", "Too small: it must be 5 to 50."), ("count", "51", "Too large: it must be 5 to 50."),
        ("ratio", "1.5", "Too large: it must be at most 1e0."),
        ("free", "9223372036854775808", "Out of range: an int is between \(Int64.min) and \(Int64.max)."),
    ])
    func `number out of bounds is rejected with the bounds`(key: String, text: String, rejection: String) throws {
        let menu = MenuDriver(Self.bounded, pressing: "/\(key)<enter><enter><c-u>\(text)<enter>")
        let editor = try #require(menu.state.sheet(ValueEditor.self))
        #expect(editor.error == rejection && editor.text == text)
        #expect(menu.saved == [:])
    }

    @Test(arguments: [
        ("count", "<c-u>5", "5"), ("count", "<c-u>50", "50"), ("ratio", "<c-u>1.0", "1.0"),
        ("ratio", "<c-u>-3", "-3"), ("free", "<c-u>-9", "-9"),
        // Up and down step an int within its bounds.
        ("count", "<up>", "11"), ("count", "<down><down>", "8"), ("count", "<c-u>5<down>", "5"),
        ("count", "<c-u>50<up>", "50"), ("count", "<c-u><up>", "5"), ("count", "<c-u>x<down>", "5"),
        ("free", "<c-u>9223372036854775807<up>", "9223372036854775807"),
    ])
    func `number within bounds is saved`(key: String, keys: String, saved: String) {
        #expect(MenuDriver(Self.bounded, pressing: "/\(key)<enter><enter>\(keys)<enter>").saved == [key: saved])
    }

    @Test func `only ints have steps`() {
        let menu = MenuDriver(Self.bounded, pressing: "/ratio<enter><enter><up>")
        #expect(menu.message == "Only a whole number can be increased or decreased.")
    }

    // MARK: hints while typing

    @Test(arguments: [
        ("", "Enter changes nothing; typing replaces the value."),
        ("<end><bs>", "Enter overrides the remote value."), ("<bs>", "Not an int yet."),
        ("<end>1", "It must be 0 to 50."), ("10", "Enter changes nothing; the value is the same."),
    ])
    func `hint shows what enter does or what is missing`(keys: String, words: String) {
        let catalog = RemoteSnapshot.catalog("n", #""type": "int", "min": 0, "max": 50"#)
        let menu = MenuDriver(.snapshot(#"{"n": 10, \#(catalog)}"#), pressing: "<enter>\(keys)")
        #expect(menu.missing(words, "Remote    10") == [], "\(menu.lines)")
    }

    // MARK: undo

    @Test func `undo reverts words and single deletions`() {
        var menu = MenuDriver(Self.types, pressing: "/string<enter><enter><c-u>one two<c-w>")
        var texts: [String] = []
        while let editor = menu.state.sheet(ValueEditor.self), editor.canUndo {
            menu.press("<c-_>")
            if let editor = menu.state.sheet(ValueEditor.self) { texts.append(editor.text) }
        }
        #expect(texts == ["one two", "one", "", "x"])
        #expect(menu.press("<c-_>").message == "Nothing was typed yet.")
    }

    // MARK: external changes

    @Test func `typed text survives external changes`() {
        var menu = MenuDriver(Self.types, pressing: "/string<enter><enter><c-u>half a sen")
        menu.changeElsewhere([.set(key: "a_string", value: "theirs")])
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: gone."])))
        menu.happens(.terminal(.resized(Size(columns: 120, rows: 30))))
        #expect(menu.press("tence<enter>").saved == ["a_string": "half a sentence"])
    }

    /// The source removes the flag while its value is typed; the text stays on the screen and can be saved.
    @Test func `typed text survives the removal of its flag`() {
        var menu = MenuDriver(Self.types, pressing: "/string<enter><enter><c-u>text")
        #expect(menu.happens(.activated(.snapshot(#"{"other": "1"}"#))).missing("> text") == [])
        #expect(menu.press("<enter>").saved == ["a_string": "text"])
    }
}
