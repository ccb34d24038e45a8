#if Network
import FlagModel
import FlagSourceLaunchDarkly
import FlagTesting
import Testing

/// LaunchDarkly: flags from responses.
struct LaunchDarklyFlagsTests {
    private func document(_ text: String) throws -> RemoteDocument {
        try LaunchDarklyFlags.document(Array(text.utf8))
    }

    @Test func `only responses that follow the protocol are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"value": \#(ResponseConformanceSuite.catalog)}"#
        try ResponseConformanceSuite(
            rejected: ["[]", #"{"message": "hello"}"#, #"{"a": {}, "a": {}}"#], empty: ["{}"],
            full: #"{"config_categories": \#(catalog), "shop.a": {"value": true}, "b": {"value": true}}"#
        ) { try LaunchDarklyFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test func `a recorded response is read`() throws {
        let document = try document(
            #"""
            {"demo": {"value":true,"variation":0,"version":12,"flagVersion":3,"trackEvents":false,"trackReason":false,
              "debugEventsUntilDate":1700000000000,"reason":{"kind":"FALLTHROUGH"},"prerequisites":["p", "q"]}}
            """#)
        let details = "flag version 3, prerequisites: p, q"
        #expect(
            document.lines == ["Flags | demo | bool | true | true/false | \(details) | variation 0, FALLTHROUGH"])
    }

    @Test(arguments: [
        (#""value": true"#, "bool | true | true/false | - | -"), (#""value": """#, "string |  | - | - | -"),
        (#""value": "true""#, "string | true | - | - | -"), (#""value": 10"#, "int | 10 | - | - | -"),
        (#""value": 7.0"#, "double | 7.0 | - | - | -"),
        (#""value": {"a": [1, 2]}"#, #"json | {"a":[1,2]} | - | - | -"#), (#""value": []"#, "json | [] | - | - | -"),
        ("", "- | - | - | - | left to the app"), (#""value": null"#, "- | - | - | - | left to the app"),
    ])
    func `values keep their spelling and show their type; a flag without a value is left to the app`(
        member: String, line: String
    ) throws {
        #expect(try document(#"{"f": {\#(member)}}"#).lines == ["Flags | f | \(line)"])
    }

    @Test(arguments: [
        (#"{"kind":"OFF"}"#, ", OFF"), (#"{"kind":"TARGET_MATCH"}"#, ", TARGET_MATCH"), ("{}", ""),
        (
            #"{"kind":"RULE_MATCH","ruleIndex":2,"ruleId":"r","inExperiment":true}"#,
            ", RULE_MATCH rule 2 in an experiment"
        ),
        (#"{"kind":"PREREQUISITE_FAILED","prerequisiteKey":"p"}"#, ", PREREQUISITE_FAILED p"),
        (#"{"kind":"ERROR","errorKind":"MALFORMED_FLAG"}"#, ", ERROR MALFORMED_FLAG"),
        (#"{"kind":"FALLTHROUGH","inExperiment":false}"#, ", FALLTHROUGH"), (#"{"kind":"NEW"}"#, ", NEW"),
    ])
    func `each kind of reason is described with its details`(reason: String, words: String) throws {
        let document = try document(#"{"f": {"value": 1, "variation": 1, "reason": \#(reason)}}"#)
        #expect(document.notes["f"]?.string == "variation 1\(words)")
    }

    @Test func `an unreadable flag is left out with an issue`() throws {
        let document = try document(#"{"good": {"value": 1}, "odd": 3}"#)
        #expect(Array(document.values.keys) == ["good"])
        #expect(
            document.issues.map(\.description) == [#"the flag "odd" was left out: it is not an object with a value"#])
    }
}
#endif
