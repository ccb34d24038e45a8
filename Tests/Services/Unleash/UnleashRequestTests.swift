#if Network
import FlagModel
import FlagRemote
import FlagSourceUnleash
import FlagTesting
import Testing

/// Unleash: requests.
struct UnleashRequestTests {
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
}
#endif
