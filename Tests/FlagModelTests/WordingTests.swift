import FlagModel
import Testing

/// Numbers and values in sentences.
@Suite struct WordingTests {
    @Test(arguments: [(0, "0 flags"), (1, "1 flag"), (2, "2 flags"), (-1, "-1 flags")])
    func onlyOneIsCountedInTheSingular(number: Int, words: String) {
        #expect(number.counted("flag") == words)
    }

    @Test func aVerbGoesWithItsNumber() {
        #expect(1.counted("value waits", "values wait") == "1 value waits")
        #expect(3.counted("value waits", "values wait") == "3 values wait")
        #expect(1.thereAre("option") == "There is 1 option")
        #expect(3.thereAre("option") == "There are 3 options")
    }

    @Test func nothingAtAllIsShownAsQuotes() {
        #expect("".orQuotes == "\"\"" && " ".orQuotes == " ")
    }
}
