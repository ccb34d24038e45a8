#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Testing
import VendorServers

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

    private func outcome(_ key: FlagText, ring: String) throws -> ParameterOutcome {
        let template = try FirebaseTemplate(parsing: Array(Self.template.utf8))
        let conditions = template.conditions(in: TemplateContext(signals: ["ring": .text(ring)]))
        let place = try #require(template.parameters.firstIndex { $0.key == key })
        return template.outcomes(whereHold: Set(conditions.filter(\.applies).map(\.name)))[place]
    }

    @Test(
        arguments: [
            ("welcome", "beta", "beta", .text("b"), "condition beta"),
            ("welcome", "stable", "all", .text("a"), "condition all"),
            ("quiet", "beta", "beta", .inAppDefault, "condition beta leaves it to the app"),
            ("plain", "", nil, .text("d"), "default value"), ("bare", "", nil, .absent, "no default value"),
            ("app", "", nil, .inAppDefault, "the default value leaves it to the app"),
            ("blank", "beta", nil, .text("d"), "default value"),
            (
                "rolled", "", nil, .rollout(id: "r", text: "x", percent: "10"),
                "default value, a rollout that only Firebase decides"
            ),
            ("grouped", "", "all", .text("g"), "condition all"),
        ] as [(FlagText, String, FlagText?, ParameterValue, String)])
    func `the first applying condition with a value decides, otherwise the default value`(
        key: FlagText, ring: String, condition: FlagText?, value: ParameterValue, note: String
    ) throws {
        let outcome = try outcome(key, ring: ring)
        #expect(outcome.condition == condition && outcome.value == value && outcome.note == note)
    }

    @Test func `rollout has no known text`() throws { #expect(try outcome("rolled", ring: "").value.text == nil) }

    @Test func `version is read`() throws {
        let version = try #require(try FirebaseTemplate(parsing: Array(Self.template.utf8)).version)
        #expect(version.number == 28)
        #expect(version.updatedAt?.rfc3339 == "2026-05-14T18:39:38Z")
        #expect(version.rollbackSource == 26)
        #expect(version.userEmail == "a@b.example")
    }

    @Test func `template must be an object`() {
        #expect(throws: DocumentError.unknownShape("the template is an array; expected an object")) {
            try FirebaseTemplate(parsing: Array("[]".utf8))
        }
    }

    /// The tests of `FlagFormats` have the other issues.
    @Test func `issues name line and column`() throws {
        let text = """
            {"conditions": [{"name": "c", "condition": {"true": {}}}, {"name": "c", "condition": {"false": {}}}],
             "parameters": {"b": {"defaultValue": {"value": 5}}}}
            """
        let issues = try FirebaseTemplate(parsing: Array(text.utf8)).issues
        #expect(
            issues.map(\.description) == [
                #"line 1, column 59: duplicate condition "c"; position of the first, rule of the last"#,
                #"line 2, column 49: a value of "b" is a number; expected a string"#,
            ])
    }
}

@Suite struct TemplateConditionsTests {
    private static let server = """
        {"conditions": [
            {"name": "french", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": [
              {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES", "customSignalKey": "country",
                "targetCustomSignalValues": ["FR"]}},
              {"customSignal": {"customSignalOperator": "NUMERIC_GREATER_EQUAL", "customSignalKey": "os",
                "targetCustomSignalValues": ["18"]}}]}}]}}},
            {"name": "half", "condition": {"percent": {"percentOperator": "LESS_OR_EQUAL", "seed": "x",
              "microPercent": 50000000}}}],
         "parameters": {
            "menu": {"defaultValue": {"value": "old"}, "conditionalValues": {
              "half": {"value": "half"}, "french": {"value": "carte"}}},
            "plain": {"defaultValue": {"value": "1"}}}}
        """
    private func document(
        _ text: String, _ context: TemplateContext = TemplateContext(), forced: [FlagText: Bool] = [:]
    ) throws -> RemoteDocument {
        RemoteDocument(try FirebaseTemplate(parsing: Array(text.utf8)).flags(in: context, forced: forced))
    }

    private let french = TemplateContext(randomizationID: "ana", signals: ["country": "FR", "os": 18])

    @Test func `each condition has a rule and a reason`() throws {
        let document = try document(Self.server, french)
        #expect(document.dependsOnContext == true)
        let conditions = document.conditions
        #expect(conditions.map(\.name) == ["french", "half"])
        #expect(conditions[0].rule == #"country is "FR" and os >= "18""#)
        #expect(conditions[0].result == .applies)
        #expect(conditions[0].why == #"country is "FR", wanted "FR"; os is 18, wanted >= "18""#)
        #expect(conditions[1].rule == #"percentile with the seed "x" <= 50 %"#)
        let without = try self.document(Self.server).conditions
        #expect(without[0].why == "the context has no signal country")
        #expect(without[1].why == "the context has no randomization id")
    }

    @Test func `flag lists evaluated and deciding conditions`() throws {
        let other = TemplateContext(signals: ["country": "DE"])
        let snapshot = RemoteSnapshot(documents: [try document(Self.server, other, forced: ["half": true])])
        let steps = snapshot.conditions(of: "menu")
        #expect(steps.map(\.condition.name) == ["french", "half"])
        #expect(steps.map(\.part) == [.passedOver, .decides])
        #expect(steps.map(\.word) == ["does not apply", "decides: on, by hand"])
        #expect(steps.map(\.why) == [#"country is "DE", wanted "FR""#, ""])
        #expect(snapshot.values["menu"] == "half")
        #expect(snapshot.conditions(of: "plain").isEmpty)
    }

    @Test func `conditions after the deciding one are not evaluated`() throws {
        let snapshot = RemoteSnapshot(documents: [try document(Self.server, french)])
        #expect(snapshot.conditions(of: "menu").map(\.part) == [.decides, .notEvaluated])
    }

    @Test(
        arguments: [
            ([:], "unknown, so off", "false", "default value"), (["ios": true], "on, by hand", "true", "condition ios"),
        ] as [([FlagText: Bool], String, FlagText, FlagText)])
    func `client conditions apply only if forced`(
        forced: [FlagText: Bool], word: String, value: FlagText, note: FlagText
    ) throws {
        let document = try document(SampleTemplates.client, forced: forced)
        #expect(document.conditions.map(\.rule) == ["device.os == 'ios'"] && document.conditions.map(\.word) == [word])
        #expect(document.dependsOnContext == false)
        let snapshot = RemoteSnapshot(documents: [document])
        #expect(snapshot.values["menu"] == value && snapshot.note(of: "menu") == note)
        #expect(snapshot.note(of: "limit") == nil, "it is the same for all clients")
    }

    @Test func `groups become categories, values options, and an in-app default has a note`() throws {
        let document = try document(SampleTemplates.client)
        let (catalog, snapshot) = (try #require(document.catalog), RemoteSnapshot(documents: [document]))
        #expect(catalog.categories.map(\.name) == ["Shop", "Parameters"])
        let menu = try #require(catalog.item("menu"))
        #expect(menu.details == "The new menu" && menu.declaredType == .bool)
        #expect(menu.options == [FlagOption(value: "true", label: "ios"), FlagOption(value: "false")])
        #expect(catalog.item("color")?.options == [FlagOption(value: "red", label: "ios, rollout")])
        #expect(snapshot.values["color"] == nil && snapshot.source(of: "color") == nil)
        #expect(snapshot.note(of: "color") == "the default value leaves it to the app")
    }

    @Test(arguments: ["randomizationId", "randomization_id"])
    func `context is read from JSON`(name: String) throws {
        let object = try JSONDocument(
            parsing: Array(#"{"\#(name)": "ana", "os": 18, "list": [1], "isTester": true, "none": null}"#.utf8))
        #expect(
            TemplateContext(object.root)
                == TemplateContext(randomizationID: "ana", signals: ["os": 18, "isTester": .bool(true)]))
    }

    @Test func `forced conditions are read from JSON`() throws {
        let object = try JSONDocument(parsing: Array(#"{"ios": true, "beta": false, "odd": 1}"#.utf8))
        #expect(FirebaseTemplate.forcedConditions(object.root) == ["ios": true, "beta": false])
    }
}
#endif
