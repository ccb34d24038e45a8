#if Network
import FlagModel
import FlagRemote
@testable import FlagSourceOFREP
import FlagTesting
import Testing
import VendorServers

struct OFREPRequestTests {
    private func settings(
        _ url: String = "https://flags.example.com", change: (inout OFREPSettings) throws -> Void = { _ in }
    ) throws -> OFREPSettings {
        var settings = try OFREPSettings(baseURL: url)
        settings.bearerToken = Secret("hush-token")
        settings.apiKey = Secret("hush-key")
        try change(&settings)
        return settings
    }

    private func source(
        _ transport: ScriptedTransport = .init([]), change: (inout OFREPSettings) throws -> Void = { _ in }
    ) throws -> OFREPSource {
        OFREPSource(try settings(change: change), client: SourceClient(transport: transport))
    }

    private func value(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

    @Test func `one request for all flags has the context, the credentials and the version of the known flags`() throws
    {
        var settings = try settings("https://flags.example.com/env/")
        settings.context = try #require(
            EvaluationContext(try value(#"{"targetingKey": "u 1", "n": 3, "deep": {"y": true}}"#)))
        let request = settings.request(since: "W/\"abc\"")
        #expect(
            request.lines == [
                "POST https://flags.example.com/env/ofrep/v1/evaluate/flags", "Accept: application/json",
                "Authorization: Bearer hush-token (secret)", "Content-Type: application/json",
                "If-None-Match: W/\"abc\"", "X-API-Key: hush-key (secret)",
                #"{"context":{"targetingKey":"u 1","n":3,"deep":{"y":true}}}"#,
            ])
    }

    @Test func `the ETag and time of an event are sent in the query, percent-encoded`() throws {
        let hint = RefetchEvent(etag: "\"a b\"", lastModified: "1771622898")
        let url = try settings().request(since: "x", after: hint).url
        #expect(url.query == "flagConfigEtag=%22a%20b%22&flagConfigLastModified=1771622898")
        #expect(
            try settings().request(after: RefetchEvent(lastModified: "2026-02-20T21:28:18Z")).url.query
                == "flagConfigLastModified=2026-02-20T21%3A28%3A18Z")
    }

    @Test(arguments: [
        (#"{}"#, #"{"targetingKey":"flagmenu"}"#), (#"{"a": 1}"#, #"{"targetingKey":"flagmenu","a":1}"#),
        (#"{"a": 1, "targetingKey": "u"}"#, #"{"a":1,"targetingKey":"u"}"#), (#"{"targetingKey": 3}"#, nil),
        ("[]", nil), (#""u""#, nil),
    ])
    func `a context always has a targeting key`(json: String, expected: String?) throws {
        #expect(EvaluationContext(try value(json))?.json == expected)
    }

    @Test func `context attributes are literals, and none replaces the targeting key`() {
        #expect(
            EvaluationContext(targetingKey: "u", attributes: ["plan": "pro", "age": 42, "targetingKey": "no"]).json
                == #"{"targetingKey":"u","age":42,"plan":"pro"}"#)
    }

    @Test func `OFREP_HEADERS is decoded, then split at commas and at the first equals sign`() throws {
        var settings = try OFREPSettings(baseURL: "https://x")
        settings.addHeaders(Secret("Authorization=Bearer%20hush%3D%3D, X-Env = prod,, "), from: "OFREP_HEADERS")
        #expect(settings.headers.fields.map(\.name) == ["Authorization", "X-Env"])
        #expect(settings.request().headers["Authorization"] == "Bearer hush==")
        #expect(settings.request().headers["X-Env"] == "prod")
        #expect(!"\(settings)".contains("hush"))
    }

    @Test(arguments: [
        ("a=b,hush", "item 2 has no \"=\""), ("=hush", "item 1 has no header name"),
        ("a=b,,hu sh=x", "item 3 has no header name"),
        ("a=hush%0Ab", "item 1 contains a control character"), ("h\u{FC}=hush", "item 1 has no header name"),
    ])
    func `an invalid item of OFREP_HEADERS is left out with a warning that names its position and never shows it`(
        text: String, words: String
    ) throws {
        let settings = try settings {
            $0.addHeaders(Secret("\(text),X-Last=1"), from: "the variable OFREP_HEADERS")
        }
        let warning = try #require(settings.headerWarnings.first)
        #expect(settings.headerWarnings.count == 1 && settings.request().headers["X-Last"] == "1")
        #expect(warning.hasPrefix("the variable OFREP_HEADERS must contain name=value") && warning.contains(words))
        #expect(!warning.contains("hush"))
        let document = try OFREPSource(settings, client: SourceClient(transport: ScriptedTransport([])))
            .decode(Array(#"{"flags": []}"#.utf8))
        #expect(document.issues.map(\.sentence) == [warning])
    }

    @Test(arguments: [("250", Duration.milliseconds(250)), ("20000", .seconds(20)), ("3600000", .seconds(30))])
    func `OFREP_TIMEOUT_MS limits the whole response, up to the client's own limit`(text: String, total: Duration)
        async throws
    {
        let transport = ScriptedTransport.document(#"{"flags": []}"#)
        _ = try await source(transport).fetch(since: nil)
        _ = try await source(transport) { try $0.setTimeout(milliseconds: text) }.fetch(since: nil)
        let limits = transport.limits
        #expect(limits.first == .fetch)
        #expect(limits.last?.total == total && limits.last.map { $0.idleTimeout > total } == true, "\(limits)")
    }

    @Test(arguments: ["", "0", "-1", "+5", "1.5", " 5", "soon", "9e3", "99999999999999999999"])
    func `an invalid OFREP_TIMEOUT_MS is rejected`(text: String) throws {
        var settings = try settings()
        let error = #expect(throws: SourceError.self) { try settings.setTimeout(milliseconds: text) }
        #expect(error?.code == .rejected && error?.path == "ofrep:flags.example.com")
        #expect(error?.sentence.hasPrefix("OFREP_TIMEOUT_MS must be") == true && settings.timeout == nil)
    }

    @Test func `identities differ by context and API key, and contain no users or secrets`() throws {
        let first = try source()
        #expect(first.name == "ofrep:flags.example.com")
        #expect(first.identity.text.hasPrefix("ofrep:https://flags.example.com/#"))
        #expect(try source { $0.bearerToken = Secret("other") }.identity == first.identity)
        // The API key selects the environment of the flags.
        let others =
            [
                try source { $0.context = EvaluationContext(targetingKey: "hush@example.com") },
                try source { $0.apiKey = Secret("hush-staging") }, try source { $0.apiKey = Secret("hush-production") },
            ].map(\.identity) + [first.identity]
        #expect(Set(others).count == 4 && !others.contains { $0.text.contains("hush") })
    }

    @Test func `credentials are sent only to streams of the server's origin`() throws {
        let settings = try settings()
        let text =
            #"{"flags": [], "eventStreams": [{"type": "sse", "endpoint": {"requestUri": "/s"}}, {"type": "sse", "url": "https://o.example/s"}]}"#
        let streams = try OFREPResponse(parsing: Array(text.utf8), base: settings.baseURL).streams
        #expect(
            settings.request(for: streams[0]).headers.hasSecrets
                && !settings.request(for: streams[1]).headers.hasSecrets)
    }

    @Test func `polling is off by default`() throws {
        #expect(try source().pollInterval == nil)
        #expect(try source { $0.pollInterval = .seconds(30) }.pollInterval == .seconds(30))
        let unfollowed = try source { ($0.pollInterval, $0.changeDetection) = (.seconds(30), .none) }
        #expect(unfollowed.pollInterval == nil && unfollowed.changes() == nil)
    }
}
#endif
