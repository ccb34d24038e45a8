#if Network
import FlagModel
import FlagRemote
import FlagSourcePostHog
import FlagTesting
import Testing

/// PostHog: requests.
struct PostHogRequestTests {
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
}
#endif
