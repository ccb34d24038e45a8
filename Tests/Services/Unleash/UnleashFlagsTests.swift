#if Network
import FlagModel
import FlagSourceUnleash
import Testing

/// Unleash: flags from responses.
struct UnleashFlagsTests {
    private func document(_ toggles: String, prefix: String = "") throws -> RemoteDocument {
        try UnleashFlags.document(Array("{\"toggles\": [\(toggles)]}".utf8), keyPrefix: prefix)
    }

    private func snapshot(_ toggles: String) throws -> RemoteSnapshot {
        RemoteSnapshot(documents: [try document(toggles)])
    }

    private func toggle(_ name: String, payload: String) -> String {
        #"{"name": "\#(name)", "enabled": true, "variant": {"name": "v", "enabled": true, "payload": \#(payload)}}"#
    }

    @Test func `a toggle becomes a bool flag, its variant and payload become string flags`() throws {
        let snapshot = try snapshot(
            #"""
            {"name":"demo","enabled":true,"impressionData":false,
              "variant":{"name":"blue","enabled":true,"payload":{"type":"string","value":"x"},"feature_enabled":true,"featureEnabled":true}}
            """#)
        #expect(snapshot.values["demo"] == "true" && snapshot.type(of: "demo") == .bool)
        #expect(snapshot.catalog.item("demo")?.options.map(\.value) == ["true", "false"])
        #expect(snapshot.note(of: "demo") == "variant blue")
        #expect(snapshot.values["demo.variant"] == "blue" && snapshot.type(of: "demo.variant") == .string)
        #expect(snapshot.values["demo.payload"] == "x" && snapshot.type(of: "demo.payload") == .string)
        #expect(snapshot.note(of: "demo.payload") == "payload of variant blue")
        #expect(snapshot.catalog.items.map(\.key) == ["demo", "demo.variant", "demo.payload"])
        #expect(snapshot.catalog.categories.map(\.name) == ["Flags"] && snapshot.issues.isEmpty)
    }

    @Test(arguments: [
        ("string", "42", FlagType.string), ("json", #"{"a":1}"#, .json), ("json", "{", .string),
        ("number", "42", .int), ("number", "4.2", .double), ("number", "many", .string), ("csv", "1,2", .string),
        ("odd", "true", .string),
    ])
    func `a payload has the type that the service declares if its text matches it`(
        type: String, text: String, expected: FlagType
    ) throws {
        let payload = JSONOutput.object([("type", .string(type)), ("value", .string(text))]).text(indented: false)
        let snapshot = try snapshot(toggle("f", payload: payload))
        #expect(snapshot.values["f.payload"]?.string == text && snapshot.type(of: "f.payload") == expected)
    }

    @Test(arguments: [
        #""variant": {"name": "disabled", "enabled": false, "feature_enabled": true}"#, #""variant": null"#,
        #""impressionData": false"#, #""variant": {"enabled": true}"#,
    ])
    func `a disabled or missing variant adds no flags`(member: String) throws {
        let document = try document(#"{"name": "f", "enabled": true, \#(member)}"#)
        #expect(Array(document.values.keys) == ["f"] && document.notes.isEmpty && document.issues.isEmpty)
    }

    @Test func `a toggle that is explicitly off is false`() throws {
        let snapshot = try snapshot(#"{"name": "f", "enabled": false}"#)
        #expect(snapshot.values["f"] == "false" && snapshot.note(of: "f") == "not among the toggles that are on")
    }

    @Test func `a real toggle wins over a variant with the same name`() throws {
        let document = try document(
            "\(toggle("f", payload: #"{"type": "string", "value": "p"}"#)), "
                + #"{"name": "f.variant", "enabled": true}"#)
        #expect(document.values["f.variant"] == "true" && document.values["f.payload"] == "p")
        #expect(document.issues.map(\.description).contains { $0.contains(#""f.variant" is a flag of its own"#) })
    }

    @Test func `an unreadable toggle is left out with an issue`() throws {
        let document = try document(
            #"{"enabled": true}, 3, {"name": ""}, {"name": "unsure"}, {"name": "a", "enabled": true}, {"name": "a", "enabled": true}"#
        )
        #expect(Array(document.values.keys) == ["a"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 5 && sentences[1].contains("toggle 2") && sentences[3].contains(#""unsure""#))
        #expect(sentences[4].contains("duplicate"))
    }

    @Test(arguments: [
        "", "[]", "{}", "3", #"{"toggles": {}}"#, #"{"toggles": [{"name": "#, "<html>", #"{"features": []}"#,
    ])
    func `a response that does not follow the protocol is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try UnleashFlags.document(Array(text.utf8)) }
    }

    @Test func `a response without toggles is valid`() throws { #expect(try document("").values.isEmpty) }

    @Test func `only toggles with the key prefix are read, with their full names`() throws {
        let document = try document(
            #"{"name": "shop.a", "enabled": true}, {"name": "other", "enabled": true}"#, prefix: "shop.")
        #expect(Array(document.values.keys) == ["shop.a"])
    }

    @Test func `a toggle whose payload is a catalog sets the categories of the other toggles`() throws {
        let catalog = #"[{\"category\": \"Location\", \"items\": [{\"key\": \"a\", \"title\": \"Places\"}]}]"#
        let snapshot = try snapshot(
            toggle("config_categories", payload: #"{"type": "json", "value": "\#(catalog)"}"#)
                + #", {"name": "a", "enabled": true}, {"name": "b", "enabled": true}"#)
        #expect(snapshot.catalog.categories.map(\.name.string) == ["Location", "Other"])
        #expect(snapshot.catalog.item("a")?.title == "Places" && snapshot.values["config_categories"] == nil)
        let bare = try self.snapshot(#"{"name": "config_categories", "enabled": true}"#)
        #expect(bare.issues.isEmpty && bare.values.isEmpty)
    }
}
#endif
