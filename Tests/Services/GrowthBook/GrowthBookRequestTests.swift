#if Network
import FlagModel
import FlagRemote
import FlagSourceGrowthBook
import FlagTesting
import Testing
import VendorServers

/// GrowthBook: requests.
struct GrowthBookRequestTests {
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
}
#endif
