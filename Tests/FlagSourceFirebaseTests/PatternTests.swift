import Testing

@testable import FlagSourceFirebase

/// Regular expressions of Python; the vectors have hundreds more.
@Suite struct PatternTests {
    private func finds(_ pattern: String, _ text: String) throws -> Bool {
        try PatternSearch.finds(PatternProgram(pattern), in: text)
    }

    @Test(arguments: [
        ("b$", "ab\n", true), (#"b\Z"#, "ab\n", false), ("a.b", "a\nb", false), ("(?s)a.b", "a\nb", true),
        ("a.b", "a\rb", true), (#"\bfoo\b"#, "foo\u{301}", true), (#"^\w+$"#, "e\u{301}", false), (#"\w"#, "Ⅷ", true),
        (#"\d"#, "٣", true), (#"(?a)\d"#, "٣", false), ("(?i)ß", "ẞ", false), ("(?i)K", "\u{212A}", true),
        ("(?i)σ", "ς", true), ("(?<=fo)o", "foo", true), ("(?<!f)oo", "foo", false), ("(a)?(?(1)b|c)", "c", true),
        (#"(a|b)\1"#, "ab", false), ("(?>a+)a", "aaa", false), ("a*+a", "aaa", false), ("(a*)*b", "aab", true),
        ("[]x]", "]", true), ("[a&&b]", "&", true), (#"\B"#, "", false), ("a{,2}$", "aaa", true), ("a{x", "a{x", true),
        ("(?x) f o # end\n o", "foo", true), ("", "", true),
    ])
    func aTextIsFoundAsPythonFindsIt(pattern: String, text: String, isFound: Bool) throws {
        #expect(try finds(pattern, text) == isFound)
    }

    @Test(arguments: [
        ("*a", "nothing to repeat"), ("a**", "multiple repeat"), ("(a", "missing ), unterminated subpattern"),
        ("a)", "unbalanced parenthesis"), ("[a", "unterminated character set"), (#"\q"#, #"bad escape \q"#),
        (#"a\"#, "bad escape (end of pattern)"), ("(?<=a+)b", "look-behind requires fixed-width pattern"),
        ("a(?i)", "global flags not at the start of the expression"), (#"\2(a)"#, "invalid group reference 2"),
        ("a{3,2}", "min repeat greater than max repeat"), ("(?P<a>x)(?P<a>y)", "redefinition of group name a"),
    ])
    func whatPythonRefusesIsRefused(pattern: String, problem: String) {
        #expect(throws: PatternError(problem: problem)) { try PatternProgram(pattern) }
    }

    @Test func anExpressionThatTakesForEverIsGivenUp() {
        let text = String(repeating: "a", count: 60)
        #expect(throws: PatternError(problem: "looking for it was given up after 2000000 steps")) {
            try finds("(a+)+b", text)
        }
    }

    @Test(.timeLimit(.minutes(1))) func whatIsRepeatedWithoutAStepIsReadOnce() throws {
        #expect(try finds("(?:(?:(?:(?:){20000}){20000}){20000}){20000}a", "a"))
        #expect(throws: PatternError(problem: "it is too large")) { try PatternProgram("(?:(?:){20000}a){20000}") }
    }

    @Test func anExpressionCannotGrowOrSinkWithoutEnd() {
        #expect(throws: PatternError(problem: "it is too large")) { try PatternProgram("((a{1000}){1000}){1000}") }
        let deep = String(repeating: "(", count: 100_000)
        #expect(throws: PatternError(problem: "its groups are too deep")) { try PatternProgram(deep) }
    }
}
