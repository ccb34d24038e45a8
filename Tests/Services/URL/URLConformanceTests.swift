#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceURL
import FlagTesting
import TestSupport
import Testing

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
                service: { validator.reply(to: $0) },
                values: ["plain": "true", "text": "hi", "number": "1.50", "object": #"{"a":[1]}"#],
                secrets: ["hush-token", "hush-query"], transport: HTTPTransport(), hasVersions: validator != .none))
    }
}

extension URLConformanceTests.Validator {
    private static let document = #"{"plain": true, "text": "hi", "number": 1.50, "object": {"a": [1]}}"#
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// A web server with one document.
    func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard request.headers["Authorization"] == "Bearer hush-token" else { return .status(401) }
        guard request.path == "/config/flags.json", request.query == "sig=hush-query" else { return .status(404) }
        switch self {
        case .etag:
            let headers = [("ETag", #"W/"v1""#)]
            let isKnown = request.headers["If-None-Match"] == #"W/"v1""#
            return isKnown ? .status(304, headers: headers) : .json(Self.document, headers: headers)
        case .lastModified:
            let headers = [("Last-Modified", Self.date), ("Date", "Sun, 06 Nov 1994 08:50:00 GMT")]
            let isKnown = request.headers["If-Modified-Since"] == Self.date
            return isKnown ? .status(304, headers: headers) : .json(Self.document, headers: headers)
        case .none: return .json(Self.document)
        }
    }
}
#endif
