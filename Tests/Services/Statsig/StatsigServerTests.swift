#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceStatsig
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("Statsig: with a loopback server", .limitedParallelism)
struct StatsigServerTests {
    private func source(_ url: String, names: [String] = []) throws -> StatsigSource {
        var settings = try StatsigSettings(clientKey: Secret("client-key"), baseURL: url)
        settings.names = names
        return StatsigSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    @Test func `hashed names can be read only if the settings list the names`() async throws {
        let server = try await LoopbackStatsig([.init("a"), .init("b")], isAuthorizedForNames: false)
        let error = try await source(server.url).fetchError()
        #expect(error?.code == .rejected && error?.sentence.contains("hashes the names") == true)
        #expect(try await source(server.url, names: ["a"]).fetchTexts() == ["a": "true"])
    }

    @Test(arguments: [#", "hash_used": "sha256""#, ""])
    func `a hash that was not requested is an error, even if the service does not name the hash`(hash: String)
        async throws
    {
        let body = #"{"has_updates": true, "feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}\#(hash)}"#
        let server = try await LoopbackServer { _ in .json(body) }
        let error = try await source(server.url, names: ["a"]).fetchError()
        #expect(error?.code == .rejected && error?.sentence.contains("\"sha256\"") == true)
    }

    @Test
    func `the service sends values again if it derives another country or a flag changes; no personal data is cached`()
        async throws
    {
        let server = try await LoopbackStatsig([.init("a")])
        let source = try source(server.url)
        let first = try await source.fetchValues()
        let text = String(decoding: first.bytes, as: UTF8.self)
        #expect(!text.contains("127.0.0.1") && !text.contains("\"user\""), "the user is not cached: \(text)")
        #expect(try await source.fetch(since: first.version) == .unchanged)
        server.move(to: "FR")
        let second = try await source.fetchValues(since: first.version)
        #expect(second.version == first.version && first.version?.contains("127.0.0.1") == false)
        #expect(try await source.fetch(since: second.version) == .unchanged)
        server.set([.init("a", false)])
        #expect(try await source.fetchValues(since: second.version).texts == ["a": "false"])
    }

    @Test func `a response without updates means that nothing has changed, but only if the request had a version`()
        async throws
    {
        let server = try await LoopbackServer { _ in .json(#"{"has_updates": false}"#) }
        #expect(try await source(server.url).fetch(since: #"{"sinceTime":1}"#) == .unchanged)
        for version in [nil, "unknown"] {
            let error = try await source(server.url).fetchError(since: version)
            #expect(error?.code == .malformed && error?.sentence.contains("check the client key") == true)
        }
    }

    @Test func `an error contains the service's message`() async throws {
        let server = try await LoopbackServer { _ in .json(#"{"message": "Unauthorized"}"#, status: 401) }
        let error = try await source(server.url).fetchError()
        #expect(error?.code == .refused && error?.sentence.contains("\"Unauthorized\"") == true)
    }
}
#endif
