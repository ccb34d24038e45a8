#if Network
import FlagModel
import FlagRemote
import FlagSourceFlagsmith
import FlagTesting
import Testing

/// Flagsmith: requests, and flags from responses.
struct FlagsmithTests {
    private func settings(
        _ url: String = "https://flagsmith.example.com", key: String = "hush",
        change: (inout FlagsmithSettings) -> Void = { _ in }
    ) throws -> FlagsmithSettings {
        var settings = try FlagsmithSettings(baseURL: url, environmentKey: Secret(key))
        change(&settings)
        return settings
    }

    private func source(
        key: String = "hush", change: (inout FlagsmithSettings) -> Void = { _ in }
    ) throws -> FlagsmithSource {
        FlagsmithSource(
            try settings(key: key, change: change), client: SourceClient(transport: ScriptedTransport([])))
    }

    @Test func `without an identity the flags of the environment are requested, with the key in the header`() throws {
        let request = try settings("https://example.com/flagsmith/").request()
        #expect(
            request.lines == [
                "GET https://example.com/flagsmith/api/v1/flags/", "Accept: application/json",
                "X-Environment-Key: hush (secret)",
            ])
        #expect(request.source == "flagsmith:example.com")
        #expect(try !settings(key: "").request().headers.hasSecrets)
    }

    @Test(arguments: [
        (FlagsmithContext(identifier: "ana"), false, #"{"identifier":"ana","traits":[],"transient":true}"#),
        (
            FlagsmithContext(identifier: "ana", traits: ["plan": "pro", "age": 42]), false,
            #"{"identifier":"ana","traits":[{"trait_key":"age","trait_value":42,"transient":true},"#
                + #"{"trait_key":"plan","trait_value":"pro","transient":true}],"transient":true}"#
        ),
        (
            FlagsmithContext(traits: ["plan": "pro"]), false,
            #"{"traits":[{"trait_key":"plan","trait_value":"pro","transient":true}],"transient":true}"#
        ),
        (
            FlagsmithContext(identifier: "ana", traits: ["x": 1.5, "beta": true]), true,
            #"{"identifier":"ana","traits":[{"trait_key":"beta","trait_value":true},"#
                + #"{"trait_key":"x","trait_value":1.5}]}"#
        ),
    ])
    func `an identity is sent in the body, and marked as transient unless an app lets Flagsmith store it`(
        context: FlagsmithContext, isStored: Bool, body: String
    ) throws {
        let request = try settings {
            $0.context = context
            $0.storesIdentity = isStored
        }.request()
        #expect(request.lines.first == "POST https://flagsmith.example.com/api/v1/identities/")
        #expect(
            request.lines.suffix(3) == ["Content-Type: application/json", "X-Environment-Key: hush (secret)", body])
    }

    @Test func `an identity needs an identifier or traits that Flagsmith supports`() throws {
        let traits: FlagTable<ContextValue> = ["list": [1], "object": ["a": 1], "odd": .number(.infinity)]
        let request = try settings { $0.context = FlagsmithContext(identifier: "", traits: traits) }.request()
        #expect(request.method == .get)
    }

    @Test(arguments: [
        (#"{}"#, FlagsmithContext()), (#"{"identifier": "ana"}"#, FlagsmithContext(identifier: "ana")),
        (#"{"identifier": 7}"#, FlagsmithContext(identifier: "7")),
        (
            #"{"plan": "max", "traits": {"plan": "pro", "age": 42}, "x": 1.0, "beta": false}"#,
            FlagsmithContext(traits: ["plan": "max", "age": 42, "x": 1.0, "beta": false])
        ),
        (#"{"identifier": ""}"#, nil), (#"{"identifier": true}"#, nil), (#"{"identifier": null}"#, nil),
        (#"{"plan": null}"#, nil), (#"{"plan": ["pro"]}"#, nil), (#"{"traits": {"plan": {"value": "pro"}}}"#, nil),
        (#"{"traits": [{"trait_key": "plan"}]}"#, nil), (#"{"x": 1e999}"#, nil), ("[]", nil),
    ])
    func `a context is read from JSON; unknown members are traits, and take precedence over "traits"`(
        json: String, expected: FlagsmithContext?
    ) throws {
        #expect(FlagsmithContext(try JSONDocument(parsing: Array(json.utf8)).root) == expected)
    }

    @Test func `identities differ by context and environment, and contain no users or secrets`() throws {
        let first = try source().identity
        #expect(first.text.hasPrefix("flagsmith:https://flagsmith.example.com/#") && !first.text.contains("hush"))
        let others = [
            try source(key: "other"), try source { $0.context.identifier = "ana" },
            try source { $0.context.traits = ["plan": "pro"] }, try source { $0.keyPrefix = "a" },
        ].map(\.identity)
        #expect(Set(others + [first]).count == 5 && !others.contains { $0.text.contains("ana") })
        let unknown = try source(key: "").identity
        #expect(first.text.hasPrefix("\(unknown)."), "without a key, cached values are found by this prefix")
        #expect(try source { $0.storesIdentity = true }.identity == first)
    }

    @Test func `by default, the hosted service is polled every 60 seconds`() throws {
        let hosted = try FlagsmithSettings(environmentKey: Secret("hush"))
        #expect(hosted.request().url.text == "https://edge.api.flagsmith.com/api/v1/flags/")
        #expect(try source().pollInterval == .seconds(60))
        #expect(try source { $0.pollInterval = nil }.pollInterval == nil)
    }

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
