#if Network
import FlagModel
import FlagSourceGrowthBook
import Testing

/// GrowthBook: flags from responses.
struct GrowthBookFlagsTests {
    private func document(
        _ features: String, attributes: FlagTable<ContextValue> = [:],
        evaluation: GrowthBookSettings.Evaluation = .local, prefix: String = ""
    ) throws -> RemoteDocument {
        try GrowthBookFlags.document(
            Array("{\"status\": 200, \"features\": {\(features)}}".utf8), attributes: ContextAttributes(attributes),
            evaluation: evaluation, keyPrefix: prefix)
    }

    private func snapshot(_ features: String, attributes: FlagTable<ContextValue> = [:]) throws -> RemoteSnapshot {
        RemoteSnapshot(documents: [try document(features, attributes: attributes)])
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), (#""a""#, .string, "a"), (#""1""#, .string, "1"), ("1", .int, "1"),
        ("1.5", .double, "1.5"), (#"{"a": 1}"#, .json, #"{"a":1}"#), ("[1]", .json, "[1]"),
    ])
    func `a feature has the type of its values`(value: String, type: FlagType, text: String) throws {
        let snapshot = try snapshot(#""f": {"defaultValue": \#(value)}"#)
        #expect(snapshot.values["f"]?.string == text && snapshot.type(of: "f") == type)
        #expect(snapshot.note(of: "f") == "default value" && snapshot.issues.isEmpty)
        #expect(snapshot.catalog.item("f")?.options.map(\.value) == (type == .bool ? ["true", "false"] : []))
    }

    @Test func `the values in the rules of a feature are its options, each with its origin`() throws {
        let snapshot = try snapshot(
            #"""
            "f": {"defaultValue": 1, "rules": [
              {"condition": {"plan": "pro"}, "force": 2.5}, {"variations": [1, 3]}, {"force": null}]},
            "g": {"defaultValue": true, "rules": [{"condition": {"plan": "pro"}, "force": false}]}
            """#, attributes: ["plan": "pro"])
        #expect(snapshot.values["f"] == "2.5" && snapshot.type(of: "f") == .double)
        #expect(
            snapshot.catalog.item("f")?.options == [
                FlagOption(value: "1", label: "default"), FlagOption(value: "2.5", label: "rule 1"),
                FlagOption(value: "3", label: "rule 2"),
            ])
        #expect(snapshot.note(of: "f") == "rule 1" && snapshot.values["g"] == "false")
        #expect(snapshot.catalog.categories.map(\.name) == ["Flags"])
    }

    @Test func `an experiment is described by its key and by the name or the key of the variation`() throws {
        let names = [
            (#""meta": [{"key": "0", "name": "Blue"}, {"key": "1"}]"#, "Blue"), (#""meta": [{"key": "c"}, {}]"#, "c"),
            (#""phase": "0""#, "0"),
        ]
        for (member, name) in names {
            let feature = #""f": {"rules": [{"key": "test", "variations": ["a", "b"], "weights": [1, 0], \#(member)}]}"#
            let snapshot = try snapshot(feature, attributes: ["id": "u1"])
            #expect(snapshot.values["f"] == "a")
            #expect(snapshot.note(of: "f")?.string == "rule 1, experiment test, variation \(name)")
        }
    }

    @Test func `a feature without a value is left to the app`() throws {
        let document = try document(#""a": {"defaultValue": null}, "b": {}, "c": {"rules": []}"#)
        #expect(document.values.isEmpty && document.issues.isEmpty && document.notes.count == 3)
        #expect(document.notes["a"] == "default value, left to the app")
    }

    @Test func `features of a remote evaluation have a value, and a note that the server evaluated them`() throws {
        let document = try document(
            #""a": {"defaultValue": 1}, "b": {"defaultValue": 2, "rules": [{"force": 2, "tracks": []}]}"#,
            evaluation: .remote)
        #expect(document.values["a"] == "1" && document.values["b"] == "2" && document.issues.isEmpty)
        #expect(document.notes["a"] == "evaluated by the server" && document.notes["b"] == "evaluated by the server")
    }

    @Test func `a feature that is not an object is left out with an issue`() throws {
        let document = try document(#""a": {"defaultValue": true}, "b": true, "c": null, "d": {"rules": 3}"#)
        #expect(Array(document.values.keys) == ["a"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 3 && sentences[0].contains(#""b" was left out"#), "\(sentences)")
        #expect(sentences[2].contains(#""d" was not evaluated: its rules are not a list"#))
    }

    @Test func `only features with the key prefix are read; a catalog is always read`() throws {
        let catalog = #"[{"category": "Location", "items": [{"key": "shop.a", "title": "Places"}]}]"#
        let document = try document(
            #""config_categories": {"defaultValue": \#(catalog)}, "shop.a": {"defaultValue": 1}, "b": {}"#,
            prefix: "shop.")
        #expect(Array(document.values.keys) == ["shop.a"])
        #expect(RemoteSnapshot(documents: [document]).catalog.item("shop.a")?.title == "Places")
    }

    @Test(arguments: [
        "", "[]", "{}", "3", "<html>", #"{"features": []}"#, #"{"features": {"a": "#, #"{"flags": {}}"#,
        #"{"status": 400, "error": "Invalid API Key"}"#,
    ])
    func `a response that is not from GrowthBook is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try GrowthBookFlags.document(Array(text.utf8)) }
    }

    @Test func `encrypted features are rejected with a remedy`() throws {
        let text = #"{"status": 200, "features": {}, "dateUpdated": null, "encryptedFeatures": "aXY=.Y2lwaGVy"}"#
        let error = #expect(throws: DocumentError.self) { try GrowthBookFlags.document(Array(text.utf8)) }
        #expect(error?.description.contains("encrypted, which is not supported") == true)
        #expect(error?.description.contains("turn off encryption") == true)
    }

    @Test func `a response without features is valid`() throws { #expect(try document("").values.isEmpty) }
}
#endif
