#if Network
import FlagModel
import FlagSourceUnleash
import FlagTesting
import Testing

/// Unleash: flags from responses.
struct UnleashFlagsTests {
    private func document(_ toggles: String) throws -> RemoteDocument {
        try UnleashFlags.document(Array("{\"toggles\": [\(toggles)]}".utf8))
    }

    private static func toggle(_ name: String, payload: String) -> String {
        #"{"name": "\#(name)", "enabled": true, "variant": {"name": "v", "enabled": true, "payload": \#(payload)}}"#
    }

    @Test func `only responses of the front-end API are read, and a catalog arranges the toggles`() throws {
        let catalog = #"{"type": "json", "value": \#(ResponseConformanceSuite.quotedCatalog)}"#
        let toggles = #"{"name": "shop.a", "enabled": true}, {"name": "b", "enabled": true}"#
        try ResponseConformanceSuite(
            rejected: ["[]", "{}", #"{"toggles": {}}"#, #"{"features": []}"#],
            empty: [#"{"toggles": []}"#, #"{"toggles": [{"name": "config_categories", "enabled": true}]}"#],
            full: #"{"toggles": [\#(Self.toggle("config_categories", payload: catalog)), \#(toggles)]}"#,
            conflict: (
                #"{"toggles": [\#(Self.toggle("f", payload: "{}")), {"name": "f.variant", "enabled": true}]}"#,
                "f.variant", "true"
            )
        ) { try UnleashFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test func `a toggle becomes a bool flag, its variant and payload become string flags`() throws {
        let document = try document(
            #"""
            {"name":"demo","enabled":true,"impressionData":false,
              "variant":{"name":"blue","enabled":true,"payload":{"type":"string","value":"x"},"feature_enabled":true,"featureEnabled":true}}
            """#)
        #expect(
            document.lines == [
                "Flags | demo | bool | true | true/false | - | variant blue",
                "Flags | demo.variant | string | blue | - | - | -",
                "Flags | demo.payload | string | x | - | - | payload of variant blue",
            ])
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
        let document = try document(Self.toggle("f", payload: payload))
        #expect(document.values["f.payload"]?.string == text && document.types["f.payload"] == expected)
    }

    @Test(arguments: [
        #""variant": {"name": "disabled", "enabled": false, "feature_enabled": true}"#, #""variant": null"#,
        #""impressionData": false"#, #""variant": {"enabled": true}"#,
    ])
    func `a disabled or missing variant adds no flags`(member: String) throws {
        let document = try document(#"{"name": "f", "enabled": true, \#(member)}"#)
        #expect(document.lines == ["Flags | f | bool | true | true/false | - | -"])
    }

    @Test func `a toggle that is explicitly off is false`() throws {
        let document = try document(#"{"name": "f", "enabled": false}"#)
        #expect(document.lines == ["Flags | f | bool | false | true/false | - | not among the toggles that are on"])
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
}
#endif
