#if Network
import FlagModel
import FlagRemote
import FlagSourceURL
import FlagTesting
import Synchronization
import Testing
import VendorServers

/// A document by its URL.
struct URLSourceTests {
    private func source(
        _ url: String = "https://example.com/flags.json", token: String? = nil,
        over transport: ScriptedTransport = ScriptedTransport([]), evaluate: DocumentEvaluation? = nil
    ) throws -> URLSource {
        var settings = try URLSourceSettings(url: url)
        settings.bearerToken = token.map { Secret($0) }
        settings.evaluate = evaluate
        return URLSource(settings, client: SourceClient(transport: transport))
    }

    @Test(
        arguments: [
            (#"{"a": "1"}"#, .values), (#"[{"category": "C", "items": []}]"#, .catalogOnly),
            (#"{"parameters": {}}"#, .template),
            (#"{"flags": {"a": {"flagType": "boolean", "defaultValue": true}}}"#, .definitions),
        ] as [(String, RemoteDocument.Kind)])
    func `every kind of document is read`(_ text: String, _ kind: RemoteDocument.Kind) async throws {
        let transport = ScriptedTransport.document(text)
        #expect(try await source(over: transport).fetchValues().document.kind == kind)
        #expect(transport.requests.map { $0.headers["Accept"] } == ["application/json"])
    }

    /// `HTTPTransportTests` shows that secrets are not sent to another origin.
    @Test func `the token is a secret of the request`() async throws {
        let transport = ScriptedTransport.document("{}")
        _ = try await source(token: "hush", over: transport).fetch(since: nil)
        let headers = try #require(transport.requests.first).headers
        #expect(headers["Authorization"] == "Bearer hush")
        #expect(headers.withoutSecrets["Authorization"] == nil)
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
        let sentHeaders = SourceHeaders(headers.map { ($0.key, $0.value) })
        let transport = ScriptedTransport([
            .response(SourceResponse(status: 200, headers: sentHeaders, body: Array(#"{"a": 1}"#.utf8)))
        ])
        let source = try source(over: transport)
        #expect(try await source.fetch(since: version) == .values(Array(#"{"a": 1}"#.utf8), version: version))
        let sent = try #require(transport.requests.first).headers
        let isDate = version?.hasSuffix("GMT") == true
        #expect(
            sent["If-Modified-Since"] == (isDate ? version : nil) && sent["If-None-Match"] == (isDate ? nil : version))
    }

    @Test func `a web page instead of a document is named in the error`() async throws {
        let source = try source()
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
        let source = try source { bytes, document in
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
