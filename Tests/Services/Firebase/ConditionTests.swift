#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Testing

/// What `VectorTests` does not show: reasons, and evaluations that differ from those of firebase-admin.
@Suite struct ConditionTests {
    private static func signal(_ word: String, _ targets: String) -> String {
        """
        {"customSignal": {"customSignalOperator": "\(word)", "customSignalKey": "level",
         "targetCustomSignalValues": \(targets)}}
        """
    }

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
        let found = try finding(Self.signal(word, targets), signal)
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
        #expect(try finding(Self.signal(word, targets), signal).applies == applies)
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
        (signal("NUMERIC_EQUAL", "[5]"), "compares with a number, not with a string"),
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
#endif
