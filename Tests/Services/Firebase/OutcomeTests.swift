#if Network
import FlagFormats
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
#endif
