#if Network
import FlagRemote
import FlagSourceHTTP
import FlagSourcePostHog
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// PostHog: with a loopback server.
@Suite(.limitedParallelism)
struct PostHogServerTests {
    private func source(_ url: String) throws -> PostHogSource {
        let settings = try PostHogSettings(baseURL: url, projectAPIKey: Secret("phc_loopback"))
        return PostHogSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    @Test func `equal flags have equal bytes, even if the order of the flags and the request's ID differ`() async throws
    {
        let server = try await LoopbackPostHog([.init("a"), .init("b", variant: "v", payload: #"{"c": "é \"x\""}"#)])
        let source = try source(server.url)
        let first = try await source.fetchValues().bytes
        #expect(try await source.fetchValues().bytes == first)
        server.set([.init("a", false)])
        #expect(try await source.fetchValues().bytes != first)
    }

    @Test func `a flag that PostHog cannot evaluate keeps its last value, also after a restart`() async throws {
        let server = try await LoopbackPostHog([.init("a", variant: "v", payload: "1"), .init("b")])
        let source = try source(server.url)
        let all = ["a": "v", "a.payload": "1", "b": "true"]
        let cached = try await source.fetchValues().bytes
        server.set([.init("a", isFailing: true), .init("b", false), .init("new", isFailing: true)])
        let partial = all.merging(["b": "false"]) { $1 }
        #expect(try await source.fetchTexts() == partial)
        let restarted = try self.source(server.url)
        _ = try restarted.decode(cached)
        #expect(try await restarted.fetchTexts() == partial)
        #expect(
            try await self.source(server.url).fetchTexts() == ["b": "false"], "the failing flags have no last values")
        server.set([.init("b")])
        #expect(try await source.fetchTexts() == ["b": "true"], "a complete response removes flags")
    }

    @Test func `a project that has reached its billing limit is rate limited`() async throws {
        let server = try await LoopbackPostHog([.init("a")])
        server.limitQuota()
        let error = try await source(server.url).fetchError()
        #expect(error?.code == .rateLimited && error?.sentence.contains("billing limit") == true)
    }
}
#endif
