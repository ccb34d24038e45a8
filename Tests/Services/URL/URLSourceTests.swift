#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceURL
import FlagTesting
import Synchronization
import TestSupport
import Testing

@Suite("A document by its URL", .limitedParallelism)
struct URLSourceTests {
    private func source(
        _ url: String, token: String? = nil, limits: SourceLimits = .fetch,
        evaluate: DocumentEvaluation? = nil
    ) throws -> URLSource {
        var settings = try URLSourceSettings(url: url)
        settings.bearerToken = token.map { Secret($0) }
        settings.evaluate = evaluate
        return URLSource(settings, client: SourceClient(transport: HTTPTransport(), limits: limits, retry: .none))
    }

    private func response(_ headers: [(String, String)]) -> ScriptedTransport.Response {
        .response(SourceResponse(status: 200, headers: SourceHeaders(headers), body: Array(#"{"a": 1}"#.utf8)))
    }

    @Test(
        arguments: [
            (#"{"a": "1"}"#, .values), (#"[{"category": "C", "items": []}]"#, .catalogOnly),
            (#"{"parameters": {}}"#, .template),
            (#"{"flags": {"a": {"flagType": "boolean", "defaultValue": true}}}"#, .definitions),
        ] as [(String, RemoteDocument.Kind)])
    func `every kind of document is read`(_ text: String, _ kind: RemoteDocument.Kind) async throws {
        let server = try await LoopbackServer { _ in .json(text) }
        let source = try source("\(server.url)/flags.json")
        guard case .values(let bytes, nil) = try await source.fetch(since: nil) else {
            Issue.record("no values")
            return
        }
        #expect(try source.decode(bytes).kind == kind)
        #expect(server.requests.map { $0.headers["Accept"] } == ["application/json"])
    }

    @Test(
        arguments: [
            ("flags.json", .rejected, "example: https://example.com/flags.json"),
            ("https://", .rejected, "example:"),
            ("https://ana:hush@example.com/flags.json", .rejected, "use a token"),
            ("http://example.com/flags.json?hush", .insecure, "use https"),
            ("http://127.0.0.1.example.com/", .insecure, "use https"),
            ("http://128.0.0.1/", .insecure, "use https"), ("http://127.0.0/", .insecure, "use https"),
            ("http://[::2]/", .insecure, "use https"), ("http://localhost.example.com/", .insecure, "use https"),
        ] as [(String, SourceError.Code, String)])
    func `an invalid URL is rejected with a remedy and without its secrets`(
        _ url: String, _ code: SourceError.Code, _ words: String
    ) throws {
        let error = try #require(throws: SourceError.self) { try URLSourceSettings(url: url) }
        #expect(error.code == code && error.sentence.contains(words) && !"\(error)".contains("hush"), "\(error)")
    }

    @Test(
        arguments: [
            "http://127.0.0.1:8/x.json", "http://127.9.8.7/", "http://localhost:3000/a", "http://[::1]:8/x",
            "https://example.com",
        ])
    func `http is accepted for loopback addresses only`(_ url: String) throws { _ = try URLSourceSettings(url: url) }

    @Test func `identity and name hide the query, and different queries have different identities`() throws {
        let first = try source("https://Example.com/config/flags.json?token=hush", token: "hush")
        let second = try source("https://example.com/config/flags.json?token=other")
        #expect(
            first.name == "example.com/flags.json"
                && first.identity.text.hasPrefix("https://example.com/config/flags.json#")
        )
        #expect(first.identity != second.identity && !"\(first)\(first.identity)".contains("hush"))
        #expect(try source("https://example.com:8443").name == "example.com:8443")
        #expect(first.pollInterval == .seconds(60))
    }

    @Test(arguments: ["same", "other"])
    func `the token is not sent to another origin`(_ target: String) async throws {
        let otherServer = try await LoopbackServer { _ in .json(#"{"a": "other"}"#) }
        let place = target == "other" ? otherServer.url : ""
        let server = try await LoopbackServer { request in
            request.path == "/old.json"
                ? .status(302, headers: [("Location", "\(place)/new.json")]) : .json(#"{"a": "same"}"#)
        }
        let source = try source("\(server.url)/old.json?sig=hush", token: "hush")
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else {
            Issue.record("no values")
            return
        }
        #expect(try source.decode(bytes).values == ["a": target])
        let last = try #require((target == "other" ? otherServer : server).requests.last)
        #expect(last.headers["Authorization"] == (target == "other" ? nil : "Bearer hush") && last.query == nil)
    }

    @Test(
        arguments: [
            (
                ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT"],
                "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
            (["Last-Modified": "now", "Date": "later"], nil),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Mon, 07 Nov 1994 08:49:37 GMT",
                    "ETag": "\"e\"",
                ], "\"e\""
            ),
        ] as [([String: String], String?)])
    func `the date of a document is its version only if the document is older than the response`(
        _ headers: [String: String], _ version: String?
    ) async throws {
        let transport = ScriptedTransport([response(headers.map { ($0.key, $0.value) })])
        let source = URLSource(
            try URLSourceSettings(url: "https://example.com/a.json"), client: SourceClient(transport: transport))
        #expect(try await source.fetch(since: version) == .values(Array(#"{"a": 1}"#.utf8), version: version))
        let sent = try #require(transport.requests.first).headers
        let isDate = version?.hasSuffix("GMT") == true
        #expect(
            sent["If-Modified-Since"] == (isDate ? version : nil) && sent["If-None-Match"] == (isDate ? nil : version))
    }

    @Test func `a document that is too large is rejected`() async throws {
        let server = try await LoopbackServer { _ in .json(#"{"a": "\#(String(repeating: "x", count: 2_000))"}"#) }
        let source = try source(server.url, limits: SourceLimits(bodySize: 1_000))
        let error = await #expect(throws: SourceError.self) { try await source.fetch(since: nil) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a web page instead of a document is named in the error`() async throws {
        let source = try source("https://example.com/flags.json")
        let error = #expect(throws: DocumentError.self) { try source.decode(Array("<!DOCTYPE html>".utf8)) }
        #expect(error?.description == "the document is a web page, such as a login; name the document itself")
        let yaml = #expect(throws: DocumentError.self) { try source.decode(Array("flags:\n  a: true\n".utf8)) }
        #expect(yaml?.description == "the document is YAML, which is read from files only; save it as a file")
    }

    @Test func `a document whose name ends in .jsonc may have comments`() async throws {
        let document = try source("https://example.com/flags.jsonc").decode(Array("{\"a\": 1, // one\n}".utf8))
        #expect(document.values == ["a": "1"])
    }

    @Test func `the evaluation gets the bytes and the document`() throws {
        let seen = Mutex<[Int]>([])
        let source = try source("https://example.com/flags.json") { bytes, document in
            seen.withLock { $0.append(bytes.count) }
            var flags = EvaluatedFlags()
            flags.add(FlagItem(key: "a"), value: "evaluated", category: "C")
            return document.kind == .values ? RemoteDocument(flags) : document
        }
        #expect(try source.decode(Array(#"{"a": "1"}"#.utf8)).values == ["a": "evaluated"])
        #expect(seen.withLock { $0 } == [10])
    }
}
#endif
