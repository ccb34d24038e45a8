#if Network
import FlagModel
import FlagRemote
import FlagSourceGrowthBook
import FlagTesting
import Testing
import VendorServers

/// GrowthBook: requests, and flags from responses.
struct GrowthBookTests {
    private func settings(
        _ url: String = "https://flags.example.com", key: String = "sdk-hush/1",
        change: (inout GrowthBookSettings) throws -> Void = { _ in }
    ) throws -> GrowthBookSettings {
        var settings = try GrowthBookSettings(baseURL: url, clientKey: Secret(key))
        try change(&settings)
        return settings
    }

    private func source(
        key: String = "sdk-hush", change: (inout GrowthBookSettings) -> Void = { _ in }
    ) throws -> GrowthBookSource {
        GrowthBookSource(
            try settings(key: key, change: change), client: SourceClient(transport: ScriptedTransport([])))
    }

    @Test func `the client key is in the path, and is never shown`() throws {
        let request = try settings("https://flags.example.com/book/").request(since: "W/\"abc\"")
        #expect(request.source == "growthbook:flags.example.com")
        #expect(
            request.lines == [
                "GET https://flags.example.com/book/api/features/sdk-hush%2F1", "Accept: application/json",
                "If-None-Match: W/\"abc\"",
            ])
        #expect(!"\(request)".contains("hush") && "\(request)".contains("/book/api/features/***"), "\(request)")
        #expect(request.masking("no sdk-hush/1 and no sdk-hush%2F1") == "no *** and no ***")
        let cloud = try GrowthBookSettings(clientKey: Secret("sdk-abc")).request()
        #expect(cloud.url.text == "https://cdn.growthbook.io/api/features/sdk-abc")
    }

    @Test func `remote evaluation sends the attributes in the body, without a version`() throws {
        let settings = try settings {
            $0.attributes = ContextAttributes(["id": "u1", "age": 42])
            $0.evaluation = .remote
        }
        #expect(
            settings.request(since: "x").lines == [
                "POST https://flags.example.com/api/eval/sdk-hush%2F1", "Accept: application/json",
                "Content-Type: application/json",
                #"{"attributes":{"age":42,"id":"u1"},"forcedFeatures":[],"forcedVariations":{},"url":""}"#,
            ])
    }

    @Test(arguments: [
        (#"{"id": "u1", "tags": [1]}"#, #"{"id":"u1","tags":[1]}"#), ("{}", "{}"), ("[]", nil), (#""u1""#, nil),
    ])
    func `attributes in settings must be an object`(text: String, json: String?) throws {
        #expect(ContextAttributes(try JSONDocument(parsing: Array(text.utf8)).root)?.json == json)
    }

    @Test(arguments: [
        ("https://x/api/features/sdk-hush", "sdk-a", "leave out /api"),
        ("https://x/api/eval/sdk-hush?a=hush", "sdk-a", "leave out /api"),
        ("https://x", "secret_hush", "secret API key"),
    ])
    func `an invalid URL or key is rejected with a remedy`(url: String, key: String, words: String) {
        let error = #expect(throws: SourceError.self) { try settings(url, key: key) }
        #expect(error?.description.contains(words) == true && error?.description.contains("hush") == false)
    }

    @Test func `identities differ by client key, attributes and evaluation, and contain no users or secrets`() throws {
        let first = try source().identity
        #expect(first.text.hasPrefix("growthbook:https://flags.example.com/#") && !first.text.contains("hush"))
        let others = [
            try source(key: "sdk-other"), try source { $0.attributes = ContextAttributes(["id": "ana"]) },
            try source { $0.evaluation = .remote }, try source { $0.keyPrefix = "shop." },
        ].map(\.identity)
        #expect(Set(others + [first]).count == 5 && !others.contains { $0.text.contains("ana") })
        let unknown = try source(key: "").identity
        #expect(first.text.hasPrefix("\(unknown)."), "without a key, cached values are found by this prefix")
    }

    @Test(arguments: ["cdn.growthbook.io", "growthbook.io"])
    func `GrowthBook Cloud gets no request for a remote evaluation`(host: String) async throws {
        let transport = ScriptedTransport([])
        let settings = try settings("https://\(host)") { $0.evaluation = .remote }
        let error = await GrowthBookSource(settings, client: SourceClient(transport: transport)).fetchError()
        #expect(error?.code == .rejected && error?.sentence.contains("GrowthBook Cloud") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func `the default poll interval is 60 seconds`() throws {
        #expect(try source().pollInterval == .seconds(60))
        #expect(try source { $0.pollInterval = nil }.pollInterval == nil)
    }

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
