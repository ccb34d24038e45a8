import TestSupport
import Testing

@testable import DeveloperMenu

/// One line of text with a cursor between grapheme clusters.
@Suite struct TextFieldTests {
    private func field(_ text: String, _ edits: LineEdit...) -> TextField {
        var field = TextField(text)
        for edit in edits { field.edit(edit) }
        return field
    }

    @Test(
        arguments: [
            ("ab", [LineEdit.moveLeft], "ab", 1), ("ab", [.moveLeft, .moveLeft, .moveLeft], "ab", 0),
            ("ab", [.moveRight], "ab", 2), ("ab", [.moveToFirst, .moveRight], "ab", 1),
            ("ab", [.moveToFirst, .deleteForward], "b", 0), ("ab", [.deleteForward], "ab", 2),
            ("ab", [.deleteBackward], "a", 1), ("", [.deleteBackward], "", 0),
            ("ab", [.moveLeft, .deleteToStart], "b", 0), ("ab", [.moveLeft, .deleteToEnd], "a", 1),
            ("one two  ", [.deleteWord], "one ", 4), ("one", [.deleteWord], "", 0), ("  ", [.deleteWord], "", 0),
            ("one, two", [.previousWord], "one, two", 5), ("one, two", [.previousWord, .previousWord], "one, two", 0),
            ("one, two", [.moveToFirst, .nextWord], "one, two", 3),
            ("one, two", [.moveToFirst, .nextWord, .nextWord, .nextWord], "one, two", 8),
            ("日本 語", [.previousWord, .previousWord], "日本 語", 0),
            ("日本", [.deleteBackward], "日", 1), ("👩‍👩‍👧", [.deleteBackward], "", 0),
            ("e\u{301}x", [.moveLeft, .moveLeft], "e\u{301}x", 0),
        ] as [(String, [LineEdit], String, Int)])
    func `edits a line`(text: String, edits: [LineEdit], result: String, cursor: Int) {
        var field = TextField(text)
        for edit in edits { field.edit(edit) }
        #expect(field.text == result)
        #expect(field.cursor == cursor)
    }

    @Test func `text is inserted at the cursor`() {
        var field = field("ad", .moveLeft)
        field.insert("bc")
        #expect(field.text == "abcd")
        #expect(field.cursor == 3)
    }

    @Test(arguments: [
        ("", 3, "abc", false), ("xyz", 3, "xyz", false), ("x", 5, "xabcd", true), ("xyz", 2, "xyz", false),
    ])
    func `insert stops at the limit`(before: String, limit: Int, after: String, isWhole: Bool) {
        var field = TextField(before)
        let isInserted = field.insert("abcd", limit: limit)
        #expect(field.text == after)
        #expect(isInserted == isWhole)
        #expect(field.cursor == after.count)
    }

    /// Random edits may join or split grapheme clusters.
    @Test(arguments: 1...20)
    func `characters match the text`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "b c", "\r", "\n", "e\u{301}", "\u{301}", "🇩", "🇪🇩", "👩\u{200D}", "👧", "日", "\u{600}", ""]
        let edits: [LineEdit] = [
            .moveLeft, .moveLeft, .moveRight, .moveToFirst, .moveToLast, .deleteBackward, .deleteForward, .deleteWord,
            .nextWord, .previousWord,
        ]
        var field = TextField()
        for _ in 1...300 {
            if Bool.random(using: &random), let piece = pieces.randomElement(using: &random) {
                field.insert(piece)
            } else if let edit = edits.randomElement(using: &random) {
                field.edit(edit)
            }
            #expect(field.characters == Array(field.text))
            #expect((0...field.characters.count).contains(field.cursor))
        }
    }

    @Test func `combining mark joins the character before it`() {
        var field = TextField("e")
        field.insert("\u{301}")
        #expect(field.characters == ["e\u{301}"])
        #expect(field.cursor == 1)
    }

    /// Two regional indicators become one character when the text between them is deleted.
    @Test func `characters join after a deletion`() {
        let field = field("🇩x🇪", .moveLeft, .deleteBackward)
        #expect(field.characters == ["🇩🇪"])
        #expect(field.cursor <= 1)
    }
}
