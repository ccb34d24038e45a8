import FlagModel
import FlagSourceFirebase
import Testing

@Suite struct ConditionTreeTests {
    private func finding(_ condition: String) throws -> ConditionFinding {
        try Templates.finding(condition, TemplateContext())
    }

    @Test func noConditionsAreAllButNotAny() throws {
        #expect(try finding(#"{"andCondition": {"conditions": []}}"#).holds)
        #expect(try !finding(#"{"orCondition": {"conditions": []}}"#).holds)
    }

    @Test func onlyWhatDecidesIsLookedAt() throws {
        let any = try finding(#"{"orCondition": {"conditions": [{"false": {}}, {"true": {}}, {"false": {}}]}}"#)
        #expect(any.parts.map(\.reason) == [.never, .always])
        let all = try finding(#"{"andCondition": {"conditions": [{"true": {}}, {"false": {}}, {"true": {}}]}}"#)
        #expect(all.parts.map(\.reason) == [.always, .never])
        #expect(all.sentence == "one of these does not hold")
    }

    /// Each list costs two of the ten levels.
    @Test(arguments: [(4, true), (5, false)])
    func fourListsInEachOtherAreTheMost(depth: Int, holds: Bool) throws {
        var condition = #"{"true": {}}"#
        for _ in 0..<depth { condition = #"{"orCondition": {"conditions": [\#(condition)]}}"# }
        var deepest = try finding(condition)
        #expect(deepest.holds == holds)
        while let part = deepest.parts.last { deepest = part }
        let complaint = "more than 4 lists of conditions stand in each other"
        #expect(deepest.sentence == (holds ? "it always holds" : complaint))
    }

    @Test func anUnknownKindNeverHoldsAndIsNoted() throws {
        let template = try Templates.template(#"{"moonPhase": {"full": true}}"#)
        #expect(template.evaluation(in: TemplateContext()).conditions[0].finding.reason == .unknownKind("moonPhase"))
        #expect(
            template.problems.map(\.sentence) == [
                #"the condition "c" has a part of the unknown kind "moonPhase"; it never holds"#
            ])
    }

    @Test func whatFirebaseAdminCannotTakeIsAnError() throws {
        let template = try Templates.template(#"{"orCondition": 5}"#)
        let evaluation = template.evaluation(in: TemplateContext())
        #expect(evaluation.error == #"a list of conditions in "c" is a number"#)
        #expect(evaluation.outcomes[0].value == "no")
        #expect(template.problems.count == 1)
    }
}
