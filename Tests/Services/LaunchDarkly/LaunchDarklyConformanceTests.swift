#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// LaunchDarkly: conformance suite.
@Suite(.limitedParallelism)
struct LaunchDarklyConformanceTests {
    @Test(arguments: SourceCheck.allCases, [true, false])
    func `as a mobile app or as a browser`(check: SourceCheck, isMobile: Bool) async throws {
        try await check.run(on: suite(isMobile))
    }

    @Test(arguments: SourceCheck.allCases, [true, false])
    func `with REPORT and the context in the body`(check: SourceCheck, isMobile: Bool) async throws {
        var suite = try await suite(isMobile, usesReport: true)
        let service = suite.service
        suite.service = { $0.method == "REPORT" ? await service($0) : .status(404) }
        // Like the iOS SDK: status 400 may mean that a proxy does not support REPORT.
        suite.fallbackFaults = [.status400]
        try await check.run(on: suite)
    }

    /// The first request fails and is sent again with the context in the URL. The `versions` check is left out, because
    /// that failure drops the version, as in the SDKs.
    @Test(arguments: SourceCheck.allCases.filter { $0 != .versions })
    func `with the context in the URL if REPORT is not supported`(check: SourceCheck) async throws {
        var suite = try await suite(false, usesReport: true)
        let service = suite.service
        suite.service = { $0.method == "REPORT" ? .status(405) : await service($0) }
        suite.requestsPerFetch = 2
        try await check.run(on: suite)
    }

    private func suite(_ isMobile: Bool, usesReport: Bool = false) async throws -> SourceConformanceSuite {
        let server = try await LoopbackLaunchDarkly(Self.flags, mobileKey: "hush-key", secureModeHash: "hush-hash")
        return SourceConformanceSuite(
            source: { url, client in
                var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: url)
                settings.context = LaunchDarklyContext(key: "hush-user")
                settings.usesReport = usesReport
                settings.mobileKey = isMobile ? Secret("hush-key") : nil
                settings.secureModeHash = isMobile ? nil : Secret("hush-hash")
                return LaunchDarklySource(settings, client: client)
            },
            service: { server.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["hush-hash", "hush-key", "hush-user"],
            transport: HTTPTransport(), hasBaseURL: true)
    }

    /// One flag of each kind.
    private static let flags = [
        LoopbackLaunchDarkly.Flag("plain", "true"), LoopbackLaunchDarkly.Flag("off", "false", variation: 1),
        LoopbackLaunchDarkly.Flag("text", #""blue""#), LoopbackLaunchDarkly.Flag("count", "42"),
        LoopbackLaunchDarkly.Flag("ratio", "7.0"), LoopbackLaunchDarkly.Flag("list", "[1, 2]"),
        LoopbackLaunchDarkly.Flag("object", #"{"label": "Welcome"}"#),
        LoopbackLaunchDarkly.Flag("own", nil, variation: nil, reason: nil, version: nil),
        LoopbackLaunchDarkly.Flag("null", "null"),
    ]

    private static let values = [
        "plain": "true", "off": "false", "text": "blue", "count": "42", "ratio": "7.0", "list": "[1,2]",
        "object": #"{"label":"Welcome"}"#,
    ]

    @Test(.timeLimit(.minutes(10)))
    func `the stream passes the fault matrix`() async throws {
        try await StreamConformanceSuite.run {
            let server = try await LoopbackLaunchDarkly([.init("number", "0")], mobileKey: "hush-key")
            var suite = StreamConformanceSuite(
                source: { client in
                    var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url)
                    settings.mobileKey = Secret("hush-key")
                    return LaunchDarklySource(settings, client: client)
                },
                server: server.server, service: { server.reply(to: $0) }, isStream: { $0.path.hasPrefix("/meval") },
                stream: LoopbackLaunchDarkly.clientStream, event: Array("event: ping\ndata:\n\n".utf8),
                malformedEvent: Array("event: patch\ndata: {\"key\": \n\n".utf8), eventStart: Array("data: ".utf8),
                change: { number, isReported in
                    let flag = LoopbackLaunchDarkly.Flag("number", "\(number)", version: number + 1)
                    if isReported { await server.patch(flag) } else { server.replace([flag]) }
                    return ["number": "\(number)"]
                },
                secrets: ["hush-key"], transport: HTTPTransport())
            // Its SDKs treat these as permanent errors.
            suite.lasting = [.status204, .status401, .status403, .status404]
            return suite
        }
    }
}
#endif
