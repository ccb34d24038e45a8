import Testing

@testable import FlagModel

@Suite struct ConditionTests {
    private func document(_ forced: Bool? = nil, value: FlagText? = "de") -> RemoteDocument {
        var flags = EvaluatedFlags()
        flags.conditions = [
            RemoteCondition(name: "french", rule: "country is FR", result: .doesNotApply, why: "country is DE"),
            RemoteCondition(name: "beta", rule: "app.beta", result: .unknown, forced: forced),
        ]
        flags.dependsOnContext = true
        flags.add(
            FlagItem(key: "menu"), value: value, note: "default value", conditions: ["french", "beta"], category: "All")
        flags.add(FlagItem(key: "plain"), value: "1", category: "All")
        return RemoteDocument(flags)
    }

    @Test func `flag lists the conditions it has values for`() {
        let board = FlagBoard(
            snapshot: RemoteSnapshot(documents: [document(true)]), launch: [:], overrides: [:])
        let steps = board.facts(of: "menu").remoteConditions
        #expect(steps.map(\.word) == ["does not apply", "decides: on, by hand"])
        #expect(steps.map(\.why) == ["country is DE", ""])
        #expect(board.facts(of: "plain").remoteConditions.isEmpty)
    }

    @Test func `note explains a value left to the app`() {
        let empty = RemoteSnapshot(documents: [document(value: nil)])
        #expect(empty.note(of: "menu") == "default value")
        #expect(empty.conditions(of: "menu").map(\.part) == [.passedOver, .passedOver])
        var other = EvaluatedFlags()
        other.add(FlagItem(key: "menu"), value: "x", note: "variant b", category: "All")
        let joined = RemoteSnapshot(documents: [document(value: nil), RemoteDocument(other)])
        #expect(joined.note(of: "menu") == "variant b", "the note comes from the source whose value is in use")
        #expect(joined.conditions(of: "menu").isEmpty)
    }

    @Test func `source counts the flags of each condition`() {
        let evaluation = SourceEvaluation(source: "shop", context: nil, document: document())
        #expect(evaluation.flagCounts == [1, 1])
        #expect(evaluation.isOfUse && !evaluation.isChanged)
        #expect(!SourceEvaluation(source: "shop", context: nil, document: nil).isOfUse)
        #expect(SourceEvaluation(source: "shop", context: [], document: nil).isOfUse)
    }

    @Test func `without a decision the rule decides`() {
        let evaluation = SourceEvaluation(
            source: "shop", context: nil, projectDecisions: ["beta"], document: document())
        #expect(evaluation.decision(on: "beta", true) == .decide(condition: "beta", applies: true))
        #expect(evaluation.decision(on: "beta", nil) == .decide(condition: "beta", applies: nil))
        #expect(evaluation.decision(on: "french", nil) == .restore(.condition, "french"))
    }

    @Test func `later edits replace earlier ones`() {
        var contextOverride = ContextOverride()
        contextOverride.apply(.set(name: "country", value: #""FR""#))
        contextOverride.apply(.set(name: "os", value: nil))
        contextOverride.apply(.set(name: "country", value: #""DE""#))
        contextOverride.apply(.decide(condition: "beta", applies: true))
        contextOverride.apply(.decide(condition: "beta", applies: false))
        #expect(
            contextOverride.members == [
                ContextOverride.Member(name: "country", value: #""DE""#),
                ContextOverride.Member(name: "os", value: nil),
            ])
        #expect(contextOverride.decisions == [ContextOverride.Decision(condition: "beta", applies: false)])
        contextOverride.apply(.restore(.attribute, "os"))
        contextOverride.apply(.decide(condition: "beta", applies: nil))
        #expect(
            contextOverride.members.map(\.name) == ["country"]
                && contextOverride.decisions == [ContextOverride.Decision(condition: "beta", applies: nil)])
        contextOverride.apply(.reset)
        #expect(contextOverride.isEmpty)
    }

    @Test(arguments: [
        ("FR", #""FR""#), ("18", "18"), ("-3", "-3"), ("18.10", #""18.10""#), ("007", #""007""#), ("true", "true"),
        (#""18""#, #""18""#), (#"{"a": [1, 2]}"#, #"{"a":[1,2]}"#), ("", #""""#), ("null", #""null""#),
        ("a\"b", #""a\"b""#), ("[", #""[""#), (" x ", #"" x ""#),
    ])
    func `typed text becomes a value`(typed: String, json: String) {
        #expect(ContextText.json(typed, for: "member") == json)
        #expect(
            ContextText.json(ContextText.shown(json, for: "member"), for: "member") == json,
            "the shown text can be typed again")
    }

    @Test func `identifiers are always strings`() {
        #expect(ContextText.json("42", for: "targetingKey") == #""42""#)
        #expect(ContextText.json("42", for: "randomization_id") == #""42""#)
        #expect(
            ContextText.json("42", for: "zone", known: #""a""#) == #""42""#, "a member that was a string stays a string"
        )
    }
}
