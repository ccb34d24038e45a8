#if Network
import FlagModel
import Testing

@testable import FlagSourceFirebase

/// Regular expressions of conditions.
@Suite struct ConditionPatternTests {
    @Test(arguments: [
        ("", "", true), ("bar", "foobarbaz", true), ("^ba.*$", "foobar", false), (#"^18\.\d+"#, "18.2.1", true),
        (#"^(\d+\.){2}\d+$"#, "18.2", false), ("(ios|android)$", "pixel android", true), ("[a-c]+[0-9]+", "ab12", true),
        ("(?i)FOO", "foobar", true), ("FOO", "foobar", false), ("(?i)É", "é", true), ("(?i:F)oo", "foo", true),
        (#"^\w+$"#, "中文", true), ("é", "e\u{301}", false), ("^.$", "\u{1F600}", true), (#"\d"#, "٣", true),
        ("(?P<x>a)(?P=x)", "aa", true), (#"(a|b)\1"#, "ab", false), ("(?s)a.b", "a\nb", true), ("a.b", "a\nb", false),
        ("(?m)^line2$", "line1\nline2\n", true), ("(?=foo)f", "foo", true), ("a*+a", "aaa", false),
        ("(?x) f o # end\n o", "foo", true),
    ])
    func `pattern matches anywhere unless anchored`(pattern: String, text: String, isFound: Bool) throws {
        #expect(try ConditionPattern(pattern).isFound(in: text) == isFound)
    }

    @Test(arguments: [
        ("a(b", "expected ')'"), ("*a", "quantifier '*' must appear after expression"),
        ("(?<=a)b", "lookbehind is not currently supported"),
        ("a{3,2}", "range lower bound '3' must be less than or equal"),
        (String(repeating: "a", count: 501), "it is longer than 500 characters"),
        (String(repeating: "[a", count: 33), "it has more than 32 groups and sets"),
    ])
    func `unsupported pattern has a reason`(pattern: String, reason: String) throws {
        let sentence = try #require(throws: UnsupportedCondition.self) { try ConditionPattern(pattern) }.reason
        #expect(
            sentence.hasPrefix("the regular expression \(JSONOutput.quoted(pattern, limit: 60)) cannot be used here: "))
        #expect(sentence.contains(reason), "\(sentence)")
    }

    @Test func `pattern and text at the limits are supported`() throws {
        let sets = String(repeating: "[a", count: 32) + String(repeating: "]", count: 32)
        #expect(try ConditionPattern(sets).isFound(in: String(repeating: "a", count: 500)))
        #expect(throws: UnsupportedCondition.self) {
            try ConditionPattern("a").isFound(in: String(repeating: "a", count: 501))
        }
    }

    @Test(
        arguments: [
            ("(a+)+b", 11), ("(a|a)+b", 11), ("((a+)+)+b", 7), ("(?:a{1,12}){1,12}b", 11), (".*.*b", 101),
            ("a*a*a*b", 32),
            ("(a{0,3}){3}b", 24), ("((){900}){900}b", 1), ("a?a?a?a?a?a?a?a?b", 150), ("(?x)(a+ # )\n)+b", 12),
            (#"(a+)\1*b"#, 101), ("(?#()(a+)+b", 8), ("(a|b)*c", 12), (#"^(\d+\.){2}\d+$"#, 26), ("[(a+)+]*b", 500),
            (#"\p{L}+\.b"#, 500),
        ])
    func `searches that could take seconds are not started; usual searches are`(pattern: String, most: Int) throws {
        let pattern = try ConditionPattern(pattern)
        let start = ContinuousClock.now
        #expect(try !pattern.isFound(in: String(repeating: "a", count: most)))
        #expect(.now - start < .seconds(5))
        guard most < 500 else { return }
        let error = try #require(throws: UnsupportedCondition.self) {
            try pattern.isFound(in: String(repeating: "a", count: 2 * most))
        }
        #expect(error.reason.contains("its repetitions may take too long in a text of \(2 * most) characters"))
    }

    private static let unreadable = """
        {"customSignal": {"customSignalOperator": "STRING_CONTAINS_REGEX", "customSignalKey": "name",
         "targetCustomSignalValues": ["(?<=a)b"]}}
        """
    private static let reason =
        #"the regular expression "(?<=a)b" cannot be used here: lookbehind is not currently supported"#

    private func condition(_ rule: String, forced: Bool? = nil) throws -> RemoteCondition {
        let flags = try Templates.template(rule).flags(
            in: TemplateContext(signals: ["name": "ab"]), forced: forced.map { ["c": $0] } ?? [:])
        return try #require(flags.conditions.first)
    }

    @Test func `condition with unsupported pattern is unknown unless forced`() throws {
        let found = try condition(Self.unreadable)
        #expect(found.result == .unknown)
        #expect(found.why == Self.reason)
        #expect(!found.applies)
        #expect(try condition(Self.unreadable, forced: true).applies)
    }

    @Test func `another part can decide despite an unsupported pattern`() throws {
        func result(_ list: String, _ other: String) throws -> RemoteCondition.Result {
            try condition(#"{"\#(list)": {"conditions": [\#(Self.unreadable), {"\#(other)": {}}]}}"#).result
        }
        #expect(try result("orCondition", "true") == .applies)
        #expect(try result("orCondition", "false") == .unknown)
        #expect(try result("andCondition", "false") == .doesNotApply)
        #expect(try result("andCondition", "true") == .unknown)
    }
}
#endif
