#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// CloudKit: conformance suite.
@Suite(.limitedParallelism)
struct CloudKitConformanceTests {
    @Test(arguments: SourceCheck.allCases, [true, false])
    func `with a server-to-server key, and with an API token`(check: SourceCheck, isSigned: Bool) async throws {
        let key = try CloudKitServerKey(id: Secret("hush-id"), pem: CloudKitVectors.ecparam)
        let credentials: CloudKitCredentials = isSigned ? .serverKey(key) : .apiToken(Secret("hush-token"))
        let access: LoopbackCloudKit.Access =
            isSigned ? .serverKey(id: "hush-id", publicKey: CloudKitVectors.publicKey) : .apiToken("hush-token")
        let flags = [("new_ui", true), ("dark_mode", false), ("search", true)]
        // The suite's clock shows the start time of a manual clock, or a few minutes later.
        let now = ManualClock().now
        let service = try await LoopbackCloudKit(
            flags.map { LoopbackCloudKit.Record($0.0, isActive: $0.1) }, access: access, pageSize: 2, now: { now })
        var suite = SourceConformanceSuite(
            source: { url, client in
                let settings = try CloudKitSettings(
                    container: "iCloud.com.example.shop", credentials: credentials, baseURL: url)
                return CloudKitSource(settings, client: client)
            },
            service: { service.reply(to: $0) }, values: ["new_ui": "true", "dark_mode": "false", "search": "true"],
            secrets: ["hush-token", "hush-id", "_hushuser"], transport: HTTPTransport(), hasVersions: false,
            hasBaseURL: true)
        suite.requestsPerFetch = 2
        try await check.run(on: suite)
    }
}
#endif
