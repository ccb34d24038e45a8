import Testing

@testable import FlagModel

/// Numbers and values in sentences.
@Suite struct TextTests {
    @Test(arguments: [(0, "0 flags"), (1, "1 flag"), (2, "2 flags"), (-1, "-1 flags")])
    func `only one is singular`(number: Int, words: String) {
        #expect(number.counted("flag") == words)
    }

    @Test func `verb matches its number`() {
        #expect(1.counted("value waits", "values wait") == "1 value waits")
        #expect(3.counted("value waits", "values wait") == "3 values wait")
        #expect(1.thereAre("option") == "There is 1 option")
        #expect(3.thereAre("option") == "There are 3 options")
    }

    @Test(arguments: [
        ("no such file", "no such file."), ("it must be a string.", "it must be a string."),
        ("is this the address of a server?", "is this the address of a server?"), ("found '?'", "found '?'."),
        ("Stop!", "Stop!"), ("", ""),
    ])
    func `sentence ends with one mark`(text: String, sentence: String) {
        #expect(text.asSentence == sentence)
    }

    @Test func `error becomes a sentence`() {
        #expect(JSONError(line: 1, column: 2, issue: "is this JSON?").asSentence == "line 1, column 2: is this JSON?")
        #expect(JSONError(line: 1, column: 2, issue: "no value").asSentence == "line 1, column 2: no value.")
    }

    @Test func `empty text is shown as quotes`() {
        #expect("".orQuotes == "\"\"" && " ".orQuotes == " ")
    }
}
