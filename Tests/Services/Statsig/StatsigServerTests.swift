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
    private func source(
        _ url: String, key: String = "client-key", _ change: (inout StatsigSettings) -> Void = { _ in }
    ) throws -> StatsigSource {
        var settings = try StatsigSettings(clientKey: Secret(key), baseURL: url)
        change(&settings)
        return StatsigSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    private func values(_ source: StatsigSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let values = try source.decode(bytes).values
        return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
    }

    @Test func `flags are evaluated for the user's fields and custom attributes`() async throws {
        let plan = LoopbackAudience("plan", "pro")
        let server = try await LoopbackStatsig(
            [.init("checkout", audience: plan), .init("own", audience: LoopbackAudience("userID", "u2"))],
            [.init("price", .experiment, #"{"a":1}"#, group: "Control", targeted: (plan, #"{"a":2}"#, "Test"))])
        #expect(
            try await values(source(server.url)) == ["checkout": "false", "own": "false", "price": #"{"a":1}"#])
        let targeted = try await values(
            source(server.url) {
                $0.user.userID = "u2"
                $0.user.custom = ["plan": "pro"]
            })
        #expect(targeted == ["checkout": "true", "own": "true", "price": #"{"a":2}"#])
    }

    @Test func `hashed names can be read only if the settings list the names`() async throws {
        let server = try await LoopbackStatsig([.init("a"), .init("b")], isAuthorizedForNames: false)
        let error = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: nil) }
        #expect(error?.code == .rejected && error?.sentence.contains("hashes the names") == true)
        #expect(try await values(source(server.url) { $0.names = ["a"] }) == ["a": "true"])
    }

    @Test func `a hash that was not requested is an error, even if the service does not name the hash`() async throws {
        for hash in [#", "hash_used": "sha256""#, ""] {
            let server = try await LoopbackServer { _ in
                .json(
                    #"{"has_updates": true, "feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}\#(hash)}"#)
            }
            let error = await #expect(throws: SourceError.self) {
                try await source(server.url) { $0.names = ["a"] }.fetch(since: nil)
            }
            #expect(error?.code == .rejected && error?.sentence.contains("\"sha256\"") == true, "\(hash)")
        }
    }

    @Test func `the service sends values again only if a flag changes, or if it derives another country`() async throws
    {
        let server = try await LoopbackStatsig([.init("a")])
        let source = try source(server.url)
        guard case .values(let bytes, let version) = try await source.fetch(since: nil) else {
            Issue.record("the first response has no values")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("127.0.0.1") && !text.contains("\"user\""), "the user is not cached: \(text)")
        #expect(try await source.fetch(since: version) == .unchanged)
        server.move(to: "FR")
        guard case .values(_, let newVersion) = try await source.fetch(since: version) else {
            Issue.record("the new country is not reported")
            return
        }
        #expect(newVersion == version && version?.contains("127.0.0.1") == false, "the version has no personal data")
        #expect(try await source.fetch(since: newVersion) == .unchanged)
        server.set([.init("a", false)])
        #expect(try await source.fetch(since: newVersion) != .unchanged)
    }

    @Test func `a response without updates means that nothing has changed, but only if the request had a version`()
        async throws
    {
        let server = try await LoopbackServer { _ in .json(#"{"has_updates": false}"#) }
        #expect(try await source(server.url).fetch(since: #"{"sinceTime":1}"#) == .unchanged)
        for version in [nil, "unknown"] {
            let error = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: version) }
            #expect(error?.code == .malformed && error?.sentence.contains("check the client key") == true)
        }
    }

    @Test func `an error contains the service's message, but not the key`() async throws {
        let server = try await LoopbackStatsig([.init("a")])
        let wrong = await #expect(throws: SourceError.self) {
            try await source(server.url, key: "client-hush").fetch(since: nil)
        }
        #expect(wrong?.code == .refused && wrong?.sentence.contains("\"Unauthorized\"") == true)
        #expect(wrong?.description.contains("hush") == false)
        let elsewhere = await #expect(throws: SourceError.self) {
            try await source("\(server.url)/below").fetch(since: nil)
        }
        #expect(elsewhere?.code == .missing && elsewhere?.sentence.contains("Cannot POST") == true)
    }

    @Test func `the loopback server also implements the endpoints that the source does not use`() async throws {
        let server = try await LoopbackStatsig(
            [.init("a", audience: LoopbackAudience("plan", "pro"))],
            [.init("l", .layer, "{}"), .init("e", .experiment, "{}", group: "Control")])
        func response(
            _ path: String, _ method: SourceRequest.Method = .get, _ body: String = ""
        ) async throws -> (status: Int, text: String) {
            let url = try #require(SourceURL(server.server.url + path))
            let request = SourceRequest(source: "t", method: method, url: url, body: Array(body.utf8))
            let response = try await HTTPTransport().send(request, limits: .fetch) { _ in }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        let specs = try await response("/v2/download_config_specs/secret-key.json?supports_proto=true")
        for words in [
            #""condition_map":{"public":"#, #""plan pro":{"type":"user_field""#, #""groupName":"Control""#,
            #""entity":"layer""#,
        ] {
            #expect(specs.text.contains(words), "\(specs.text)")
        }
        let known = try await response("/v2/download_config_specs/secret-key.json?sinceTime=1729634260223")
        #expect(known == (200, #"{"has_updates":false}"#))
        #expect(try await response("/v2/download_config_specs/secret-other.json").status == 401)
        for (hash, status) in [("none", 200), ("md5", 400)] {
            let body = #"{"user": {}, "hash": "\#(hash)"}"#
            #expect(try await response("/v1/initialize?k=client-key", .post, body).status == status)
        }
        #expect(try await response("/v1/initialize", .post, "{}").status == 401)
        #expect(try await response("/v1/log_event", .post, "{}").status == 202)
    }
}
#endif
