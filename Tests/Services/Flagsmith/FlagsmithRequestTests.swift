#if Network
import FlagModel
import FlagRemote
import FlagSourceFlagsmith
import FlagTesting
import Testing

/// Flagsmith: requests.
struct FlagsmithRequestTests {
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
}
#endif
