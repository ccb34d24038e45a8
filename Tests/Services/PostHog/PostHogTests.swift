#if Network
import FlagModel
import FlagRemote
import FlagSourcePostHog
import FlagTesting
import Testing

/// PostHog: requests, and flags from responses.
struct PostHogTests {
    private func settings(
        _ url: String = "https://posthog.example.com", key: String = "phc_hush",
        change: (inout PostHogSettings) -> Void = { _ in }
    ) throws -> PostHogSettings {
        var settings = try PostHogSettings(baseURL: url, projectAPIKey: Secret(key))
        change(&settings)
        return settings
    }

    private func source(
        key: String = "phc_hush", change: (inout PostHogSettings) -> Void = { _ in }
    ) throws -> PostHogSource {
        PostHogSource(
            try settings(key: key, change: change), client: SourceClient(transport: ScriptedTransport([])))
    }

    @Test func `a request has the key and the context in its body, and no secret in its URL`() throws {
        let settings = try settings("https://example.com/ingest/") {
            $0.context.distinctID = "ana"
            $0.context.deviceID = "d1"
            $0.context.groups = ["team": "t1", "company": "acme"]
            $0.context.personProperties = ContextAttributes(["plan": "pro", "age": 42])
            $0.context.groupProperties = ["company": ContextAttributes(["size": "large"])]
        }
        let request = settings.request()
        let body =
            #"{"token":"phc_hush","distinct_id":"ana","device_id":"d1","groups":{"company":"acme","team":"t1"},"#
            + #""person_properties":{"age":42,"plan":"pro"},"group_properties":{"company":{"size":"large"}},"#
            + #""evaluation_runtime":"all"}"#
        #expect(
            request.lines == [
                "POST https://example.com/ingest/flags/?v=2", "Accept: application/json",
                "Content-Type: application/json", body,
            ])
        #expect(request.source == "posthog:example.com" && !"\(request)".contains("hush"))
        #expect(request.masking("the key phc_hush is not valid") == "the key *** is not valid")
    }

    @Test func `the requested flags, the evaluation contexts, the runtime and the location are in the body`() throws {
        let settings = try settings {
            $0.flagKeys = ["a", "b"]
            $0.evaluationContexts = ["web"]
            $0.evaluationRuntime = .client
            $0.usesGeoIP = false
        }
        #expect(
            settings.request().lines[3].hasSuffix(
                #""evaluation_runtime":"client","flag_keys_to_evaluate":["a","b"],"evaluation_contexts":["web"],"#
                    + #""geoip_disable":true}"#))
    }

    @Test(arguments: [
        ("{}", #""distinct_id":"flagmenu","groups":{},"person_properties":{},"group_properties":{}"#),
        (
            #"{"plan": "pro", "distinct_id": "ana", "tags": [1, null]}"#,
            #""distinct_id":"ana","groups":{},"person_properties":{"plan":"pro","tags":[1,null]},"#
                + #""group_properties":{}"#
        ),
        (
            #"{"plan": "max", "person_properties": {"plan": "pro", "a": 1.50}, "distinct_id": 42}"#,
            #""distinct_id":"42","groups":{},"person_properties":{"a":1.50,"plan":"max"},"group_properties":{}"#
        ),
        (
            #"{"groups": {"company": 5}, "group_properties": {"company": {"b": 1, "a": "x"}}, "device_id": "d"}"#,
            #""distinct_id":"flagmenu","device_id":"d","groups":{"company":"5"},"person_properties":{},"#
                + #""group_properties":{"company":{"a":"x","b":1}}"#
        ),
        ("[]", nil), (#"{"distinct_id": ""}"#, nil), (#"{"distinct_id": null}"#, nil), (#"{"device_id": []}"#, nil),
        (#"{"groups": ["acme"]}"#, nil), (#"{"groups": {"company": {}}}"#, nil),
        (#"{"person_properties": 1}"#, nil), (#"{"group_properties": {"company": "acme"}}"#, nil),
        (#"{"distinctId": "ana"}"#, nil), (#"{"personProperties": {}}"#, nil),
    ])
    func `a context is read from JSON; unknown members are person properties`(json: String, expected: String?) throws {
        guard let context = PostHogContext(try JSONDocument(parsing: Array(json.utf8)).root) else {
            #expect(expected == nil)
            return
        }
        let text = try settings { $0.context = context }.request().lines[3]
        #expect(text == #"{"token":"phc_hush",\#(expected ?? "not valid"),"evaluation_runtime":"all"}"#)
    }

    @Test(arguments: [
        ("https://us.posthog.com", "https://us.i.posthog.com"),
        ("https://app.posthog.com/", "https://us.i.posthog.com"),
        ("https://eu.posthog.com/project/1", "https://eu.i.posthog.com"),
        ("https://eu.i.posthog.com", "https://eu.i.posthog.com"),
        ("http://localhost:8000", "http://localhost:8000"),
    ])
    func `a URL of PostHog's web app is replaced by the URL for clients`(url: String, expected: String) throws {
        #expect(try settings(url).request().url.text == "\(expected)/flags/?v=2")
    }

    @Test(arguments: [("phx_hush", "personal API key"), ("phs_hush", "secret API key")])
    func `a secret key is not sent`(key: String, words: String) {
        let error = #expect(throws: SourceError.self) { try settings(key: key) }
        #expect(error?.code == .rejected && error?.sentence.contains(words) == true)
        #expect(error?.sentence.contains("phc_") == true && error?.description.contains("hush") == false)
    }

    @Test func `identities differ by project, context and requested flags, and contain no persons or secrets`() throws {
        let first = try source().identity
        #expect(first.text.hasPrefix("posthog:https://posthog.example.com/#") && !first.text.contains("hush"))
        let others = [
            try source(key: "phc_other"), try source { $0.context.distinctID = "ana" },
            try source { $0.context.groups = ["company": "ana"] }, try source { $0.flagKeys = ["a"] },
            try source { $0.evaluationRuntime = .server }, try source { $0.keyPrefix = "a" },
        ].map(\.identity)
        #expect(Set(others + [first]).count == 7 && !others.contains { $0.text.contains("ana") })
        let unknown = try source(key: "").identity
        #expect(first.text.hasPrefix("\(unknown)."), "without a key, cached values are found by this prefix")
    }

    @Test func `the default poll interval is 5 minutes, as PostHog bills each request`() throws {
        #expect(try source().pollInterval == .seconds(300))
        #expect(try source { $0.pollInterval = nil }.pollInterval == nil)
    }

    private func document(_ flags: String, hasErrors: Bool = false) throws -> RemoteDocument {
        try source().decode(
            Array(#"{"errorsWhileComputingFlags": \#(hasErrors), "flags": {\#(flags)}}"#.utf8))
    }

    private func record(_ members: String) -> String {
        #"{"key": "f", "enabled": true, "variant": null, \#(members)}"#
    }

    @Test func `only responses of the flags endpoint are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"enabled": true, "metadata": {"payload": \#(ResponseConformanceSuite.quotedCatalog)}}"#
        let flags = #""shop.a": {"enabled": true}, "b": {"enabled": true}"#
        try ResponseConformanceSuite(
            rejected: ["[]", "{}", #"{"flags": []}"#],
            explained: [
                #"{"featureFlags": {"a": true}}"#: "is this the URL of PostHog (https://us.i.posthog.com",
                #"{"flags": {}, "quotaLimited": ["recordings", "feature_flags"]}"#: "billing limit",
            ],
            empty: [#"{"flags": {}}"#, #"{"flags": {}, "quotaLimited": ["recordings"]}"#],
            full: #"{"flags": {"config_categories": \#(catalog), \#(flags)}}"#,
            conflict: (
                #"{"flags": {"f": \#(record(#""metadata": {"payload": "1"}"#)), "f.payload": {"enabled": false}}}"#,
                "f.payload", "false"
            )
        ) { bytes, prefix in try source { $0.keyPrefix = prefix }.decode(bytes) }.run()
    }

    @Test(arguments: [true, false])
    func `a flag without a variant becomes a bool flag, with the reason as its note`(isEnabled: Bool) throws {
        let document = try document(
            #"""
            "demo": {"key": "demo", "enabled": \#(isEnabled), "variant": null,
              "reason": {"code": "condition_match", "condition_index": 0, "description": "Matched condition set 1"},
              "metadata": {"id": 7, "version": 3, "description": "Shows the demo", "payload": null}}
            """#)
        #expect(
            document.lines
                == ["Flags | demo | bool | \(isEnabled) | true/false | Shows the demo | Matched condition set 1"])
    }

    @Test(arguments: ["blue", "true", "3", "false"])
    func `a variant is a text, even if it looks like a bool or a number`(variant: String) throws {
        let document = try document(#""f": {"key": "f", "enabled": true, "variant": "\#(variant)"}"#)
        #expect(document.lines == ["Flags | f | string | \(variant) | - | - | -"])
    }

    @Test func `the code of a reason is the note if there is no description`() throws {
        let document = try document(#""f": \#(record(#""reason": {"code": "no_group_type"}"#))"#)
        #expect(document.notes["f"] == "no_group_type")
    }

    @Test(arguments: [
        (#"{"hex": "blue"}"#, #"{"hex":"blue"}"#, FlagType.json), ("[1]", "[1]", .json),
        (#""Good day""#, "Good day", .string), (#""42""#, "42", .string), ("42", "42", .int),
        ("4.5", "4.5", .double), ("true", "true", .bool), ("{", "{", .string), ("", "", .string),
    ])
    func `a payload is a separate flag with the value and the type of its JSON`(
        json: String, text: String, type: FlagType
    ) throws {
        let payload = JSONOutput.string(json).text()
        let document = try document(
            #""f": {"enabled": true, "variant": "blue", "metadata": {"payload": \#(payload)}}"#)
        #expect(
            document.lines == [
                "Flags | f | string | blue | - | - | -",
                "Flags | f.payload | \(type) | \(text) | - | - | payload of variant blue",
            ])
    }

    @Test func `a payload is read even if it is sent as JSON instead of a text`() throws {
        let document = try document(#""f": \#(record(#""metadata": {"payload": {"a": [1]}}"#))"#)
        #expect(document.lines.last == #"Flags | f.payload | json | {"a":[1]} | - | - | payload"#)
    }

    @Test(arguments: [
        #"{"enabled": false, "variant": null, "metadata": {"payload": "1"}}"#,
        #"{"enabled": true, "variant": null, "metadata": {"payload": null}}"#,
        #"{"enabled": true, "variant": null, "metadata": {"payload": "null"}}"#,
        #"{"enabled": true, "variant": null, "metadata": {}}"#, #"{"enabled": true, "metadata": null}"#,
    ])
    func `a flag that is off, or has an empty payload, has no payload`(record: String) throws {
        let document = try document(#""f": \#(record)"#)
        #expect(Array(document.values.keys) == ["f"] && document.issues.isEmpty)
    }

    @Test func `an unreadable flag is left out with an issue`() throws {
        let document = try document(
            #"""
            "a": 3, "b": {"enabled": "yes"}, "c": {"enabled": true, "variant": 3}, "d": {"enabled": true},
            "e": {"enabled": false, "failed": true, "reason": {"code": "timeout_error", "description": "Timed out"}}
            """#)
        #expect(Array(document.values.keys) == ["d"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 4 && sentences[1].contains(#""b""#) && sentences[2].contains("variant"))
        #expect(sentences[3].contains("could not evaluate it (Timed out)"), "\(sentences)")
    }

    @Test func `a response with errors is used, with a warning`() throws {
        let document = try document(#""a": {"enabled": true}"#, hasErrors: true)
        #expect(document.values["a"] == "true")
        #expect(document.issues.map(\.description).first?.contains("errorsWhileComputingFlags") == true)
    }
}
#endif
