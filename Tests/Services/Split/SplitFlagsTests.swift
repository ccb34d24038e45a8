#if Network
import FlagModel
import FlagSourceSplit
import Testing

/// Split: flags from responses.
struct SplitFlagsTests {
    private func document(_ flags: String, prefix: String = "") throws -> RemoteDocument {
        try SplitFlags.document(Array("{\"user\": {\(flags)}}".utf8), keyPrefix: prefix)
    }

    private func snapshot(_ flags: String) throws -> RemoteSnapshot {
        RemoteSnapshot(documents: [try document(flags)])
    }

    @Test(arguments: ["on", "off", "v2", "true", "1", "On"])
    func `every treatment is a text; on and off can be read as a bool, and set to the other`(
        treatment: String
    ) throws {
        let snapshot = try snapshot(#""f": {"treatment": "\#(treatment)", "config": null}"#)
        let isSwitch = ["on", "off"].contains(treatment)
        #expect(snapshot.values["f"]?.string == treatment && snapshot.type(of: "f") == .string)
        #expect(snapshot.catalog.item("f")?.options.map(\.value) == (isSwitch ? ["on", "off"] : []))
        if isSwitch { #expect(FlagReading.bool(treatment) == (treatment == "on")) }
        #expect(snapshot.note(of: "f")?.string == "treatment \(treatment)" && snapshot.issues.isEmpty)
        #expect(snapshot.catalog.items.map(\.key) == ["f"] && snapshot.catalog.categories.map(\.name) == ["user"])
    }

    @Test(arguments: [
        (#"{"c": 1}"#, FlagType.json), ("[1]", .json), ("{", .string), ("blue", .string), ("3", .int),
        ("true", .bool), ("", .string),
    ])
    func `a configuration is a separate flag whose type is detected from its text`(text: String, type: FlagType) throws
    {
        let config = JSONOutput.string(text).text()
        let snapshot = try snapshot(#""f": {"treatment": "v1", "config": \#(config)}"#)
        #expect(snapshot.values["f.config"]?.string == text && snapshot.type(of: "f.config") == type)
        #expect(snapshot.note(of: "f.config") == "configuration of treatment v1")
        #expect(snapshot.catalog.items.map(\.key) == ["f", "f.config"])
    }

    @Test func `flags are grouped by traffic type; a duplicate flag is used once`() throws {
        let text =
            #"{"user": {"a": {"treatment": "on"}}, "account": {"b": {"treatment": "on"}, "a": {"treatment": "off"}}, "none": {}}"#
        let document = try SplitFlags.document(Array(text.utf8))
        let snapshot = RemoteSnapshot(documents: [document])
        #expect(snapshot.catalog.categories.map(\.name) == ["user", "account"])
        #expect(document.values["a"] == "on" && document.issues.count == 1)
    }

    @Test func `a response for one key has no traffic type around its flags`() throws {
        let text = #"{"a": {"treatment": "on", "config": null}, "b": {"treatment": "control", "config": null}}"#
        let document = try SplitFlags.document(Array(text.utf8), trafficType: "user")
        #expect(Array(document.values.keys) == ["a"])
        #expect(document.issues.map(\.description).first?.contains(#"the flag "b" was left out"#) == true)
    }

    @Test func `a response with only control treatments is rejected`() throws {
        let text = #"{"a": {"treatment": "control"}, "b": {"treatment": "control"}}"#
        let error = #expect(throws: DocumentError.self) {
            try SplitFlags.document(Array(text.utf8), trafficType: "user")
        }
        #expect(error?.description.contains("has no flags yet") == true)
    }

    @Test func `a real flag wins over a configuration with the same name`() throws {
        let document = try document(#""f": {"treatment": "on", "config": "c"}, "f.config": {"treatment": "off"}"#)
        #expect(document.values["f.config"] == "off" && document.issues.count == 1)
    }

    @Test(arguments: [
        "", "[]", "3", "<html>", #"{"user": {"a": {"treatment": "#, #"{"route":"Sorry this page does not exist!"}"#,
        #"{"user": {"a": "on"}}"#, #"{"error": {}, "user": 1}"#, #"{"splits": ["a"]}"#,
    ])
    func `a response that is not from an evaluator is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try SplitFlags.document(Array(text.utf8)) }
    }

    @Test func `a response without flags is valid`() throws {
        #expect(try document("").values.isEmpty)
        #expect(try SplitFlags.document(Array("{}".utf8)).values.isEmpty)
    }

    @Test func `only flags with the key prefix are read; a catalog is always read`() throws {
        let catalog = #"[{\"category\": \"Location\", \"items\": [{\"key\": \"shop.a\", \"title\": \"Places\"}]}]"#
        let document = try document(
            #""config_categories": {"treatment": "on", "config": "\#(catalog)"}, "shop.a": {"treatment": "on"}, "b": {"treatment": "on"}"#,
            prefix: "shop.")
        #expect(Array(document.values.keys) == ["shop.a"])
        #expect(RemoteSnapshot(documents: [document]).catalog.item("shop.a")?.title == "Places")
    }
}
#endif
