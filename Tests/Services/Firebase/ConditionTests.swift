#if Network
import FlagFormats
import FlagModel
import Testing

@testable import FlagSourceFirebase

/// What `VectorTests` does not show: reasons, and evaluations that differ from those of firebase-admin.
@Suite struct ConditionTests {
    private func finding(_ condition: String, _ signal: ContextValue? = nil, id: String? = nil) throws
        -> ConditionFinding
    {
        try Templates.finding(
            condition, TemplateContext(randomizationID: id, signals: signal.map { ["level": $0] } ?? [:]))
    }

    @Test(
        arguments: [
            ("user-1", 10, #"the percentile with the seed "rollout" is 77.969133 %, wanted <= 10 %"#),
            (nil, 100, "the context has no randomization id"), ("", 100, "the context has no randomization id"),
        ] as [(String?, Int, String)])
    func `reason names percentile, seed and bound, or the missing ID`(id: String?, percent: Int, why: String) throws {
        let bound = #""percentOperator": "LESS_OR_EQUAL", "microPercent": \#(percent)000000"#
        let found = try finding(#"{"percent": {"seed": "rollout", \#(bound)}}"#, id: id)
        #expect(found.why == why && !found.applies)
    }

    @Test(
        arguments: [
            ("NUMERIC_GREATER_THAN", #"["5"]"#, 4, #"level is 4, wanted > "5""#),
            ("STRING_CONTAINS", #"["a", "b"]"#, "c", #"level is "c", wanted a text that contains "a" or "b""#),
            ("NUMERIC_NOT_EQUAL", #"["5"]"#, "many", #"level is "many", which cannot be compared: wanted is not "5""#),
            ("STRING_DOES_NOT_CONTAIN", #"["x"]"#, nil, "the context has no signal level"),
            ("STRING_DOES_NOT_CONTAIN", #"["x"]"#, "", "the context has no signal level"),
            ("STRING_DOES_NOT_CONTAIN", #"["x"]"#, 0, "the context has no signal level"),
            ("STRING_DOES_NOT_CONTAIN", #"["x"]"#, 0.0, "the context has no signal level"),
        ] as [(String, String, ContextValue?, String)])
    func `reason names value and target`(word: String, targets: String, signal: ContextValue?, why: String) throws {
        let found = try finding(Templates.signal(word, targets), signal)
        #expect(found.why == why)
        #expect(!found.applies)
    }

    /// Python reads all of these texts as numbers, compares NaN, and writes `True`.
    @Test(
        arguments: [
            ("NUMERIC_NOT_EQUAL", #"["5"]"#, "nan", false), ("NUMERIC_EQUAL", #"["nan"]"#, "nan", false),
            ("NUMERIC_EQUAL", #"["50"]"#, "5_0", false), ("SEMANTIC_VERSION_LESS_EQUAL", #"["5.12.3"]"#, "5.-1", false),
            ("SEMANTIC_VERSION_GREATER_THAN", #"["5.12.3"]"#, "6.-1", false),
            ("STRING_EXACTLY_MATCHES", #"["true"]"#, .bool(true), true),
        ] as [(String, String, ContextValue, Bool)])
    func `numbers and booleans are read as in Swift, not as in Python`(
        word: String, targets: String, signal: ContextValue, applies: Bool
    ) throws {
        #expect(try finding(Templates.signal(word, targets), signal).applies == applies)
    }

    @Test(arguments: [
        (#"{"orCondition": {"conditions": [{"false": {}}, {"true": {}}, {"false": {}}]}}"#, "it always applies"),
        (#"{"andCondition": {"conditions": [{"true": {}}, {"false": {}}, {"true": {}}]}}"#, "it never applies"),
        (#"{"orCondition": {"conditions": [{"false": {}}, {"false": {}}]}}"#, "it never applies; it never applies"),
    ])
    func `reason names the deciding part or all parts`(condition: String, why: String) throws {
        #expect(try finding(condition).why == why)
    }

    /// Each list takes two of the ten levels.
    @Test(arguments: [(4, "it always applies"), (5, "more than 4 nested lists of conditions")])
    func `nesting is limited to four lists`(depth: Int, why: String) throws {
        var condition = #"{"true": {}}"#
        for _ in 0..<depth { condition = #"{"orCondition": {"conditions": [\#(condition)]}}"# }
        let found = try finding(condition)
        #expect(found.applies == (depth == 4))
        #expect(found.why == why)
    }

    @Test(arguments: [
        (#"{"moonPhase": {"full": true}}"#, #"is of the unknown kind "moonPhase""#), ("{}", "has no kind"),
        (#"{"orCondition": 5}"#, "is a list that is a number"),
        (#"{"andCondition": {"conditions": {"true": {}}}}"#, "is a list that is an object"),
        (#"{"percent": {"percentOperator": "UNKNOWN"}}"#, #"has the unknown operator "UNKNOWN""#),
        (#"{"percent": {"microPercent": 100000000}}"#, "has no operator"),
        (
            #"{"percent": {"percentOperator": "LESS_OR_EQUAL", "microPercent": "1"}}"#,
            #"has a string as "microPercent""#
        ),
        (#"{"customSignal": {"customSignalOperator": "STRING_CONTAINS"}}"#, "names no signal"),
        (
            #"{"customSignal": {"customSignalOperator": "STRING_CONTAINS", "customSignalKey": "a"}}"#,
            "compares with nothing"
        ),
        (Templates.signal("NUMERIC_EQUAL", "[5]"), "compares with a number, not with a string"),
    ])
    func `unreadable condition never applies and is an issue`(condition: String, sentence: String) throws {
        let template = try Templates.template(#"{"orCondition": {"conditions": [\#(condition), {"false": {}}]}}"#)
        #expect(template.issues.map(\.sentence) == [#"a part of the condition "c" \#(sentence); it never applies"#])
        let found = try finding(condition, 5, id: "u")
        #expect(!found.applies && found.why == "it \(sentence)")
    }
}

/// Small templates.
enum Templates {
    /// A condition on the signal `level`.
    static func signal(_ word: String, _ targets: String) -> String {
        """
        {"customSignal": {"customSignalOperator": "\(word)", "customSignalKey": "level",
         "targetCustomSignalValues": \(targets)}}
        """
    }

    /// A template with one condition `c` and one parameter `p`, which is `yes` under it.
    static func template(_ condition: String) throws -> FirebaseTemplate {
        let text = """
            {"conditions": [{"name": "c", "condition": \(condition)}],
             "parameters": {"p": {"defaultValue": {"value": "no"}, "conditionalValues": {"c": {"value": "yes"}}}}}
            """
        return try FirebaseTemplate(parsing: Array(text.utf8))
    }

    static func finding(_ condition: String, _ context: TemplateContext) throws -> ConditionFinding {
        let template = try template(condition)
        let found = context.finding(template.conditions[0].rule)
        #expect(RemoteDocument(template.flags(in: context)).values["p"] == (found.applies ? "yes" : "no"))
        return found
    }
}

extension ConditionFinding {
    /// Whether the condition applies; `false` if the result is unknown.
    var applies: Bool { result == .applies }
}

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

    private static let unreadable = Templates.signal("STRING_CONTAINS_REGEX", #"["(?<=a)b"]"#)
    private static let reason =
        #"the regular expression "(?<=a)b" cannot be used here: lookbehind is not currently supported"#

    private func condition(_ rule: String, forced: Bool? = nil) throws -> RemoteCondition {
        let flags = try Templates.template(rule).flags(
            in: TemplateContext(signals: ["level": "ab"]), forced: forced.map { ["c": $0] } ?? [:])
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
