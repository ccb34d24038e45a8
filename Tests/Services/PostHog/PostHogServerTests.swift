#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourcePostHog
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("PostHog: with a loopback server", .limitedParallelism)
struct PostHogServerTests {
    private func source(
        _ url: String, key: String = "phc_loopback", _ change: (inout PostHogSettings) -> Void = { _ in }
    ) throws -> PostHogSource {
        var settings = try PostHogSettings(baseURL: url, projectAPIKey: Secret(key))
        change(&settings)
        return PostHogSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    private func bytes(_ source: PostHogSource) async throws -> [UInt8] {
        guard case .values(let bytes, let version) = try await source.fetch(since: nil) else { return [] }
        #expect(version == nil)
        return bytes
    }

    private func values(_ source: PostHogSource) async throws -> [String: String] {
        let values = try source.decode(try await bytes(source)).values
        return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
    }

    @Test func `flags depend on person properties, groups and group properties`() async throws {
        let server = try await LoopbackPostHog([
            .init("person", variant: "express", audience: LoopbackAudience("plan", "pro")),
            .init("group", audience: LoopbackAudience("$group_key", "acme"), groupType: "company"),
            .init("size", payload: "1", audience: LoopbackAudience("size", "large"), groupType: "company"),
        ])
        #expect(try await values(source(server.url)) == ["person": "false", "group": "false", "size": "false"])
        let matching = try source(server.url) {
            $0.context.personProperties = ContextAttributes(["plan": "pro"])
            $0.context.groups = ["company": "acme"]
            $0.context.groupProperties = ["company": ContextAttributes(["size": "large"])]
        }
        #expect(
            try await values(matching) == ["person": "express", "group": "true", "size": "true", "size.payload": "1"])
    }

    @Test func `flags are selected by runtime, by evaluation context and by key`() async throws {
        let server = try await LoopbackPostHog([
            .init("any"), .init("app", runtime: "client"), .init("web", runtime: "server", tags: ["web"]),
        ])
        func keys(_ change: (inout PostHogSettings) -> Void = { _ in }) async throws -> [String] {
            try await values(source(server.url, change)).keys.sorted()
        }
        #expect(try await keys() == ["any", "app", "web"])
        #expect(try await keys { $0.evaluationRuntime = .client } == ["any", "app"])
        #expect(try await keys { $0.evaluationRuntime = .server } == ["any", "web"])
        #expect(try await keys { $0.evaluationContexts = ["mobile"] } == ["any", "app"])
        #expect(try await keys { $0.flagKeys = ["app", "none"] } == ["app"])
    }

    @Test func `equal flags have equal bytes, even if the order of the flags and the request's ID differ`() async throws
    {
        let server = try await LoopbackPostHog([.init("a"), .init("b", variant: "v", payload: #"{"c": "é \"x\""}"#)])
        let source = try source(server.url)
        let first = try await bytes(source)
        #expect(try await bytes(source) == first)
        server.set([.init("a", false)])
        #expect(try await bytes(source) != first)
    }

    @Test func `a flag that PostHog cannot evaluate keeps its last value, also after a restart`() async throws {
        let server = try await LoopbackPostHog([.init("a", variant: "v", payload: "1"), .init("b")])
        let source = try source(server.url)
        let all = ["a": "v", "a.payload": "1", "b": "true"]
        let cached = try await bytes(source)
        server.set([.init("a", isFailing: true), .init("b", false), .init("new", isFailing: true)])
        let partial = all.merging(["b": "false"]) { $1 }
        #expect(try await values(source) == partial)
        let restarted = try self.source(server.url)
        _ = try restarted.decode(cached)
        #expect(try await values(restarted) == partial)
        #expect(try await values(self.source(server.url)) == ["b": "false"], "the failing flags have no last values")
        server.set([.init("b")])
        #expect(try await values(source) == ["b": "true"], "a complete response removes flags")
    }

    @Test func `a project that has reached its billing limit keeps its last values`() async throws {
        let server = try await LoopbackPostHog([.init("a")])
        server.limitQuota(true)
        let error = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: nil) }
        #expect(error?.code == .rateLimited && error?.sentence.contains("billing limit") == true)
        server.limitQuota(false)
        #expect(try await values(source(server.url)) == ["a": "true"])
    }

    @Test func `an error contains the service's message, from JSON or from a text`() async throws {
        let server = try await LoopbackPostHog([.init("a")])
        let wrong = await #expect(throws: SourceError.self) {
            try await source(server.url, key: "phc_hush").fetch(since: nil)
        }
        #expect(wrong?.code == .refused && wrong?.sentence.contains("API key is invalid or has expired") == true)
        #expect(wrong.map { "\($0)".contains("hush") } == false)
        let limited = #"{"type": "validation_error", "code": "rate_limit_exceeded", "detail": "Rate limit exceeded"}"#
        server.server.inject(.json(limited, status: 429))
        let many = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: nil) }
        #expect(many?.code == .rateLimited && many?.sentence.contains("Rate limit exceeded") == true)
        let text = SourceResponse(
            status: 400, headers: SourceHeaders([("Content-Type", "text/plain; charset=utf-8")]),
            body: Array("Failed to decode request".utf8))
        server.server.inject(.respond(text))
        let bad = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: nil) }
        #expect(bad?.code == .rejected && bad?.sentence.contains("Failed to decode request") == true)
        let missing = await #expect(throws: SourceError.self) {
            try await source(server.url + "/below").fetch(since: nil)
        }
        #expect(missing?.code == .missing)
    }

    @Test func `the loopback server also implements the endpoints that only the vendor's clients use`() async throws {
        let server = try await LoopbackPostHog([.init("a", variant: "v", payload: "1"), .init("b", false)])
        func response(
            _ method: SourceRequest.Method, _ path: String, _ body: String = ""
        ) async throws -> (status: Int, text: String) {
            let url = try #require(SourceURL(server.url + path))
            let headers = SourceHeaders([("Content-Type", "application/json")])
            let request = SourceRequest(
                source: "t", method: method, url: url, headers: headers, body: Array(body.utf8))
            let response = try await HTTPTransport().send(request, limits: .fetch) { _ in }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        #expect(try await response(.get, "/flags/?v=2").text.contains(#""flags":{}"#))
        #expect(try await response(.post, "/batch/", "{}").status == 200)
        #expect(try await response(.post, "/flags?v=2", "no JSON").status == 400)
        #expect(try await response(.post, "/flags?v=2", "{}").text.contains("not_authenticated"))
        #expect(
            try await response(.post, "/flags?v=2", #"{"api_key": "phc_loopback"}"#).text.contains("distinct_id field"))
        let legacy = try await response(.post, "/flags", #"{"api_key": "phc_loopback", "distinct_id": "u"}"#).text
        #expect(legacy.contains(#""featureFlagPayloads":{"a":"1"}"#) && legacy.contains(#""b":false"#))
        #expect(try await response(.get, "/elsewhere").status == 404)
    }
}
#endif
