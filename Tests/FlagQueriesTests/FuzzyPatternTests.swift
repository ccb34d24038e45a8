import FlagModel
import Testing

@testable import FlagQueries

/// Fuzzy matching: what a word matches, which letters it marks, and how matches rank.
@Suite struct FuzzyPatternTests {
    @Test(arguments: [
        ("mlt", "Multiple", true), ("mtl", "Multiple", true), ("tm", "Multiple", false), ("", "x", true),
        ("a", "", false), ("multiple", "Multiple", true), ("Multiple", "multiple", false), ("M", "multiple", false),
        ("M", "Multiple", true), ("mULT", "mULT", true), ("日本", "東京と日本", true), ("日本", "日x本", true),
        ("é", "café", true), ("_", "login_screen", true), ("abcd", "abc", false),
        // Accents are ignored, precomposed or not; case folding goes beyond ASCII.
        ("cafe", "Café", true), ("café", "CAFE\u{301}", true), ("zazolc", "Zażółć", true), ("ЖЁЛТ", "жёлтый", false),
        ("желт", "ЖЁЛТЫЙ", true), ("ωμέγα", "ΩΜΕΓΑ", true), ("σ", "ς", true), ("straße", "STRASSE", false),
        // A letter never matches the bytes of two other letters.
        ("é", "à©", false), ("本", "\u{672D}\u{65E5}", false),
    ])
    func matching(word: String, text: String, isMatch: Bool) {
        #expect((FuzzyPattern(word).score(in: FlagText(text)) != nil) == isMatch)
        #expect((FuzzyPattern(word).positions(in: text) != nil) == isMatch)
    }

    @Test(arguments: [
        ("log", "login", [0, 1, 2]), ("ls", "login_screen", [0, 6]), ("en", "screen", [4, 5]),
        ("ab", "a_ab", [2, 3]), ("mic", "maximum_item_count", [0, 8, 13]),
        ("loca", "Multiple locations", [9, 10, 11, 12]),
        ("ica", "enable_multiple_locations_magic_a", [29, 30, 32]), ("tn", "screenTypeName", [6, 10]),
        ("日", "東京と日本", [9]), ("fe", "Cafe\u{301} é", [2, 3]),
    ])
    func `marked letters`(word: String, text: String, offsets: [Int]) {
        #expect(FuzzyPattern(word).positions(in: text) == offsets)
    }

    @Test(arguments: [
        // Word starts rank before letters inside words.
        ("sc", "login_screen", "describe_it"),
        // Contiguous letters rank before scattered ones.
        ("log", "dialog", "xlxoxgx"),
        // Word starts rank before contiguous letters inside a word.
        ("mic", "maximum_item_count", "chemical"),
        // Among word starts, the smaller gap ranks first.
        ("ls", "list_size", "login_screen"),
        // The whole name ranks before a prefix, and a prefix before a later word.
        ("log", "log", "login"), ("log", "login", "x_log"),
        // The start of the text ranks before a later word.
        ("log", "login_screen", "the_login_page"),
        // Short texts rank before long ones.
        ("login", "login", "login_screen_with_a_long_name"),
        // A capital after a lowercase letter starts a word.
        ("na", "screenName", "banana"),
    ])
    func ranking(word: String, better: String, worse: String) throws {
        let pattern = FuzzyPattern(word)
        let first = try #require(pattern.score(in: FlagText(better)))
        let second = try #require(pattern.score(in: FlagText(worse)))
        #expect(first > second)
    }

    @Test(arguments: [
        ("lo", "hello", true), ("LO", "hello", false), ("lo", "HELLO", true), ("hlo", "hello", false),
        ("", "x", true), ("x", "", false), ("hello!", "hello", false),
    ])
    func containing(word: String, text: String, isContained: Bool) {
        #expect(FuzzyPattern(word).isContained(in: FlagText(text)) == isContained)
    }
}
