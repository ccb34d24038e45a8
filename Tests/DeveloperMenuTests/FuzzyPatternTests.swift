import FlagModel
import Testing

@testable import DeveloperMenu

/// What a word matches, which letters it marks, and which of two matches is better.
@Suite struct FuzzyPatternTests {
    @Test(arguments: [
        ("mlt", "Multiple", true), ("mtl", "Multiple", true), ("tm", "Multiple", false), ("", "x", true),
        ("a", "", false), ("multiple", "Multiple", true), ("Multiple", "multiple", false), ("M", "multiple", false),
        ("M", "Multiple", true), ("mULT", "mULT", true), ("日本", "東京と日本", true), ("日本", "日x本", true),
        ("é", "café", true), ("_", "login_screen", true), ("abcd", "abc", false),
    ])
    func matching(word: String, text: String, isMatch: Bool) {
        #expect((FuzzyPattern(word).score(in: FlagText(text)) != nil) == isMatch)
        #expect((FuzzyPattern(word).positions(in: text) != nil) == isMatch)
    }

    @Test(arguments: [
        ("log", "login", [0, 1, 2]), ("ls", "login_screen", [0, 6]), ("en", "screen", [4, 5]),
        ("ab", "a_ab", [2, 3]),
    ])
    func markedLetters(word: String, text: String, offsets: [Int]) {
        #expect(FuzzyPattern(word).positions(in: text) == offsets)
    }

    @Test(arguments: [
        // Word starts before letters inside words.
        ("sc", "login_screen", "describe_it"),
        // Letters that follow each other before scattered ones.
        ("log", "dialog", "lemon_orange_grape_x_y_zlxoxg".replacingUnderscores),
        // The start of the text before a later word.
        ("log", "login_screen", "the_login_page"),
        // Short texts before long ones.
        ("login", "login", "login_screen_with_a_long_name"),
        // A capital after a small letter starts a word.
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

extension String {
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? "-" : $0 }) }
}
