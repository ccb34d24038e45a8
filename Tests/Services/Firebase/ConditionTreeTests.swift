#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Testing

@Suite struct ConditionTreeTests {
    private func finding(_ condition: String) throws -> ConditionFinding {
        try Templates.finding(condition, TemplateContext())
    }

    @Test func `empty and applies and empty or does not`() throws {
        #expect(try finding(#"{"andCondition": {"conditions": []}}"#).applies)
        #expect(try !finding(#"{"orCondition": {"conditions": []}}"#).applies)
    }

    @Test func `reason names the deciding part or all parts`() throws {
        let any = try finding(#"{"orCondition": {"conditions": [{"false": {}}, {"true": {}}, {"false": {}}]}}"#)
        #expect(any.why == "it always applies")
        let all = try finding(#"{"andCondition": {"conditions": [{"true": {}}, {"false": {}}, {"true": {}}]}}"#)
        #expect(all.why == "it never applies")
        let none = try finding(#"{"orCondition": {"conditions": [{"false": {}}, {"false": {}}]}}"#)
        #expect(none.why == "it never applies; it never applies")
    }

    /// Each list takes two of the ten levels.
    @Test(arguments: [(4, true), (5, false)])
    func `nesting is limited to four lists`(depth: Int, applies: Bool) throws {
        var condition = #"{"true": {}}"#
        for _ in 0..<depth { condition = #"{"orCondition": {"conditions": [\#(condition)]}}"# }
        let found = try finding(condition)
        #expect(found.applies == applies)
        let reason = "more than 4 nested lists of conditions"
        #expect(found.why == (applies ? "it always applies" : reason))
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
        (
            #"{"customSignal": {"customSignalOperator": "NUMERIC_EQUAL", "customSignalKey": "a", "#
                + #""targetCustomSignalValues": [5]}}"#, "compares with a number, not with a string"
        ),
    ])
    func `unreadable condition never applies and is an issue`(condition: String, sentence: String) throws {
        let template = try Templates.template(#"{"orCondition": {"conditions": [\#(condition), {"false": {}}]}}"#)
        #expect(template.issues.map(\.sentence) == [#"a part of the condition "c" \#(sentence); it never applies"#])
        let found = try Templates.finding(condition, TemplateContext(randomizationID: "u", signals: ["a": 5]))
        #expect(!found.applies && found.why == "it \(sentence)")
    }
}
#endif
