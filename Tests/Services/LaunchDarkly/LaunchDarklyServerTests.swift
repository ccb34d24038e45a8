#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("LaunchDarkly: with a loopback server", .limitedParallelism)
struct LaunchDarklyServerTests {
    private func source(
        _ server: LoopbackLaunchDarkly, _ change: (inout LaunchDarklySettings) throws -> Void = { _ in }
    ) throws -> LaunchDarklySource {
        var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url)
        try change(&settings)
        return LaunchDarklySource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    @Test(arguments: [400, 404, 500])
    func `after a failure the next request has no version and gets a full response`(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        let source = try source(server)
        let version = try await source.fetchValues().version
        #expect(try await source.fetch(since: version) == .unchanged)
        server.server.inject(.status(status))
        #expect(await source.fetchError(since: version) != nil)
        _ = try await source.fetchValues(since: version)
        #expect(server.server.requests.last?.headers["If-None-Match"] == nil)
        #expect(try await source.fetch(since: version) == .unchanged)
    }

    @Test(arguments: [400, 405, 501, 503])
    func `only a status that means an unknown method switches from REPORT to GET, for the run`(status: Int) async throws
    {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status))
        let source = try source(server) { $0.usesReport = true }
        let isUnknown = status != 503
        #expect((await source.fetchError() == nil) == isUnknown)
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.map(\.method) == (isUnknown ? ["REPORT", "GET", "GET"] : ["REPORT", "REPORT"]))
    }
}
#endif
