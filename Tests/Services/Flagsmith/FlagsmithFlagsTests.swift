#if Network
import FlagModel
import FlagSourceFlagsmith
import FlagTesting
import Testing

/// Flagsmith: flags from responses.
struct FlagsmithFlagsTests {
    private func document(_ flags: String) throws -> RemoteDocument {
        try FlagsmithFlags.document(Array("[\(flags)]".utf8))
    }

    private func flag(_ name: String, _ isEnabled: Bool = true, value: String = "null") -> String {
        #"{"feature": {"id": 1, "name": "\#(name)"}, "enabled": \#(isEnabled), "feature_state_value": \#(value)}"#
    }

    @Test func `only responses of Flagsmith are read, and a catalog arranges the features`() throws {
        let catalog = flag("config_categories", false, value: ResponseConformanceSuite.quotedCatalog)
        try ResponseConformanceSuite(
            rejected: [
                "{}", #"{"detail": "Missing identifier"}"#, "[1, 2]", #"{"flags": {"f": true}}"#,
                #"{"flags": [{"key": "f", "value": true}]}"#,
            ],
            empty: ["[]", #"{"flags": [], "traits": []}"#], full: "[\(catalog), \(flag("shop.a")), \(flag("b"))]",
            conflict: ("[\(flag("f", value: "1")), \(flag("f.value", false))]", "f.value", "false")
        ) { try FlagsmithFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test func `an enabled feature becomes a bool flag, and its value becomes a flag with the value's type`() throws {
        let document = try document(
            #"""
            {"id":7,"feature":{"id":1,"name":"demo","created_date":"2026-11-21T10:00:00Z","description":"A new menu.",
              "initial_value":null,"default_enabled":false,"type":"STANDARD"},
              "feature_state_value":"blue","environment":5,"identity":null,"feature_segment":null,"enabled":true}
            """#)
        #expect(
            document.lines == [
                "Flags | demo | bool | true | true/false | A new menu. | -",
                "Flags | demo.value | string | blue | - | A new menu. | -",
            ])
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), ("42", .int, "42"), ("1.5", .double, "1.5"), (#""""#, .string, ""),
        (#""42""#, .string, "42"), (#""true""#, .string, "true"), (#""1.5""#, .string, "1.5"),
        (#""{\"a\": 1}""#, .json, #"{"a": 1}"#), (#""[1]""#, .json, "[1]"), (#""{""#, .string, "{"),
    ])
    func `a value keeps its type; a text is JSON only if it is an object or a list`(
        json: String, type: FlagType, text: String
    ) throws {
        let options = type == .bool ? "true/false" : "-"
        #expect(
            try document(flag("f", value: json)).lines == [
                "Flags | f | bool | true | true/false | - | -",
                "Flags | f.value | \(type) | \(text) | \(options) | - | -",
            ])
    }

    @Test func `a feature without a value has no second flag`() throws {
        #expect(Array(try document(flag("f")).values.keys) == ["f"])
        let bare = try document(#"{"feature": {"name": "f"}, "enabled": false}"#)
        #expect(Array(bare.values.keys) == ["f"] && bare.values["f"] == "false" && bare.issues.isEmpty)
    }

    @Test func `a feature that is not enabled keeps its value, with a note`() throws {
        #expect(
            try document(flag("f", false, value: "3")).lines == [
                "Flags | f | bool | false | true/false | - | -", "Flags | f.value | int | 3 | - | - | not enabled",
            ])
    }

    @Test(arguments: [
        (#""identity": 3, "feature_segment": null"#, "identity override"),
        (#""identity": null, "feature_segment": 4"#, "segment override"),
        (#""variant": "blue""#, "variant blue"), (#""variant": null, "reason": """#, nil),
        (#""feature_segment": 4, "variant": "blue", "reason": "SPLIT""#, "segment override, variant blue, SPLIT"),
    ])
    func `the note has the override, the variant and the reason`(members: String, note: String?) throws {
        let notes = try document(
            #"{"feature": {"name": "f"}, "enabled": true, "feature_state_value": 1, \#(members)}"#
        ).notes
        #expect(notes["f"]?.string == note && notes["f.value"]?.string == note)
    }

    @Test func `the response for an identity has the flags in a member`() throws {
        let text = #"{"identifier": "ana", "traits": [], "flags": [\#(flag("f", value: "1"))]}"#
        let document = try FlagsmithFlags.document(Array(text.utf8))
        #expect(Array(document.values.keys) == ["f", "f.value"])
    }

    @Test func `an unreadable flag is left out with an issue`() throws {
        let document = try document(
            #"{"enabled": true}, 3, {"feature": {"name": ""}}, {"feature": {"name": "unsure"}, "enabled": 1}, "#
                + "\(flag("a")), \(flag("a", false))")
        #expect(Array(document.values.keys) == ["a"] && document.values["a"] == "true")
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 5 && sentences[1].contains("flag 2") && sentences[3].contains(#""unsure""#))
        #expect(sentences[4].contains("duplicate"))
    }
}
#endif
