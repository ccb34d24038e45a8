#if Network
import FlagModel
import FlagRemote
import FlagSourceOFREP
import FlagSourceURLSession
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// The suites of sources, with OFREP as the source of which every request is sent by `URLSession`.
@Suite(.limitedParallelism)
struct URLSessionConformanceTests {
    @Test(arguments: SourceCheck.allCases)
    func conformance(check: SourceCheck) async throws {
        let ofrep = try await LoopbackOFREP([.init("number", "42")], token: "hush-token", apiKey: "hush-key")
        let suite = SourceConformanceSuite(
            source: { url, client in OFREPSource(try Self.settings(url), client: client) },
            service: { ofrep.reply(to: $0) }, values: ["number": "42"], secrets: ["hush-token", "hush-key"],
            transport: URLSessionTransport())
        try await check.run(on: suite)
    }

    @Test(.timeLimit(.minutes(10)))
    func `the stream passes the fault matrix`() async throws {
        try await StreamConformanceSuite.run {
            let server = try await LoopbackOFREP([.init("number", "0")], token: "hush-token", apiKey: "hush-key")
            var suite = StreamConformanceSuite(
                source: { client in
                    var settings = try Self.settings(server.url)
                    settings.pollInterval = .seconds(30)
                    return OFREPSource(settings, client: client)
                },
                server: server.server, service: { server.reply(to: $0) }, isStream: { $0.path == "/ofrep/v1/events" },
                stream: LoopbackOFREP.stream, event: Array("data: {\"type\": \"refetchEvaluation\"}\n\n".utf8),
                malformedEvent: Array("data: {\"type\": \"refetch\n\n".utf8), eventStart: Array("data: ".utf8),
                change: { number, isReported in
                    let flags = [LoopbackOFREP.Flag("number", "\(number)")]
                    if isReported { await server.set(flags) } else { server.replace(flags) }
                    return ["number": "\(number)"]
                },
                secrets: ["hush-token", "hush-key", "streamsecret"], transport: URLSessionTransport())
            suite.lasting = [.status204]
            return suite
        }
    }

    private static func settings(_ url: String) throws -> OFREPSettings {
        var settings = try OFREPSettings(baseURL: url)
        settings.bearerToken = Secret("hush-token")
        settings.apiKey = Secret("hush-key")
        return settings
    }
}
#endif
