import FlagFormats
import FlagModel
import TestSupport
import Testing

@Suite struct TemplateTests {
    @Test func `a condition's value is an option with the name of the condition`() throws {
        let remote = try RemoteDocument(
            ofAnyFormat: #"""
                {"conditions": [{"name": "ios", "expression": "a"}, {"name": "beta", "expression": "b"},
                   {"name": "old", "expression": "c"}, {"name": "some", "expression": "d"},
                   {"name": "tried", "expression": "e"}],
                 "parameters": {
                   "welcome": {"defaultValue": {"value": "hi"}, "conditionalValues":
                     {"ios": {"value": "hello"}, "beta": {"value": "hi"}, "old": {"useInAppDefault": true}}},
                   "rollout": {"defaultValue": {"value": "a"}, "conditionalValues":
                     {"some": {"rolloutValue": {"rolloutId": "r", "value": "b", "percent": 10}},
                      "tried": {"experimentValue": {"experimentId": "e", "variantValue":
                        [{"variantId": "0", "value": "a"}, {"variantId": "1", "value": "c"},
                         {"variantId": "2", "noChange": true}]}}}}},
                 "parameterGroups": {"Menu": {"description": "What is on it",
                   "parameters": {"plain": {"valueType": "BOOLEAN"}}}}}
                """#.bytes)
        #expect(remote.issues.isEmpty)
        #expect(remote.catalog?.categories.map(\.details) == ["What is on it", nil])
        let options = ["welcome", "rollout"].map { key in
            remote.catalog?.item(key)?.options.map { "\($0.value)(\($0.label ?? ""))" }
        }
        #expect(
            options == [
                ["hi(beta)", "hello(ios)"], ["a(tried, variant 0)", "b(some, rollout)", "c(tried, variant 1)"],
            ])
    }

    @Test func `only malformed parts are left out`() throws {
        let remote = try RemoteDocument(
            ofAnyFormat: """
                {"parameterGroups": {"G": 1, "H": {"description": 2, "parameters": {"a": {"defaultValue": {"value": "1"}}}}},
                "parameters": {
                "a": {"defaultValue": {"value": "2"}},
                "b": 3,
                "c": {"defaultValue": "x", "conditionalValues": [], "valueType": "COLOUR"},
                "d": {"defaultValue": {"value": "1"}, "conditionalValues": {"ios": 4}, "description": 5}}}
                """.bytes)
        #expect(remote.catalog?.items.map(\.key.string) == ["a", "c", "d"] && remote.values == ["a": "1", "d": "1"])
        #expect(
            remote.issues.map(\.description) == [
                #"line 1, column 27: the group "G" is a number and was left out"#,
                #"line 1, column 51: "description" of "H" is a number and was ignored; expected a string"#,
                #"line 3, column 6: duplicate parameter "a"; the one in the group "H" is used"#,
                #"line 4, column 6: the parameter "b" is a number and was left out"#,
                #"line 5, column 49: the conditional values of "c" were ignored; expected an object"#,
                #"line 5, column 6: the value type "COLOUR" of "c" was ignored; Firebase has no such type"#,
                #"line 5, column 23: a value of "c" is a string and was ignored; expected an object"#,
                #"line 6, column 68: "d" has a value under the condition "ios", which the template does not have; "#
                    + "it is never used",
                #"line 6, column 68: a value of "d" is a number and was ignored; expected an object"#,
                #"line 6, column 87: "description" of "d" is a number and was ignored; expected a string"#,
            ])
    }

    @Test(
        arguments: [
            (
                #"{"useInAppDefault": true}"#, "STRING", "5",
                #"; the one without a group is used, as the one in the group "G" has no value"#
            ),
            (
                #"{"value": "abc"}"#, "NUMBER", "5",
                #"; the one without a group is used, as the one in the group "G" has no valid value"#
            ),
            (#"{"value": "6"}"#, "NUMBER", "6", #"; the one in the group "G" is used"#),
        ])
    func `a duplicate parameter keeps the definition that has a valid value`(
        _ inGroup: String, _ type: String, _ value: String, _ words: String
    ) throws {
        let remote = try RemoteDocument(
            ofAnyFormat: #"""
                {"parameters": {"a": {"defaultValue": {"value": "5"}, "valueType": "\#(type)"}},
                "parameterGroups": {"G": {"parameters": {"a": {"defaultValue": \#(inGroup), "valueType": "\#(type)"}}}}}
                """#.bytes)
        #expect(remote.values == ["a": value])
        #expect(remote.issues.last?.sentence == #"duplicate parameter "a""# + words)
    }

    @Test func `a value that does not fit its declared type has a warning`() throws {
        let remote = try RemoteDocument(
            ofAnyFormat: #"""
                {"conditions": [{"name": "c", "expression": "true"}], "parameters": {
                "n": {"defaultValue": {"value": "ten"}, "conditionalValues": {"c": {"value": "10"}}, "valueType": "NUMBER"},
                "b": {"defaultValue": {"value": "no"}, "conditionalValues": {"c": {"value": "maybe"}}, "valueType": "BOOLEAN"},
                "j": {"defaultValue": {"value": "{"}, "valueType": "JSON"}, "s": {"defaultValue": {"value": "{"}}}}
                """#.bytes)
        #expect(remote.values == ["n": "ten", "b": "no", "j": "{", "s": "{"])
        #expect(
            remote.issues.map(\.description) == [
                #"line 2, column 33: a value of "n" does not fit the declared type double"#,
                #"line 3, column 77: a value of "b" does not fit the declared type bool"#,
                #"line 4, column 33: a value of "j" does not fit the declared type json"#,
            ])
    }

    @Test(arguments: ["01067", " 5", "+5", "5."])
    func `a text that is not a number cannot be set even if the template has it`(_ text: String) throws {
        let remote = try RemoteDocument(
            ofAnyFormat: #"{"parameters": {"n": {"defaultValue": {"value": "\#(text)"}, "valueType": "NUMBER"}}}"#.bytes
        )
        let board = FlagBoard(snapshot: RemoteSnapshot(documents: [remote]), launch: [:], overrides: [:])
        let facts = try #require(board.knownFacts(of: "n"))
        #expect(facts.check(on: text).invalidReason?.contains("Not a double.") == true && facts.value == nil)
        #expect(!FlagType.int.accepts(text))
    }

    @Test func `a third definition has no effect, and the first one keeps its group and description`() throws {
        let remote = try RemoteDocument(
            ofAnyFormat: #"""
                {"parameterGroups": {"A": {"parameters": {"p": {"description": "L"}}},
                  "B": {"parameters": {"p": {"defaultValue": {"value": "2"}, "valueType": "NUMBER"}}}},
                "parameters": {"p": {"defaultValue": {"value": "3"}}}}
                """#.bytes)
        #expect(remote.values == ["p": "2"] && remote.types == ["p": .double])
        #expect(remote.catalog?.categories.map(\.name) == ["A"] && remote.catalog?.item("p")?.details == "L")
        #expect(
            remote.issues.map(\.sentence) == [
                #"duplicate parameter "p"; the one in the group "B" is used, as the one in the group "A" has no value"#,
                #"duplicate parameter "p"; the one in the group "B" is used"#,
            ])
    }

    @Test(
        arguments: [
            (#"{"parameters":{}}"#, .template), (#"{"parameters":{},"a":"1"}"#, .values),
            (#"{"parameters":"x"}"#, .values),
            (#"{"parameters":{"p":{"defaultValue":{"value":"1"}}},"$schema":"x"}"#, .template), ("{}", .values),
            (#"{"parameterGroups":{"G":{"parameters":{"p":{"defaultValue":{}}}}},"x":1}"#, .template),
            (#"{"parameters":{"limit":{"max":3}},"other":"1"}"#, .values),
            (#"{"conditions":[{"name":"c","expression":"true"}],"version":{"versionNumber":"1"}}"#, .template),
            (#"{"conditions":[{"name":"c"}]}"#, .values),
        ] as [(String, RemoteDocument.Kind)])
    func `templates are distinguished from maps of values`(_ text: String, _ kind: RemoteDocument.Kind) throws {
        #expect(try RemoteDocument(ofAnyFormat: text.bytes).kind == kind)
    }
}
