#if Network
import FlagModel
import FlagRemote
import FlagSourceUnleash
import FlagTesting
import Testing

/// Unleash: requests, and flags from responses.
struct UnleashTests {
    private func settings(_ url: String = "https://unleash.example.com") throws -> UnleashSettings {
        try UnleashSettings(baseURL: url, token: Secret("*:development.hush"))
    }

    private func source(
        token: String = "*:development.hush", _ change: (inout UnleashSettings) -> Void = { _ in }
    ) throws -> UnleashSource {
        var settings = try UnleashSettings(baseURL: "https://x", token: Secret(token))
        change(&settings)
        return UnleashSource(settings, client: SourceClient(transport: ScriptedTransport([])))
    }

    private func value(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

    @Test func `GET sends the context in the query with encoded brackets, and the token without a scheme`() throws {
        var settings = try settings("https://unleash.example.com/demo/")
        settings.context = try #require(
            UnleashContext(
                try value(
                    #"{"userId": "1", "sessionId": "2", "remoteAddress": "10.0.0.1", "environment": "e", "appName": "shop", "currentTime": "2026-11-21T10:00:00Z", "properties": {"plan": "pro &", "n": 3}}"#
                )))
        let request = settings.request(since: "W/\"abc\"", connection: "c-1")
        let url =
            "https://unleash.example.com/demo/api/frontend?appName=shop&currentTime=2026-11-21T10%3A00%3A00Z&environment=e"
            + "&remoteAddress=10.0.0.1&sessionId=2&userId=1&properties%5Bn%5D=3&properties%5Bplan%5D=pro%20%26"
        #expect(
            request.lines == [
                "GET \(url)", "Accept: application/json", "Authorization: *:development.hush (secret)",
                "Content-Type: application/json", "If-None-Match: W/\"abc\"", "unleash-appname: shop",
                "unleash-connection-id: c-1",
            ])
        #expect(request.source == "unleash:unleash.example.com")
    }

    @Test func `POST sends the context in the body, without a version`() throws {
        var settings = try settings()
        settings.context = try #require(UnleashContext(try value(#"{"userId": "1", "properties": {"plan": "pro"}}"#)))
        settings.requestMethod = .post
        #expect(
            settings.request(since: "x").lines == [
                "POST https://unleash.example.com/api/frontend", "Accept: application/json",
                "Authorization: *:development.hush (secret)", "Content-Type: application/json",
                "unleash-appname: flagmenu",
                #"{"context":{"appName":"flagmenu","sessionId":"flagmenu","userId":"1","properties":{"plan":"pro"}}}"#,
            ])
    }

    @Test(arguments: [
        (#"{}"#, #"{"appName":"flagmenu","sessionId":"flagmenu"}"#),
        (
            #"{"email": "a@b", "sessionId": "s", "beta": true}"#,
            #"{"appName":"flagmenu","sessionId":"s","properties":{"beta":"true","email":"a@b"}}"#
        ),
        (#"{"userId": 7}"#, #"{"appName":"flagmenu","sessionId":"flagmenu","userId":"7"}"#), ("[]", nil),
        (#"{"userId": null}"#, nil),
        (#"{"properties": {"a": []}}"#, nil), (#"{"properties": 1}"#, nil),
    ])
    func `unknown context members become properties; other types than text, number and bool are rejected`(
        json: String, expected: String?
    ) throws {
        #expect(UnleashContext(try value(json))?.json == expected)
    }

    @Test func `identities differ by context and environment, and contain no users or secrets`() throws {
        let first = try source().identity
        #expect(try source(token: "*:development.other").identity == first)
        #expect(try source(token: "*:production.hush").identity != first)
        #expect(try source { $0.context.userID = "ana" }.identity != first)
        #expect(!first.text.contains("hush") && first.text.hasPrefix("unleash:https://x/#"))
        let named = try source { $0.context.environment = "e" }.identity
        let other = try source(token: "*:production.hush") { $0.context.environment = "e" }.identity
        #expect(named != other, "the token alone decides the environment")
        let unknown = try source(token: "") { $0.context.environment = "e" }.identity
        #expect(named.text.hasPrefix("\(unknown)."), "without a token, cached values are found by this prefix")
        #expect(
            try source(token: "hush-without-scope").identity == source(token: "hush-of-another.kind").identity)
    }

    @Test func `the default poll interval is 15 seconds; zero or nil turns polling off`() throws {
        #expect(try source().pollInterval == .seconds(15))
        #expect(try source { $0.refreshInterval = .zero }.pollInterval == nil)
        #expect(try source { $0.refreshInterval = nil }.pollInterval == nil)
    }

    private func document(_ toggles: String) throws -> RemoteDocument {
        try source().decode(Array("{\"toggles\": [\(toggles)]}".utf8))
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
        ) { bytes, prefix in try source { $0.keyPrefix = prefix }.decode(bytes) }.run()
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
