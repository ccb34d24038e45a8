#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceURL
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// A document by its URL: conformance suite.
@Suite(.limitedParallelism)
struct URLConformanceTests {
    /// The header with which a server sends the version of a document.
    enum Validator: CaseIterable { case etag, lastModified, none }

    @Test(arguments: SourceCheck.allCases, Validator.allCases)
    func compatibility(check: SourceCheck, validator: Validator) async throws {
        try await check.run(
            on: SourceConformanceSuite(
                source: { url, client in
                    var settings = try URLSourceSettings(url: "\(url)/config/flags.json?sig=hush-query")
                    settings.bearerToken = Secret("hush-token")
                    return URLSource(settings, client: client)
                },
                service: { Self.reply(to: $0, validator) },
                values: ["plain": "true", "text": "hi", "number": "1.50", "object": #"{"a":[1]}"#],
                secrets: ["hush-token", "hush-query"], transport: HTTPTransport(), hasVersions: validator != .none))
    }

    /// A web server with one document.
    private static func reply(to request: LoopbackRequest, _ validator: Validator) -> LoopbackReply {
        guard request.headers["Authorization"] == "Bearer hush-token" else { return .status(401) }
        guard request.path == "/config/flags.json", request.query == "sig=hush-query" else { return .status(404) }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let (headers, isKnown) =
            switch validator {
            case .etag: ([("ETag", #"W/"v1""#)], request.headers["If-None-Match"] == #"W/"v1""#)
            case .lastModified:
                (
                    [("Last-Modified", date), ("Date", "Sun, 06 Nov 1994 08:50:00 GMT")],
                    request.headers["If-Modified-Since"] == date
                )
            case .none: ([], false)
            }
        guard !isKnown else { return .status(304, headers: headers) }
        return .json(#"{"plain": true, "text": "hi", "number": 1.50, "object": {"a": [1]}}"#, headers: headers)
    }
}

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

    @Test(arguments: [
        (#"{"a": "1"}"#, RemoteDocument.Kind.values), (#"[{"category": "C", "items": []}]"#, .catalogOnly),
        (#"{"parameters": {}}"#, .template),
        (#"{"flags": {"a": {"flagType": "boolean", "defaultValue": true}}}"#, .definitions),
    ])
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

    @Test(arguments: [
        ("flags.json", SourceError.Code.rejected, "example: https://example.com/flags.json"),
        ("https://", .rejected, "example:"),
        ("https://ana:hush@example.com/flags.json", .rejected, "use a token"),
        ("http://example.com/flags.json?hush", .insecure, "use https"),
        ("http://127.0.0.1.example.com/", .insecure, "use https"),
        ("http://128.0.0.1/", .insecure, "use https"), ("http://127.0.0/", .insecure, "use https"),
        ("http://[::2]/", .insecure, "use https"), ("http://localhost.example.com/", .insecure, "use https"),
    ])
    func `an invalid URL is rejected with a remedy and without its secrets`(
        _ url: String, _ code: SourceError.Code, _ words: String
    ) throws {
        let error = try #require(throws: SourceError.self) { try URLSourceSettings(url: url) }
        #expect(error.code == code && error.sentence.contains(words) && !"\(error)".contains("hush"), "\(error)")
    }

    @Test(arguments: [
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

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(arguments: [
        (["Last-Modified": date, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"], date),
        (["Last-Modified": date, "Date": date], nil), (["Last-Modified": date], nil),
        (["Last-Modified": "now", "Date": "later"], nil),
        (["Last-Modified": date, "Date": "Mon, 07 Nov 1994 08:49:37 GMT", "ETag": "\"e\""], "\"e\""),
    ])
    func `the date of a document is its version only if the document is older than the response`(
        _ headers: [String: String], _ version: String?
    ) async throws {
        let body = Array(#"{"a": 1}"#.utf8)
        let sentHeaders = SourceHeaders(headers.map { ($0.key, $0.value) })
        let transport = ScriptedTransport([.response(SourceResponse(status: 200, headers: sentHeaders, body: body))])
        #expect(try await source(over: transport).fetch(since: version) == .values(body, version: version))
        let sent = try #require(transport.requests.first).headers
        #expect(sent["If-Modified-Since"] == (version == Self.date ? version : nil))
        #expect(sent["If-None-Match"] == (version == Self.date ? nil : version))
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
        let text = Array(#"{"a": "1"}"#.utf8)
        let source = try source { bytes, document in
            #expect(bytes == text && document.kind == .values)
            var flags = EvaluatedFlags()
            flags.add(FlagItem(key: "a"), value: "evaluated", category: "C")
            return RemoteDocument(flags)
        }
        #expect(try source.decode(text).values == ["a": "evaluated"])
    }
}
#endif
