import FlagModel
import Testing

@Suite struct ConditionTests {
    private func document(_ forced: Bool? = nil, value: FlagText? = "de") -> RemoteDocument {
        var flags = EvaluatedFlags()
        flags.conditions = [
            RemoteCondition(name: "french", rule: "country is FR", verdict: .doesNotHold, why: "country is DE"),
            RemoteCondition(name: "beta", rule: "app.beta", verdict: .unknown, forced: forced),
        ]
        flags.takesContext = true
        flags.add(
            FlagItem(key: "menu"), value: value, note: "default value", conditions: ["french", "beta"], category: "All")
        flags.add(FlagItem(key: "plain"), value: "1", category: "All")
        return RemoteDocument(flags)
    }

    @Test func aFlagTellsTheConditionsThatItHasValuesFor() {
        let board = FlagBoard(
            snapshot: RemoteSnapshot(documents: [document(true)]), launch: [:], overrides: [:])
        let steps = board.facts(of: "menu").remoteConditions
        #expect(steps.map(\.word) == ["does not apply", "decides: on, by hand"])
        #expect(steps.map(\.why) == ["country is DE", ""])
        #expect(board.facts(of: "plain").remoteConditions.isEmpty)
    }

    @Test func whyAValueIsLeftToTheAppIsKept() {
        let empty = RemoteSnapshot(documents: [document(value: nil)])
        #expect(empty.note(of: "menu") == "default value")
        #expect(empty.conditions(of: "menu").map(\.part) == [.passedOver, .passedOver])
        var other = EvaluatedFlags()
        other.add(FlagItem(key: "menu"), value: "x", note: "variant b", category: "All")
        let joined = RemoteSnapshot(documents: [document(value: nil), RemoteDocument(other)])
        #expect(joined.note(of: "menu") == "variant b", "the source whose value is in use tells why")
        #expect(joined.conditions(of: "menu").isEmpty)
    }

    @Test func aSourceTellsHowManyFlagsEachConditionDecides() {
        let evaluation = SourceEvaluation(source: "shop", context: nil, document: document())
        #expect(evaluation.flagCounts == [1, 1])
        #expect(evaluation.isOfUse && !evaluation.isChanged)
        #expect(!SourceEvaluation(source: "shop", context: nil, document: nil).isOfUse)
        #expect(SourceEvaluation(source: "shop", context: [], document: nil).isOfUse)
    }

    @Test func decisionsAreTakenBackSoThatTheRuleDecides() {
        let evaluation = SourceEvaluation(
            source: "shop", context: nil, projectDecisions: ["beta"], document: document())
        #expect(evaluation.decision(on: "beta", true) == .decide(condition: "beta", holds: true))
        #expect(evaluation.decision(on: "beta", nil) == .leaveToRule(condition: "beta", isDecidedByProject: true))
        #expect(evaluation.decision(on: "french", nil) == .leaveToRule(condition: "french", isDecidedByProject: false))
    }

    @Test func editsLieOverEachOther() {
        var own = OwnContext()
        own.apply(.set(name: "country", value: #""FR""#))
        own.apply(.leaveOut(name: "os"))
        own.apply(.set(name: "country", value: #""DE""#))
        own.apply(.decide(condition: "beta", holds: true))
        own.apply(.decide(condition: "beta", holds: false))
        #expect(
            own.members == [
                OwnContext.Member(name: "country", value: #""DE""#), OwnContext.Member(name: "os", value: nil),
            ])
        #expect(own.decisions == [OwnContext.Decision(condition: "beta", holds: false)])
        own.apply(.restore(name: "os"))
        own.apply(.leaveToRule(condition: "beta", isDecidedByProject: true))
        #expect(own.members.map(\.name) == ["country"] && own.decisions.isEmpty && own.undecided == ["beta"])
        own.apply(.reset)
        #expect(own.isEmpty)
    }

    @Test(arguments: [
        ("FR", #""FR""#), ("18", "18"), ("-3", "-3"), ("18.10", #""18.10""#), ("007", #""007""#), ("true", "true"),
        (#""18""#, #""18""#), (#"{"a": [1, 2]}"#, #"{"a":[1,2]}"#), ("", #""""#), ("null", #""null""#),
        ("a\"b", #""a\"b""#), ("[", #""[""#), (" x ", #"" x ""#),
    ])
    func whatIsTypedBecomesAValue(typed: String, json: String) {
        #expect(ContextText.json(typed, for: "member") == json)
        #expect(
            ContextText.json(ContextText.shown(json, for: "member"), for: "member") == json, "it can be typed again")
    }

    @Test func whoSomebodyIsIsAText() {
        #expect(ContextText.json("42", for: "targetingKey") == #""42""#)
        #expect(ContextText.json("42", for: "randomization_id") == #""42""#)
        #expect(ContextText.json("42", for: "zone", known: #""a""#) == #""42""#, "a text stays one")
    }
}
