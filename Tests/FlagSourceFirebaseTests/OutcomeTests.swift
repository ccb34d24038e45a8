import FlagModel
import FlagSourceFirebase
import Testing

@Suite struct OutcomeTests {
    private static let template = """
        {"conditions": [
            {"name": "beta", "condition": {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES",
              "customSignalKey": "ring", "targetCustomSignalValues": ["beta"]}}},
            {"name": "all", "condition": {"true": {}}},
            {"name": "none", "condition": {"false": {}}}],
         "parameters": {
            "welcome": {"defaultValue": {"value": "d"}, "valueType": "STRING", "description": "The greeting",
              "conditionalValues": {"all": {"value": "a"}, "none": {"value": "n"}, "beta": {"value": "b"}}},
            "quiet": {"defaultValue": {"value": "d"}, "conditionalValues": {"beta": {"useInAppDefault": true}}},
            "plain": {"defaultValue": {"value": "d"}},
            "app": {"defaultValue": {"useInAppDefault": true}},
            "bare": {"conditionalValues": {"none": {"value": "n"}}},
            "blank": {"defaultValue": {"value": "d"}, "conditionalValues": {"beta": {}, "all": {"value": "a"}}},
            "rolled": {"defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "x", "percent": 10}}}},
         "parameterGroups": {"Menu": {"parameters": {"grouped": {"defaultValue": {"value": "d"},
            "conditionalValues": {"all": {"value": "g"}}}}}},
         "version": {"versionNumber": "28", "updateTime": "2026-05-14T18:39:38.994Z", "updateOrigin": "CONSOLE",
            "updateType": "ROLLBACK", "updateUser": {"email": "a@b.example"}, "rollbackSource": "26"}}
        """

    private func outcome(
        _ key: FlagText, ring: String, _ defaults: [FlagText: FlagText] = [:]
    ) throws -> ParameterOutcome {
        let template = try FirebaseTemplate(parsing: Array(Self.template.utf8))
        let evaluation = template.evaluation(
            in: TemplateContext(signals: ["ring": .text(ring)]), inAppDefaults: defaults)
        return try #require(evaluation.outcomes.first { $0.key == key })
    }

    @Test func theFirstConditionOfTheTemplateWinsWhateverTheParameterListsFirst() throws {
        let beta = try outcome("welcome", ring: "beta")
        #expect(beta.value == "b")
        #expect(beta.reason == .condition("beta"))
        #expect(beta.passedOver == [])
        let stable = try outcome("welcome", ring: "stable")
        #expect(stable.value == "a")
        #expect(stable.passedOver == ["beta"])
        #expect(stable.note == "condition all")
    }

    @Test func aConditionCanLeaveTheValueToTheApp() throws {
        let known = try outcome("quiet", ring: "beta", ["quiet": "mine"])
        #expect(known.value == "mine")
        #expect(known.source == .inAppDefault)
        #expect(known.reason == .conditionLeavesItToTheApp("beta"))
        let unknown = try outcome("quiet", ring: "beta")
        #expect(unknown.value == nil)
        #expect(unknown.source == .none)
    }

    @Test func withoutAConditionTheDefaultValueCounts() throws {
        #expect(try outcome("plain", ring: "").reason == .defaultValue)
        #expect(try outcome("app", ring: "").reason == .defaultLeavesItToTheApp)
        let bare = try outcome("bare", ring: "")
        #expect(bare.reason == .noDefaultValue)
        #expect(bare.passedOver == ["none"])
    }

    @Test func anEmptyConditionalValueFallsToTheDefaultAndNotToTheNextCondition() throws {
        let blank = try outcome("blank", ring: "beta")
        #expect(blank.value == "d")
        #expect(blank.reason == .defaultValue)
    }

    @Test func aRolloutIsAValueThatNobodyHereCanKnow() throws {
        let rolled = try outcome("rolled", ring: "")
        #expect(rolled.value == nil)
        #expect(rolled.source == .remote)
        #expect(rolled.chosen == .rollout(id: "r", text: "x", percent: "10"))
        #expect(rolled.note == "default value, a rollout that only Firebase decides")
    }

    @Test func parametersOfGroupsFollowTheSameRules() throws {
        let grouped = try outcome("grouped", ring: "")
        #expect(grouped.group == "Menu")
        #expect(grouped.value == "g")
    }

    @Test func theVersionIsRead() throws {
        let version = try #require(try FirebaseTemplate(parsing: Array(Self.template.utf8)).version)
        #expect(version.number == 28)
        #expect(version.updatedAt?.rfc3339 == "2026-05-14T18:39:38Z")
        #expect(version.rollbackSource == 26)
        #expect(version.userEmail == "a@b.example")
    }

    private static let client = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'", "tagColor": "BLUE"},
                        {"name": "tenth", "expression": "percent <= 10"}],
         "parameters": {"menu": {"defaultValue": {"value": "d"},
            "conditionalValues": {"tenth": {"value": "t"}, "ios": {"value": "i"}}}}}
        """

    @Test(
        arguments: [([], "d"), (["ios"], "i"), (["tenth"], "t"), (["tenth", "ios"], "i")] as [([FlagText], FlagText)])
    func conditionsOfAClientTemplateAreSwitchedByHand(holding: [FlagText], value: FlagText) throws {
        let template = try FirebaseTemplate(parsing: Array(Self.client.utf8))
        #expect(template.conditionNames == ["ios", "tenth"])
        #expect(template.conditions[0].rule == .expression("device.os == 'ios'"))
        #expect(template.conditions[0].tagColor == "BLUE")
        #expect(template.outcomes(whereHold: Set(holding))[0].value == value)
    }

    @Test func aClientTemplateIsNoneForServers() throws {
        let template = try FirebaseTemplate(parsing: Array(Self.client.utf8))
        #expect(template.evaluation(in: TemplateContext()).error == "the condition has no rules for servers")
    }

    @Test(arguments: [
        ("[]", "the template is an array; expected an object"),
        (#"{"parameters": null}"#, #""parameters" of the template is null"#),
        (#"{"conditions": null}"#, #""conditions" of the template is null"#),
    ])
    func whatFirebaseAdminRefusesIsNoTemplate(text: String, sentence: String) {
        #expect(throws: DocumentError.unknownShape(sentence)) { try FirebaseTemplate(parsing: Array(text.utf8)) }
    }

    @Test func oddPartsAreNotedWithTheirPlaces() throws {
        let text = """
            {"conditions": [{"name": "c", "condition": {"true": {}}}, {"name": "c", "condition": {"false": {}}}],
             "parameters": {"a": 5, "b": {"valueType": "FISH", "defaultValue": {"value": 5},
               "conditionalValues": {"gone": {"value": "x"}}}}}
            """
        let problems = try FirebaseTemplate(parsing: Array(text.utf8)).problems
        #expect(
            problems.map(\.description) == [
                #"line 1, column 59: the condition "c" stands twice; the place of the first and the rule of the last count"#,
                #"line 2, column 22: the parameter "a" is a number and has no value; expected an object"#,
                #"line 3, column 34: "b" has a value under the condition "gone", which the template does not have; "#
                    + "it is never used",
                #"line 2, column 44: the value type of "b" was ignored; it is none of Firebase's"#,
                #"line 2, column 78: a value of "b" is a number; expected a string"#,
            ])
    }
}
