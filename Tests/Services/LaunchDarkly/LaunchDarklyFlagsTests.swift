#if Network
import FlagModel
import FlagSourceLaunchDarkly
import Testing

/// LaunchDarkly: flags from responses.
struct LaunchDarklyFlagsTests {
    private func document(_ text: String, prefix: String = "") throws -> RemoteDocument {
        try LaunchDarklyFlags.document(Array(text.utf8), keyPrefix: prefix)
    }

    private func snapshot(_ text: String) throws -> RemoteSnapshot { RemoteSnapshot(documents: [try document(text)]) }

    @Test func `a recorded response is read`() throws {
        let snapshot = try snapshot(
            #"""
            {"demo": {"value":true,"variation":0,"version":12,"flagVersion":3,"trackEvents":false,"trackReason":false,
              "debugEventsUntilDate":1700000000000,"reason":{"kind":"FALLTHROUGH"},"prerequisites":["p", "q"]}}
            """#)
        #expect(snapshot.values["demo"] == "true" && snapshot.type(of: "demo") == .bool)
        #expect(snapshot.catalog.item("demo")?.options.map(\.value) == ["true", "false"])
        #expect(snapshot.note(of: "demo") == "variation 0, FALLTHROUGH")
        #expect(snapshot.catalog.item("demo")?.details == "flag version 3, prerequisites: p, q")
        #expect(snapshot.catalog.categories.map(\.name) == ["Flags"] && snapshot.issues.isEmpty)
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), (#""""#, .string, ""), (#""true""#, .string, "true"), ("10", .int, "10"),
        ("7.0", .double, "7.0"), (#"{"a": [1, 2]}"#, .json, #"{"a":[1,2]}"#), ("[]", .json, "[]"),
    ])
    func `values keep their spelling and show their type`(json: String, type: FlagType, text: String) throws {
        let snapshot = try snapshot(#"{"f": {"value": \#(json)}}"#)
        #expect(snapshot.values["f"]?.string == text && snapshot.type(of: "f") == type)
        #expect(snapshot.note(of: "f") == nil && snapshot.catalog.item("f")?.details == nil)
    }

    @Test(arguments: ["{}", #"{"value": null}"#])
    func `a flag without a value is left to the app`(entry: String) throws {
        let document = try document(#"{"f": \#(entry)}"#)
        #expect(document.values["f"] == nil && document.issues.isEmpty && document.notes["f"] == "left to the app")
        #expect(RemoteSnapshot(documents: [document]).catalog.item("f") != nil)
    }

    @Test(arguments: [
        (#"{"kind":"OFF"}"#, "OFF"), (#"{"kind":"TARGET_MATCH"}"#, "TARGET_MATCH"),
        (
            #"{"kind":"RULE_MATCH","ruleIndex":2,"ruleId":"r","inExperiment":true}"#,
            "RULE_MATCH rule 2 in an experiment"
        ),
        (#"{"kind":"PREREQUISITE_FAILED","prerequisiteKey":"p"}"#, "PREREQUISITE_FAILED p"),
        (#"{"kind":"ERROR","errorKind":"MALFORMED_FLAG"}"#, "ERROR MALFORMED_FLAG"),
        (#"{"kind":"FALLTHROUGH","inExperiment":false}"#, "FALLTHROUGH"), (#"{"kind":"NEW"}"#, "NEW"),
    ])
    func `each kind of reason is described with its details`(reason: String, words: String) throws {
        let snapshot = try snapshot(#"{"f": {"value": 1, "variation": 1, "reason": \#(reason)}}"#)
        #expect(snapshot.note(of: "f")?.string == "variation 1, \(words)")
        #expect(try self.snapshot(#"{"f": {"value": 1, "reason": {}}}"#).note(of: "f") == nil)
    }

    @Test func `an unreadable flag is left out with an issue`() throws {
        let document = try document(#"{"good": {"value": 1}, "odd": 3}"#)
        #expect(Array(document.values.keys) == ["good"])
        #expect(
            document.issues.map(\.description) == [#"the flag "odd" was left out: it is not an object with a value"#])
    }

    @Test(arguments: ["", "[]", "3", "<html>", #"{"a": {"value": "#, #"{"message": "hello"}"#, #"{"a": {}, "a": {}}"#])
    func `a response that does not follow the protocol is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try document(text) }
    }

    @Test func `an environment without flags is valid`() throws { #expect(try document("{}").values.isEmpty) }

    @Test func `only flags with the key prefix are read, with their full key; a catalog is always read`() throws {
        let text = #"""
            {"config_categories": {"value": [{"category": "Location", "items": [{"key": "shop.a", "title": "Places"}]}]},
             "shop.a": {"value": true}, "other": {"value": true}}
            """#
        let document = try document(text, prefix: "shop.")
        #expect(Array(document.values.keys) == ["shop.a"])
        #expect(RemoteSnapshot(documents: [document]).catalog.item("shop.a")?.title == "Places")
    }
}
#endif
