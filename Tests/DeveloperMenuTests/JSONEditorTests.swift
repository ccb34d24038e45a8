import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The JSON editor: lines, folds, checks while typing, and saving.
@Suite struct JSONEditorTests {
    private static let text = #"{"label":{"text":"Welcome","size":12},"tags":["a","b"],"n":1}"#

    /// A menu with the editor of one JSON flag open.
    private static func opened(
        _ value: String = text, as type: FlagType = .json, overrides: [String: String] = [:], rows: Int = 24,
        pressing keys: String = ""
    ) -> MenuDriver {
        let document = JSONOutput.object([
            ("screen", .string(value)),
            ("config_categories", .raw(#"[{"category": "C", "items": [{"key": "screen", "type": "\#(type)"}]}]"#)),
        ])
        return MenuDriver(
            .snapshot(document.text()), rows: rows, overrides: overrides, pressing: "<enter>\(keys)")
    }

    private func editor(_ menu: MenuDriver) throws -> ValueEditor {
        try #require(menu.state.sheet(ValueEditor.self))
    }

    @Test func `json in a text is edited as JSON until the user wants text`() throws {
        var menu = Self.opened("[1]", as: .string)
        #expect(try editor(menu).isDocument)
        menu.press("{<c-s>")
        #expect(menu.saved.isEmpty && menu.state.mode != .list)
        let facts = try #require(menu.state.selected)
        let hint = try editor(menu).hint(facts, columns: 300, menu.state)
        #expect(
            hint.flatMap(\.spans).map(\.text).joined().hasSuffix("^T edits it as text."), "the error names the way out")
        menu.press("<c-_><c-t>")
        #expect(try !editor(menu).isDocument && editor(menu).text == "[1]")
        #expect(menu.press("<end>{<enter>").saved == ["screen": "[1]{"])
    }

    @Test func `editing as text keeps the bytes of JSON`() {
        #expect(Self.opened(#"{"x": 1}"#, as: .string, pressing: "<c-t> <enter>").saved == ["screen": #"{"x": 1} "#])
    }

    // MARK: indenting and saving

    @Test func `opens indented with the cursor at the start`() throws {
        let editor = try editor(Self.opened())
        #expect(editor.text == JSONSpacing.indented(Self.text))
        #expect(editor.field.cursor == 0)
        #expect(editor.finding == nil)
    }

    @Test func `saving without a change sets nothing`() {
        var menu = Self.opened(#"{"a": 1,  "b":2}"#, pressing: "<c-s>")
        #expect(menu.saved.isEmpty && menu.state.mode == .list)
        menu.press("<enter> <bs><c-s>")
        #expect(menu.saved.isEmpty && menu.state.mode == .list)
    }

    @Test(arguments: [
        (#"{"a": 1}"#, #"{"a":12}"#), ("{\n    \"a\": 1\n}", "{\n    \"a\": 12\n}"),
    ])
    func `one line JSON is saved on one line, and multiline JSON keeps its lines`(value: String, saved: String) {
        #expect(Self.opened(value, pressing: "<down><end>2<c-s>").saved == ["screen": saved])
    }

    /// An override that differs only in white space is not saved again.
    @Test func `white space is not a change`() {
        var menu = Self.opened(overrides: ["screen": #"{"a":1}"#])
        #expect(menu.effects(of: "<down> <c-s>") == [])
        #expect(menu.saved == ["screen": #"{"a":1}"#])
    }

    @Test func `invalid JSON opens unchanged`() throws {
        let editor = try editor(Self.opened(overrides: ["screen": #"{"a":1,}"#]))
        #expect(editor.text == #"{"a":1,}"#)
        #expect(editor.errorIndex == 7)
    }

    // MARK: checks while typing

    @Test func `syntax error is shown with its position`() {
        var menu = Self.opened(#"{"a":1,"b":2}"#, pressing: "<down><down><home>x")
        let reason = "Not JSON yet: line 3, column 1: expected a key in double quotes"
        #expect(menu.missing(reason, "3! x  \"b\": 2") == [])
        #expect(menu.saved == [:])
        #expect(menu.press("<bs>").missing("^S changes nothing; the value is the same.") == [])
    }

    @Test func `rejected save moves the cursor to the error and unfolds it`() throws {
        var menu = Self.opened()
        // An error inside the label, which is then folded.
        menu.press("<down><down><end><bs>;<up><tab>")
        #expect(try editor(menu).folds.count == 1)
        menu.press("<pgdn><c-s>")
        let editor = try editor(menu)
        #expect(editor.folds == [])
        #expect(editor.error == "Not JSON: line 3, column 22: expected ',' or '}', found ';'.")
        #expect(editor.field.characters[editor.field.cursor] == ";")
        #expect(menu.textAtCursor?.hasPrefix(";") == true)
        #expect(menu.lines.contains { $0.contains("line 3, column 22 ") })
    }

    // MARK: lines

    @Test(arguments: [
        ("{}", "<right><enter>", "{\n  \n}", 4), ("[1]", "<enter>", "\n[\n  1\n]", 1),
        ("[1]", "<down><end><enter>", "[\n  1\n  \n]", 8), ("[]", "<right><enter>]", "[\n]\n]", 3),
        ("[1]", "<end><c-k><c-k>", "[\n]", 1), ("[1]", "<down><home><c-u>", "[  1\n]", 1),
        ("[1]", "<down><end><c-u><bs>", "[\n]", 1), ("[1]", "<c-right><bs>2", "[\n  2\n]", 5),
    ])
    func `edits in lines`(value: String, keys: String, text: String, cursor: Int) throws {
        let menu = Self.opened(value, pressing: keys)
        let editor = try editor(menu)
        #expect(editor.text == text)
        #expect(editor.field.cursor == cursor)
    }

    @Test func `cursor keeps its column across shorter lines`() throws {
        var menu = Self.opened(pressing: "<down><down><end>")
        let column = try editor(menu).field.cursor
        menu.press("<down><down><up><up>")
        #expect(try editor(menu).field.cursor == column)
    }

    @Test func `scrolls with the cursor in both directions`() throws {
        let long = String(repeating: "long ", count: 30)
        var menu = Self.opened("[\((0..<60).map { "\"\($0) \(long)end\"" }.joined(separator: ","))]")
        #expect(menu.press("<pgdn><pgdn><end>").missing("end\",") == [])
        #expect(menu.textAtCursor != nil)
        #expect(try editor(menu).scrolled.top > 0)
        menu.press("<pgup><pgup><pgup><home>")
        #expect(try editor(menu).scrolled.top == 0)
        #expect(menu.missing("\"0 long") == [])
    }

    // MARK: folding

    @Test func `tab folds and unfolds`() throws {
        var menu = Self.opened()
        let whole = try editor(menu).text
        #expect(menu.press("<down><tab>").missing("2    \"label\": { … 2 lines },", "6    \"tags\": [") == [])
        #expect(try editor(menu).text == whole)
        menu.press("<tab>")
        #expect(try editor(menu).folds == [])
        // Inside an object, Tab folds that object and the cursor stays on it.
        #expect(menu.press("<down><tab>").textAtCursor?.contains("… 2 lines") == true)
        menu.press("<s-tab><s-tab>")
        #expect(try editor(menu).folds.count == 2)
        menu.press("<home><tab>")
        #expect(try editor(menu).folds.count == 1)
    }

    @Test func `cursor skips a fold`() throws {
        var menu = Self.opened(pressing: "<down><tab><end><left><left><left>")
        let fold = try #require(try editor(menu).folds.first)
        #expect(try editor(menu).field.cursor == fold.lowerBound)
        menu.press("<right>")
        #expect(try editor(menu).field.cursor == fold.upperBound)
        menu.press("<down><up>")
        #expect(try editor(menu).folds == [fold])
    }

    /// The first press only unfolds; the second deletes.
    @Test(arguments: [
        "<end><left><bs>", "<end><left><left><bs>", "<end><left><left><left><del>", "<end><c-u>", "<home><c-k>",
    ])
    func `deleting a fold unfolds it first`(keys: String) throws {
        var menu = Self.opened()
        let whole = try editor(menu).text
        menu.press("<down><tab>\(keys)")
        #expect(try editor(menu).folds == [])
        #expect(try editor(menu).text == whole)
    }

    @Test func `tab without a fold shows a message`() {
        #expect(Self.opened("1", pressing: "<tab>").message == "Nothing to fold here.")
    }

    /// After random keys, folds match brackets, the cursor is outside folds, and undo restores the text.
    @Test(.slow, arguments: 1...8 as ClosedRange<UInt64>)
    func `folded text is never deleted unseen`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var menu = Self.opened(rows: 14)
        let whole = try editor(menu).text
        let keys: [KeyPress] = [
            .tab, .tab, .backTab, .left, .right, .up, .down, .home, .end, .enter, .backspace, .delete, .control("w"),
            .control("k"), .control("u"), .character("{"), .character("}"), .character("\""), .character(","),
            .character("1"), .paste("[\n1,\n{\n}\n]"), .paste("\u{301}"), .controlLeft, .controlRight, .pageUp,
            .pageDown, .control("_"),
        ]
        for _ in 1...400 {
            let before = try editor(menu)
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            menu.happens(.key(key))
            let editor = try editor(menu)
            let pairs = Set(JSONOutline.brackets(in: editor.field.characters))
            #expect(editor.folds.allSatisfy(pairs.contains))
            #expect(editor.lines.fold(around: editor.field.cursor) == nil)
            #expect(menu.textAtCursor != nil)
            // Undo may remove text that was typed before it was folded.
            guard key != .control("_") else { continue }
            for fold in before.folds where editor.field.characters.count < before.field.characters.count {
                let hidden = String(before.field.characters[fold])
                #expect(editor.text.contains(hidden), "folded text was deleted")
            }
        }
        while try editor(menu).canUndo { menu.press("<c-_>") }
        #expect(try editor(menu).text == whole)
    }

    // MARK: leaving

    @Test func `unsaved text is dropped on the second escape`() {
        var menu = Self.opened()
        for keys in ["x<esc>", "y<esc>"] {
            #expect(menu.press(keys).message == "Not saved. ^S saves; Esc again discards your changes.")
            #expect(menu.state.mode.part == .json)
        }
        menu.press("<esc>")
        #expect(menu.state.mode == .list && menu.saved == [:])
        #expect(menu.press("<enter><down><tab><esc>").state.mode == .list, "nothing was typed")
    }

    // MARK: the external editor

    @Test func `external editor gets the current text`() {
        var menu = Self.opened(#"{"a":1}"#)
        let effects = menu.effects(of: "<c-g>")
        #expect(effects == [.editOutside(id: 1, text: "{\n  \"a\": 1\n}", type: .json)])
    }

    /// A change that was made before the external edit needs no confirmation.
    @Test(arguments: [nil, "[7]"])
    func `valid external edit is saved`(override: String?) {
        var menu = Self.opened(#"{"a":1}"#)
        if let override { menu.changeElsewhere([.set(key: "screen", value: override)]) }
        menu.outsideEdit = .written("{\n  \"a\": 2\n}")
        #expect(menu.press("<c-g>").saved == ["screen": #"{"a":2}"#])
        #expect(menu.message == "The value from the editor is set. u undoes it.")
    }

    @Test func `invalid external edit stays open at its error`() throws {
        var menu = Self.opened(#"{"a":1}"#)
        menu.outsideEdit = .written("{\n  \"a\": \n}")
        menu.press("<c-g>")
        let editor = try editor(menu)
        #expect(menu.saved == [:])
        #expect(editor.error == "Not JSON: line 3, column 1: expected a value, found '}'.")
        #expect(editor.field.characters[editor.field.cursor] == "}")
        menu.press("<c-_><c-s>")
        #expect(menu.saved.isEmpty && menu.state.mode == .list)
    }

    @Test(arguments: [
        (OutsideEdit.failed(reason: "The editor exited with code 1."), "The editor exited with code 1."),
        (.written("{\n  \"a\": 1\n}"), "Nothing was changed in the editor."),
    ])
    func `failed or unchanged external edit changes nothing`(edit: OutsideEdit, message: String) throws {
        var menu = Self.opened(#"{"a":1}"#)
        let before = try editor(menu).text
        menu.outsideEdit = edit
        menu.press("<c-g>")
        #expect(try editor(menu).text == before)
        #expect(menu.message == message)
        #expect(menu.saved == [:])
    }

    /// The external editor hides messages, so a second save confirms overwriting an override that changed meanwhile.
    @Test(arguments: [
        ([:], [OverrideEdit.set(key: "screen", value: "[7]")], "was set to [7]"),
        (["screen": "[6]"], [.set(key: "screen", value: "[7]")], "was set to [7]"),
        (["screen": "[6]"], [.clear(key: "screen")], "was reset"),
    ])
    func `external edit confirms overwriting a concurrent change`(
        before: [String: String], elsewhere: [OverrideEdit], updates: String
    ) throws {
        var menu = Self.opened(#"{"a":1}"#, overrides: before, pressing: "<c-g>")
        menu.changeElsewhere(elsewhere)
        let stored = menu.saved
        #expect(menu.happens(.terminal(.editedOutside(id: 1, .written(#"{"a":2}"#)))).saved == stored)
        #expect(try editor(menu).text == #"{"a":2}"#)
        #expect(menu.message == "Not saved yet; ^S saves. Meanwhile the override \(updates).")
        #expect(menu.press("<c-s>").saved == ["screen": #"{"a":2}"#])
    }

    /// The editor may have been closed and opened again before a response arrives.
    @Test func `response to another request is ignored`() throws {
        var menu = Self.opened()
        let before = try editor(menu)
        menu.happens(.terminal(.editedOutside(id: 9, .written("[]"))))
        #expect(try editor(menu) == before)
    }
}
