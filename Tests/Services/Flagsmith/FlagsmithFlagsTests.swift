#if Network
import FlagModel
import FlagSourceFlagsmith
import Testing

/// Flagsmith: flags from responses.
struct FlagsmithFlagsTests {
    private func document(_ flags: String, prefix: String = "") throws -> RemoteDocument {
        try FlagsmithFlags.document(Array("[\(flags)]".utf8), keyPrefix: prefix)
    }

    private func snapshot(_ flags: String) throws -> RemoteSnapshot {
        RemoteSnapshot(documents: [try document(flags)])
    }

    private func flag(_ name: String, _ isEnabled: Bool = true, value: String = "null") -> String {
        #"{"feature": {"id": 1, "name": "\#(name)"}, "enabled": \#(isEnabled), "feature_state_value": \#(value)}"#
    }

    @Test func `an enabled feature becomes a bool flag, and its value becomes a flag with the value's type`() throws {
        let snapshot = try snapshot(
            #"""
            {"id":7,"feature":{"id":1,"name":"demo","created_date":"2026-11-21T10:00:00Z","description":"A new menu.",
              "initial_value":null,"default_enabled":false,"type":"STANDARD"},
              "feature_state_value":"blue","environment":5,"identity":null,"feature_segment":null,"enabled":true}
            """#)
        #expect(snapshot.values["demo"] == "true" && snapshot.type(of: "demo") == .bool)
        #expect(snapshot.catalog.item("demo")?.options.map(\.value) == ["true", "false"])
        #expect(snapshot.catalog.item("demo")?.details == "A new menu.")
        #expect(snapshot.values["demo.value"] == "blue" && snapshot.type(of: "demo.value") == .string)
        #expect(snapshot.catalog.item("demo.value")?.details == "A new menu.")
        #expect(snapshot.note(of: "demo") == nil && snapshot.note(of: "demo.value") == nil)
        #expect(snapshot.catalog.items.map(\.key) == ["demo", "demo.value"])
        #expect(snapshot.catalog.categories.map(\.name) == ["Flags"] && snapshot.issues.isEmpty)
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), ("42", .int, "42"), ("1.5", .double, "1.5"), (#""""#, .string, ""),
        (#""42""#, .string, "42"), (#""true""#, .string, "true"), (#""1.5""#, .string, "1.5"),
        (#""{\"a\": 1}""#, .json, #"{"a": 1}"#), (#""[1]""#, .json, "[1]"), (#""{""#, .string, "{"),
    ])
    func `a value keeps its type; a text is JSON only if it is an object or a list`(
        json: String, type: FlagType, text: String
    ) throws {
        let snapshot = try snapshot(flag("f", value: json))
        #expect(snapshot.values["f.value"]?.string == text && snapshot.type(of: "f.value") == type)
        #expect(snapshot.catalog.item("f.value")?.options.map(\.value) == (type == .bool ? ["true", "false"] : []))
        #expect(snapshot.values["f"] == "true" && snapshot.issues.isEmpty)
    }

    @Test func `a feature without a value has no second flag`() throws {
        #expect(Array(try document(flag("f")).values.keys) == ["f"])
        let bare = try document(#"{"feature": {"name": "f"}, "enabled": false}"#)
        #expect(Array(bare.values.keys) == ["f"] && bare.values["f"] == "false" && bare.issues.isEmpty)
    }

    @Test func `a feature that is not enabled keeps its value, with a note`() throws {
        let snapshot = try snapshot(flag("f", false, value: "3"))
        #expect(snapshot.values["f"] == "false" && snapshot.note(of: "f") == nil)
        #expect(snapshot.values["f.value"] == "3" && snapshot.note(of: "f.value") == "not enabled")
    }

    @Test(
        arguments: [
            (#""identity": 3, "feature_segment": null"#, "identity override"),
            (#""identity": null, "feature_segment": 4"#, "segment override"),
            (#""variant": "blue""#, "variant blue"), (#""variant": null, "reason": """#, nil),
            (#""feature_segment": 4, "variant": "blue", "reason": "SPLIT""#, "segment override, variant blue, SPLIT"),
        ] as [(String, String?)])
    func `the note has the override, the variant and the reason`(members: String, note: String?) throws {
        let snapshot = try snapshot(
            #"{"feature": {"name": "f"}, "enabled": true, "feature_state_value": 1, \#(members)}"#)
        #expect(snapshot.note(of: "f")?.string == note && snapshot.note(of: "f.value")?.string == note)
    }

    @Test func `the response for an identity has the flags in a member`() throws {
        let text = #"{"identifier": "ana", "traits": [], "flags": [\#(flag("f", value: "1"))]}"#
        let document = try FlagsmithFlags.document(Array(text.utf8))
        #expect(Array(document.values.keys) == ["f", "f.value"])
    }

    @Test func `a real feature wins over a value with the same name`() throws {
        let document = try document("\(flag("f", value: "1")), \(flag("f.value", false))")
        #expect(document.values["f.value"] == "false" && document.issues.count == 1)
        #expect(document.issues[0].description.contains(#""f.value" is a flag of its own"#))
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

    @Test(arguments: [
        "", "{}", "3", "<html>", #"[{"feature": "#, #"{"detail": "Missing identifier"}"#, "[1, 2]",
        #"{"flags": {"f": true}}"#, #"{"flags": [{"key": "f", "value": true}]}"#,
    ])
    func `a response of another service is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try FlagsmithFlags.document(Array(text.utf8)) }
    }

    @Test(arguments: ["[]", #"{"flags": [], "traits": []}"#])
    func `a response without flags is valid`(text: String) throws {
        #expect(try FlagsmithFlags.document(Array(text.utf8)).values.isEmpty)
    }

    @Test func `only features with the prefix are read; a catalog is always read`() throws {
        let catalog = #""[{\"category\": \"Location\", \"items\": [{\"key\": \"shop.a\", \"title\": \"Places\"}]}]""#
        let document = try document(
            "\(flag("config_categories", false, value: catalog)), \(flag("shop.a")), \(flag("b", value: "1"))",
            prefix: "shop.")
        #expect(Array(document.values.keys) == ["shop.a"])
        #expect(RemoteSnapshot(documents: [document]).catalog.item("shop.a")?.title == "Places")
    }
}
#endif
