import TerminalUI
import Testing

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("plain text", "plain text"),
        ("\u{1B}[31mred\u{7F}", "^[[31mred^?"),
        ("a\r\nb\tc\0", "a^M⏎b⇥c^@"),
        ("\u{9B}2J \u{202E}abc \u{FEFF}\u{200B}", "<U+009B>2J <U+202E>abc <U+FEFF><U+200B>"),
        ("x\u{2028}y\u{FFFF}\u{E0041}", "x<U+2028>y<U+FFFF><U+E0041>"),
        ("👩‍👩‍👧‍👦 👍🏽 ❤️ 🇩🇪 1️⃣", "👩 👍 ❤ DE 1"),
        ("日本 é e\u{301} नि", "日本 é e\u{301} नि"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}"),
        ("\u{301}x", "<U+0301>x"), ("\u{FE0F}x", "<U+FE0F>x"), ("\u{1161}", "<U+1161>"),
        ("نمی\u{200C}خواهم", "نمی<U+200C>خواهم"),
    ])
    func writesOutWhatIsNotPlainlyVisible(text: String, shown: String) {
        #expect(Array(DisplayText.safe(text).unicodeScalars) == Array(shown.unicodeScalars))
        #expect(DisplayText.safe(shown) == shown)
    }

    @Test(arguments: [
        ("plain", "plain"), ("é\u{1B}\n\t", "\\u{E9}^[\\n\\t"), ("日", "\\u{65E5}"), ("\u{202E}", "\\u{202E}"),
    ])
    func writesEverythingInAsciiWhereThatIsAllThereIs(text: String, shown: String) {
        #expect(DisplayText.safe(text, charset: .ascii) == shown)
    }

    /// Elsewhere than on a terminal nothing is left out, but what could act or mislead is still written out.
    @Test(arguments: [
        ("plain text", "plain text"), ("👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🇩🇪 1️⃣", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🇩🇪 1️⃣"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"),
        ("نمی\u{200C}خواهم", "نمی\u{200C}خواهم"), ("\u{301}x", "\u{301}x"),
        ("\u{1B}[31mred\u{7F}", "^[[31mred^?"), ("a\r\nb\tc\0", "a^M⏎b⇥c^@"),
        ("\u{9B}2J \u{202E}abc \u{FEFF}\u{200B}", "<U+009B>2J <U+202E>abc <U+FEFF><U+200B>"),
        ("👩\u{200D}\u{202E}a\u{2066}\u{200F}", "👩\u{200D}<U+202E>a<U+2066><U+200F>"),
    ])
    func writesTextWholeForPrograms(text: String, shown: String) {
        #expect(Array(DisplayText.whole(text).unicodeScalars) == Array(shown.unicodeScalars))
        #expect(DisplayText.whole(text, charset: .ascii) == DisplayText.safe(text, charset: .ascii))
    }

    /// Minutes where each scalar copies all before it.
    @Test(arguments: ["\u{7F}", "\u{202E}", "\n", "\u{301}"]) func aLongTextIsWrittenOutInLinearTime(_ unit: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: unit, count: count)
            return ContinuousClock().measure { _ = DisplayText.whole(text) }
        }
        // Quadratic would be 400 times, and the machine may be busy.
        #expect(time(1_000_000) < max(time(50_000), .milliseconds(1)) * 100)
    }

    @Test func letsNoControlThrough() {
        let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        let dangerous = scalars.filter { scalar in
            [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                && DisplayText.safe(String(scalar)).unicodeScalars.contains(scalar)
        }
        // Format characters that are visible signs of their script: Arabic, Syriac, Kaithi, Egyptian.
        let visible: [ClosedRange<UInt32>] = [
            0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD,
            0x110CD...0x110CD, 0x13430...0x1343F,
        ]
        #expect(dangerous.filter { scalar in !visible.contains { $0.contains(scalar.value) } } == [])
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 2), ("❤️", 1), ("🇩🇪", 2), ("नि", 2), ("각", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1B}", 2), ("\u{202E}", 8), ("", 0), ("│…✓•·", 5), ("ｱ", 1), ("Ａ", 2),
    ])
    func countsColumns(text: String, columns: Int) {
        #expect(DisplayText.width(text) == columns)
        #expect(DisplayText.width(DisplayText.safe(text)) == columns)
    }

    @Test(arguments: [
        ("config_categories", 8, "config_…", "conf…ies"), ("abc", 3, "abc", "abc"), ("abcd", 1, "…", "…"),
        ("abcd", 0, "", ""), ("日本語", 4, "日…", "日…"), ("a\u{1B}b", 3, "a^…", "a…b"), ("日本語日本", 7, "日本語…", "日…本"),
    ])
    func clipsAtTheEndAndInTheMiddle(text: String, columns: Int, clipped: String, middle: String) {
        #expect(DisplayText.clipped(text, to: columns) == clipped)
        #expect(DisplayText.middleClipped(text, to: columns) == middle)
        #expect(DisplayText.width(DisplayText.padded(text, to: columns)) == columns)
    }

    @Test func clipsWithAsciiEllipsis() {
        #expect(DisplayText.clipped("abcdef", to: 4, charset: .ascii) == "abc~")
        #expect(DisplayText.padded("é", to: 8, charset: .ascii) == "\\u{E9}  ")
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("", 5, [""]), ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("a\n\nb", 5, ["a", "", "b"]), ("日本語", 4, ["日本", "語"]), ("x", 0, []), ("  spaced   out ", 20, ["spaced out"]),
        ("\u{1B}[31m red", 5, ["^[[31", "m red"]), ("日", 1, [" "]),
    ])
    func wrapsAtWords(text: String, columns: Int, lines: [String]) {
        #expect(DisplayText.wrapped(text, columns: columns) == lines)
    }
}
