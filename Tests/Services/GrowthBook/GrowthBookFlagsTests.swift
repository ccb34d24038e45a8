#if Network
import FlagModel
import FlagSourceGrowthBook
import FlagTesting
import Testing

/// GrowthBook: flags from responses.
struct GrowthBookFlagsTests {
    private func document(
        _ features: String, attributes: FlagTable<ContextValue> = [:],
        evaluation: GrowthBookSettings.Evaluation = .local
    ) throws -> RemoteDocument {
        try GrowthBookFlags.document(
            Array("{\"status\": 200, \"features\": {\(features)}}".utf8), attributes: ContextAttributes(attributes),
            evaluation: evaluation)
    }

    @Test func `only responses of GrowthBook are read, and a catalog arranges the features`() throws {
        let features = #""shop.a": {"defaultValue": 1}, "b": {"defaultValue": 2}"#
        let catalog = #"{"defaultValue": \#(ResponseConformanceSuite.catalog)}"#
        try ResponseConformanceSuite(
            rejected: [
                "[]", "{}", #"{"features": []}"#, #"{"flags": {}}"#, #"{"status": 400, "error": "Invalid API Key"}"#,
            ],
            explained: [
                #"{"status": 200, "features": {}, "dateUpdated": null, "encryptedFeatures": "aXY=.Y2lwaGVy"}"#:
                    "encrypted, which is not supported; turn off encryption"
            ],
            empty: [#"{"features": {}}"#], full: #"{"features": {"config_categories": \#(catalog), \#(features)}}"#
        ) { try GrowthBookFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), (#""a""#, .string, "a"), (#""1""#, .string, "1"), ("1", .int, "1"),
        ("1.5", .double, "1.5"), (#"{"a": 1}"#, .json, #"{"a":1}"#), ("[1]", .json, "[1]"),
    ])
    func `a feature has the type of its values`(value: String, type: FlagType, text: String) throws {
        let options = type == .bool ? "true/false" : "-"
        #expect(
            try document(#""f": {"defaultValue": \#(value)}"#).lines
                == ["Flags | f | \(type) | \(text) | \(options) | - | default value"])
    }

    @Test func `the values in the rules of a feature are its options, each with its origin`() throws {
        let document = try document(
            #"""
            "f": {"defaultValue": 1, "rules": [
              {"condition": {"plan": "pro"}, "force": 2.5}, {"variations": [1, 3]}, {"force": null}]},
            "g": {"defaultValue": true, "rules": [{"condition": {"plan": "pro"}, "force": false}]}
            """#, attributes: ["plan": "pro"])
        #expect(
            document.lines == [
                "Flags | f | double | 2.5 | 1/2.5/3 | - | rule 1", "Flags | g | bool | false | true/false | - | rule 1",
            ])
        #expect(document.catalog?.item("f")?.options.map(\.label) == ["default", "rule 1", "rule 2"])
    }

    @Test func `an experiment is described by its key and by the name or the key of the variation`() throws {
        let names = [
            (#""meta": [{"key": "0", "name": "Blue"}, {"key": "1"}]"#, "Blue"), (#""meta": [{"key": "c"}, {}]"#, "c"),
            (#""phase": "0""#, "0"),
        ]
        for (member, name) in names {
            let feature = #""f": {"rules": [{"key": "test", "variations": ["a", "b"], "weights": [1, 0], \#(member)}]}"#
            let document = try document(feature, attributes: ["id": "u1"])
            #expect(document.values["f"] == "a")
            #expect(document.notes["f"]?.string == "rule 1, experiment test, variation \(name)")
        }
    }

    @Test func `a feature without a value is left to the app`() throws {
        let document = try document(#""a": {"defaultValue": null}, "b": {}, "c": {"rules": []}"#)
        let lines = ["a", "b", "c"].map { "Flags | \($0) | - | - | - | - | default value, left to the app" }
        #expect(document.lines == lines)
    }

    @Test func `features of a remote evaluation have a value, and a note that the server evaluated them`() throws {
        let document = try document(
            #""a": {"defaultValue": 1}, "b": {"defaultValue": 2, "rules": [{"force": 2, "tracks": []}]}"#,
            evaluation: .remote)
        #expect(document.values == ["a": "1", "b": "2"] && document.issues.isEmpty)
        #expect(document.notes == ["a": "evaluated by the server", "b": "evaluated by the server"])
    }

    @Test func `a feature that is not an object is left out with an issue`() throws {
        let document = try document(#""a": {"defaultValue": true}, "b": true, "c": null, "d": {"rules": 3}"#)
        #expect(Array(document.values.keys) == ["a"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 3 && sentences[0].contains(#""b" was left out"#), "\(sentences)")
        #expect(sentences[2].contains(#""d" was not evaluated: its rules are not a list"#))
    }
}
#endif
