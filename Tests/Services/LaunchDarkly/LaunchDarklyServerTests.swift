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
        guard case .values(_, let version?) = try await source.fetch(since: nil) else {
            Issue.record("there is no version")
            return
        }
        #expect(try await source.fetch(since: version) == .unchanged)
        server.server.inject(.status(status))
        await #expect(throws: SourceError.self) { try await source.fetch(since: version) }
        guard case .values = try await source.fetch(since: version) else {
            Issue.record("the version was sent again after the failure")
            return
        }
        #expect(server.server.requests.last?.headers["If-None-Match"] == nil)
        #expect(try await source.fetch(since: version) == .unchanged)
    }

    @Test(arguments: [400, 405, 501])
    func `a status that means an unknown method switches from REPORT to GET for the run`(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status))
        let source = try source(server) { $0.usesReport = true }
        _ = try await source.fetch(since: nil)
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.map(\.method) == ["REPORT", "GET", "GET"])
    }

    @Test func `other failures keep REPORT`() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(503))
        let source = try source(server) { $0.usesReport = true }
        await #expect(throws: SourceError.self) { try await source.fetch(since: nil) }
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.map(\.method) == ["REPORT", "REPORT"])
    }

    @Test func `a wrong key, hash or environment is rejected and not shown`() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")], mobileKey: "mob-right", secureModeHash: "right")
        func code(_ change: (inout LaunchDarklySettings) throws -> Void) async throws -> SourceError.Code? {
            let source = try source(server, change)
            do throws(SourceError) {
                _ = try await source.fetch(since: nil)
                return nil
            } catch {
                #expect(!"\(error)".contains("hush"))
                return error.code
            }
        }
        #expect(try await code { $0.mobileKey = Secret("hush") } == .refused)
        #expect(try await code { $0.mobileKey = Secret("mob-right") } == nil)
        #expect(try await code { $0.secureModeHash = Secret("hush") } == .refused)
        #expect(try await code { $0.secureModeHash = Secret("right") } == nil)
        #expect(try await code { $0 = try LaunchDarklySettings(environment: "other", baseURL: server.url) } == .missing)
    }

    @Test func `reasons are returned only if requested`() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        for wants in [true, false] {
            let source = try source(server) { $0.wantsReasons = wants }
            guard case .values(let bytes, _) = try await source.fetch(since: nil) else {
                Issue.record("there are no flags")
                return
            }
            #expect(try source.decode(bytes).notes["a"] == (wants ? "variation 0, FALLTHROUGH" : "variation 0"))
        }
    }

    @Test func `the loopback server reads contexts with and without padding, and the rest of the protocol`()
        async throws
    {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")], mobileKey: "mob", sdkKey: "sdk")
        func status(_ method: SourceRequest.Method, _ path: String, _ key: String = "") async throws -> Int {
            let url = try #require(SourceURL(server.url + path))
            let request = SourceRequest(
                source: "t", method: method, url: url, headers: SourceHeaders([("Authorization", key)]))
            return try await HTTPTransport().send(request, limits: .fetch) { _ in }.status
        }
        let context = "eyJrZXkiOiJ1MSIsImtpbmQiOiJ1c2VyIn0"
        #expect(try await status(.get, "/sdk/evalx/client-side-id/contexts/\(context)=") == 200)
        #expect(try await status(.get, "/sdk/evalx/client-side-id/contexts/\(context)") == 200)
        #expect(try await status(.get, "/msdk/evalx/contexts/\(context)", "mob") == 200)
        #expect(try await status(.get, "/msdk/evalx/contexts/\(context)") == 401)
        #expect(
            try await status(.get, "/sdk/evalx/client-side-id/contexts/e30=") == 400,
            "a context without a key is rejected")
        #expect(
            try await status(.report, "/sdk/evalx/client-side-id/context") == 400,
            "a REPORT request without a context is rejected")
        #expect(try await status(.get, "/sdk/latest-all", "sdk") == 200)
        #expect(try await status(.get, "/sdk/latest-all") == 401)
        #expect(try await status(.post, "/bulk") == 202)
        #expect(try await status(.post, "/diagnostic") == 202)
        #expect(try await status(.post, "/events/bulk/client-side-id") == 202)
        #expect(try await status(.post, "/mobile/events/bulk") == 202)
        #expect(try await status(.get, "/elsewhere") == 404)
    }
}
#endif
