import TerminalUI
import TestSupport
import Testing

@Suite(.slow) struct DisplayTextTests {
    @Test(arguments: [
        ("plain text", "plain text"),
        ("\u{1B}[31mred\u{7F}", "^[[31mred^?"),
        ("a\r\nb\tc\0", "a^M⏎b⇥c^@"),
        ("\u{9B}2J \u{202E}abc \u{FEFF}\u{200B}", "<U+009B>2J <U+202E>abc <U+FEFF><U+200B>"),
        ("x\u{2028}y\u{FFFF}\u{E0041}", "x<U+2028>y<U+FFFF><U+E0041>"),
        ("👩‍👩‍👧‍👦 👍🏽 ❤️ 🇩🇪 1️⃣", "👩👩👧👦 👍 ❤ DE 1"),
        ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}.", "🏴."),
        ("🏴\u{E0067}\u{E007F}", "🏴<U+E0067><U+E007F>"),
        ("🏳️‍🌈 👩🏽‍🚀 🏃🏿‍♀️ 👩\u{200D}🏽 👩\u{200D}", "🏳🌈 👩🚀 🏃♀ 👩 👩"),
        ("日本 é e\u{301} नि", "日本 é e\u{301} नि"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}"),
        ("\u{301}x", "<U+0301>x"), ("\u{FE0F}x", "<U+FE0F>x"), ("\u{1161}", "<U+1161>"),
        ("نمی\u{200C}خواهم", "نمی<U+200C>خواهم"),
    ])
    func `invisible characters are escaped`(text: String, shown: String) {
        #expect(Array(DisplayText.safe(text).unicodeScalars) == Array(shown.unicodeScalars))
        #expect(DisplayText.safe(shown) == shown)
    }

    @Test(arguments: [
        ("plain", "plain"), ("é\u{1B}\r\n\t", "e^[^M\\n\\t"),
        ("şéłøıđæœßñ", "selo" + "idaeoessn"), ("ŞÉŁØİĐÆŒẞÞ", "SELOIDAEOESSTH"),
        ("Ǆǅǆ ĳ ﬃ Ə ﬅ ŉ", "DZDzdz ij ffi E st 'n"),
        ("e\u{301} s\u{327}\u{301} ế ɖ ʋ Ｗｉｄｅ 1\u{302} \u{212B}", "e s e d v Wide 1 A"),
        ("“a” ‘b’ „c‟ «d» – — ‑ − …\u{A0}\u{2009}.", "\"a\" 'b' \"c\" <<d>> - - - - ...  ."),
        ("日本 Ж ب € →", "?? ? ? ? ?"), ("👨‍👩‍👧‍👦 🇹🇷 👍🏽 ❤️ 1️⃣", "? ? ? ? 1"), ("नि ᄒ\u{1161}", "? ?"),
        ("\u{202E}\u{301} a\u{200D} a\u{34F} \u{200B} \u{9B}", "?? ? ? ? ?"),
    ])
    func `ascii charset transliterates text`(text: String, shown: String) {
        #expect(DisplayText.safe(text, charset: .ascii) == shown)
        #expect(DisplayText.width(text, charset: .ascii) == shown.utf8.count)
    }

    @Test func `latin letters become ascii letters`() {
        let scalars = [0xC0...0x233, 0x1E00...0x1EF9].joined().compactMap { Unicode.Scalar(UInt32($0)) }
        let letters = scalars.filter { [.uppercaseLetter, .lowercaseLetter].contains($0.properties.generalCategory) }
        let unknown = letters.filter { DisplayText.safe(String($0), charset: .ascii).contains("?") }
        // Tone letters of Zhuang (used until 1982), letters of Old English, and phonetic letters.
        #expect(String(String.UnicodeScalarView(unknown)) == "ƄƅƍƛƧƨƪƸƹƼƽƾƿǶǷȜȝẟ")
    }

    /// Outside of a terminal nothing is left out, but characters that control output or mislead are still escaped.
    @Test(arguments: [
        ("plain text", "plain text"), ("👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🇩🇪 1️⃣", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🇩🇪 1️⃣"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"),
        ("نمی\u{200C}خواهم", "نمی\u{200C}خواهم"), ("\u{301}x", "\u{301}x"),
        ("\u{1B}[31mred\u{7F}", "^[[31mred^?"), ("a\r\nb\tc\0", "a^M⏎b⇥c^@"),
        ("\u{9B}2J \u{202E}abc \u{FEFF}\u{200B}", "<U+009B>2J <U+202E>abc <U+FEFF><U+200B>"),
        ("👩\u{200D}\u{202E}a\u{2066}\u{200F}", "👩\u{200D}<U+202E>a<U+2066><U+200F>"),
        (
            "a🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} b",
            "a🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} b"
        ),
        ("x\u{E0067} 🏴\u{E0067}\u{E007F}", "x<U+E0067> 🏴<U+E0067><U+E007F>"),
    ])
    func `whole text is complete and escaped`(text: String, shown: String) {
        #expect(Array(DisplayText.lossless(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test(arguments: [
        ("é\u{1B}\n", "\\u{E9}^[\\n"), ("日\u{200D}", "\\u{65E5}\\u{200D}"), ("👍🏽", "\\u{1F44D}\\u{1F3FD}"),
    ])
    func `whole text in ascii is escaped`(text: String, shown: String) {
        #expect(DisplayText.lossless(text, charset: .ascii) == shown)
    }

    /// Takes minutes if each scalar copies all previous scalars.
    @Test(arguments: ["\u{7F}", "\u{202E}", "\n", "\u{301}", "é", "👨‍👩‍👧‍👦"])
    func `long text is escaped in linear time`(_ unit: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: unit, count: count)
            return ContinuousClock().measure {
                _ = DisplayText.lossless(text)
                _ = DisplayText.safe(text, charset: .ascii)
            }
        }
        // Quadratic time would be 400 times as long. The limit of 100 allows for a busy machine.
        #expect(time(400_000) < max(time(20_000), .milliseconds(1)) * 100)
    }

    /// A list draws every title in each frame, however long it is. Only an endless character, such as one with many
    /// marks, is read completely.
    @Test(arguments: ["\u{7F}", "\u{202E}", "é", "👨‍👩‍👧‍👦"])
    func `long text is read only as far as it fits`(_ unit: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: unit, count: count)
            return ContinuousClock().measure {
                #expect(!DisplayText.fits(text, columns: 20))
                #expect(DisplayText.width(DisplayText.clipped(text, to: 20)) <= 20)
                #expect(DisplayText.width(DisplayText.middleClipped(text, to: 20)) <= 20)
            }
        }
        // Reading all of it would take 100 times as long. The limit of 10, and the shortest of several times, allow for a
        // busy machine.
        let shortest = (0..<5).map { _ in time(1_000_000) }.min() ?? .zero
        #expect(shortest < max(time(10_000), .milliseconds(1)) * 10)
    }

    @Test func `no control character is unescaped`() {
        let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        let dangerous = scalars.filter { scalar in
            [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                && DisplayText.safe(String(scalar)).unicodeScalars.contains(scalar)
        }
        // Format characters that are visible: Arabic, Syriac, Kaithi, Egyptian.
        let visible: [ClosedRange<UInt32>] = [
            0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD,
            0x110CD...0x110CD, 0x13430...0x1343F,
        ]
        #expect(dangerous.filter { scalar in !visible.contains { $0.contains(scalar.value) } } == [])
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 8), ("❤️", 1), ("🏃🏿‍♀️", 3), ("🇩🇪", 2), ("नि", 2), ("각", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1B}", 2), ("\u{202E}", 8), ("", 0), ("│…✓•·", 5), ("ｱ", 1), ("Ａ", 2),
    ])
    func `width counts columns`(text: String, columns: Int) {
        #expect(DisplayText.width(text) == columns)
        #expect(DisplayText.width(DisplayText.safe(text)) == columns)
    }

    @Test(arguments: [
        ("config_categories", 8, "config_…", "conf…ies"), ("abc", 3, "abc", "abc"), ("abcd", 1, "…", "…"),
        ("abcd", 0, "", ""), ("日本語", 4, "日…", "日…"), ("a\u{1B}b", 3, "a^…", "a…b"), ("日本語日本", 7, "日本語…", "日…本"),
    ])
    func `clips at the end and in the middle`(text: String, columns: Int, clipped: String, middle: String) {
        #expect(DisplayText.clipped(text, to: columns) == clipped)
        #expect(DisplayText.middleClipped(text, to: columns) == middle)
        #expect(DisplayText.width(DisplayText.padded(text, to: columns)) == columns)
    }

    @Test func `clips with ascii ellipsis`() {
        #expect(DisplayText.clipped("abcdef", to: 4, charset: .ascii) == "abc~")
        #expect(DisplayText.clipped("Größe", to: 5, charset: .ascii) == "Gros~")
        #expect(DisplayText.padded("Größe", to: 8, charset: .ascii) == "Grosse  ")
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("", 5, [""]), ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("a\n\nb", 5, ["a", "", "b"]), ("日本語", 4, ["日本", "語"]), ("x", 0, []), ("  spaced   out ", 20, ["spaced out"]),
        ("\u{1B}[31m red", 5, ["^[[31", "m red"]), ("日", 1, [" "]),
    ])
    func `wraps at words`(text: String, columns: Int, lines: [String]) {
        #expect(DisplayText.wrapped(text, columns: columns) == lines)
    }
}
