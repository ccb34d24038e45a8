#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Testing
import VendorServers

@testable import FlagSourceOFREP

/// OFREP: requests, and flags from responses.
struct OFREPTests {
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

    @Test func `one request for all flags has the context, the credentials and the known version`() throws {
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
    func `OFREP_TIMEOUT_MS limits a response, up to the client's limit`(text: String, total: Duration) async throws {
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

    private func document(_ flags: String) throws -> RemoteDocument {
        try OFREPFlags.document(Array("{\"flags\": [\(flags)]}".utf8))
    }

    @Test func `only responses that follow the protocol are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"key": "config_categories", "value": \#(ResponseConformanceSuite.quotedCatalog)}"#
        let flags = #"{"key": "shop.a", "value": true}, {"key": "b", "value": 1}, {"key": "c", "errorCode": "GENERAL"}"#
        try ResponseConformanceSuite(
            rejected: ["[]", "{}", #"{"flags": {}}"#, #"{"flags": [], "flags": []}"#], empty: [#"{"flags": []}"#],
            full: #"{"flags": [\#(catalog), \#(flags)]}"#
        ) { try OFREPFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), ("false", .bool, "false"), (#""""#, .string, ""),
        (#""true""#, .string, "true"), ("10", .int, "10"), ("0", .int, "0"), ("7.0", .double, "7.0"),
        ("1e3", .double, "1e3"), ("12345678901234567890", .double, "12345678901234567890"),
        (#"{"a": [1, 2]}"#, .json, #"{"a":[1,2]}"#), ("{}", .json, "{}"), ("[1, 2]", .json, "[1,2]"),
        ("[]", .json, "[]"),
    ])
    func `a value keeps its spelling and has the type of its JSON`(json: String, type: FlagType, text: String) throws {
        let options = type == .bool ? "true/false" : "-"
        #expect(
            try document(#"{"key": "f", "reason": "STATIC", "value": \#(json)}"#).lines
                == ["Flags | f | \(type) | \(text) | \(options) | - | STATIC"])
    }

    @Test func `variant, reason and metadata become notes and details, also with unknown reasons`() throws {
        let document = try document(
            """
            {"key": "a", "value": 1, "reason": "TARGETING_MATCH", "variant": "on", "metadata": {"team": "x", "n": 2, "b": true}},
            {"key": "b", "value": 1, "reason": "OF_ITS_OWN"}, {"key": "c", "value": 1}
            """)
        #expect(
            document.lines == [
                "Flags | a | int | 1 | - | team: x, n: 2, b: true | variant on, TARGETING_MATCH",
                "Flags | b | int | 1 | - | - | OF_ITS_OWN", "Flags | c | int | 1 | - | - | -",
            ])
    }

    @Test func `a flag without a value or with null is listed and uses the app's default`() throws {
        let document = try document(
            #"{"key": "a", "reason": "DEFAULT"}, {"key": "b", "value": null, "reason": "DISABLED"}"#)
        #expect(
            document.lines == [
                "Flags | a | - | - | - | - | DEFAULT, left to the app",
                "Flags | b | - | - | - | - | DISABLED, left to the app",
            ])
    }

    @Test func `a failed flag is left out with the server's error`() throws {
        let document = try document(
            """
            {"key": "gone", "errorCode": "FLAG_NOT_FOUND", "errorDetails": "no\\u001b[2J flag"},
            {"key": "odd", "errorCode": "GENERAL", "value": true}, {"value": 1}, 3, {"key": ""},
            {"key": "good", "value": true}, {"key": "good", "value": false}
            """)
        #expect(Array(document.values.keys) == ["good"] && document.values["good"] == "true")
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 6)
        #expect(
            sentences[0]
                == #"the flag "gone" was left out: the service could not evaluate it (FLAG_NOT_FOUND, "no\u001B[2J flag")"#
        )
        #expect(
            sentences[1].contains("GENERAL") && sentences[2].contains("flag 3") && sentences[5].contains("duplicate"))
    }

    private static let base = SourceURL("https://flags.example.com/env")

    @Test func `event streams are read, unsupported ones are skipped, and none is cached`() throws {
        let text = #"""
            {"flags": [{"key": "a", "value": "x\u00e9", "metadata": {"n": 1.50}}], "eventStreams": [
              {"type": "sse", "url": "https://sse.example.com/s?token=hush", "inactivityDelaySec": 60},
              {"type": "sse", "endpoint": {"requestUri": "/own?c=1"}},
              {"type": "sse", "endpoint": {"origin": "https://o.example.com", "requestUri": "/far"}, "inactivityDelaySec": 0},
              {"type": "websocket", "url": "wss://x"}, {"type": "sse"}, {"type": "sse", "url": "https://x", "endpoint": {"requestUri": "/"}},
              {"type": "sse", "endpoint": {"requestUri": "no-slash"}}], "metadata": {"version": "v12"}}
            """#
        let result = try OFREPResponse(parsing: Array(text.utf8), base: try #require(Self.base))
        #expect(
            result.streams.map(\.url.text) == [
                "https://sse.example.com/s?token=hush", "https://flags.example.com:443/own?c=1",
                "https://o.example.com/far",
            ])
        let cached = String(decoding: result.bytes, as: UTF8.self)
        #expect(!cached.contains("hush") && !cached.contains("eventStreams") && cached.contains(#""version":"v12""#))
        #expect(try OFREPFlags.document(result.bytes).values["a"] == "xé")
        #expect(!"\(result.streams)".contains("hush"))
        let plain = Array(#"{"flags": []}"#.utf8)
        #expect(try OFREPResponse(parsing: plain, base: try #require(Self.base)).bytes == plain)
    }
}
#endif
