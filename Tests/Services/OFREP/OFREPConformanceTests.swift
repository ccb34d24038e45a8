#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceOFREP
import FlagSourceURLSession
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// OFREP: conformance suite, with each of the two transports.
@Suite(.limitedParallelism)
struct OFREPConformanceTests {
    @Test(arguments: SourceCheck.allCases, Transport.allCases)
    func conformance(check: SourceCheck, sentBy transport: Transport) async throws {
        let ofrep = try await LoopbackOFREP(Self.flags, token: "hush-token", apiKey: "hush-key")
        let suite = SourceConformanceSuite(
            source: { url, client in OFREPSource(try Self.settings(url), client: client) },
            service: { ofrep.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["hush-token", "hush-key", "streamsecret"],
            transport: transport.new(), hasBaseURL: true, urlEnds: ["/", "/ofrep/", "/ofrep/v1"])
        try await check.run(on: suite)
    }

    @Test(.timeLimit(.minutes(10)), arguments: Transport.allCases)
    func `the stream passes the fault matrix`(sentBy transport: Transport) async throws {
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
                secrets: ["hush-token", "hush-key", "streamsecret"], transport: transport.new())
            suite.lasting = [.status204]
            return suite
        }
    }

    enum Transport: CaseIterable {
        case asyncHTTPClient, urlSession

        func new() -> any SourceTransport { self == .urlSession ? URLSessionTransport() : HTTPTransport() }
    }

    private static func settings(_ url: String) throws -> OFREPSettings {
        var settings = try OFREPSettings(baseURL: url)
        settings.bearerToken = Secret("hush-token")
        settings.apiKey = Secret("hush-key")
        return settings
    }

    /// One flag of each kind.
    private static let flags = [
        LoopbackOFREP.Flag(
            "discount-banner", "true", reason: "TARGETING_MATCH", variant: "enabled",
            metadata: #"{"team": "ecommerce", "priority": 2}"#),
        LoopbackOFREP.Flag("theme-color", #""blue""#, variant: "default"),
        LoopbackOFREP.Flag("max-items", "42", variant: nil),
        LoopbackOFREP.Flag("ratio", "7.0", reason: "SPLIT"),
        LoopbackOFREP.Flag("login-screen", #"{"label": "Welcome", "sizes": [1, 2]}"#),
        LoopbackOFREP.Flag("code-default", nil, reason: "DEFAULT", variant: nil),
        LoopbackOFREP.Flag("gone", nil, failure: ("FLAG_NOT_FOUND", "Flag 'gone' was not found")),
    ]

    private static let values = [
        "discount-banner": "true", "theme-color": "blue", "max-items": "42", "ratio": "7.0",
        "login-screen": #"{"label":"Welcome","sizes":[1,2]}"#,
    ]
}
#endif
