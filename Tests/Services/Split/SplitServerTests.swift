#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceSplit
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("Split: with a loopback evaluator", .limitedParallelism)
struct SplitServerTests {
    private func source(_ url: String, _ change: (inout SplitSettings) -> Void = { _ in }) throws -> SplitSource {
        var settings = try SplitSettings(baseURL: url)
        change(&settings)
        return SplitSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    private func values(_ source: SplitSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let values = try source.decode(bytes).values
        return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
    }

    @Test func `flags are selected by traffic type, by name and by set`() async throws {
        let server = try await LoopbackSplit([
            .init("a", "on", sets: ["s1"]), .init("b", "v2", config: "{}", sets: ["s1", "s2"]),
            .init("c", "off", trafficType: "account"),
        ])
        #expect(try await values(source(server.url)) == ["a": "on", "b": "v2", "b.config": "{}"])
        #expect(try await values(source(server.url) { $0.selection = .names(["a", "none"]) }) == ["a": "on"])
        #expect(try await values(source(server.url) { $0.selection = .sets(["s2"]) }) == ["b": "v2", "b.config": "{}"])
        #expect(
            try await values(source(server.url) { $0.keys = [SplitKey("x", trafficType: "account")] }) == ["c": "off"])
    }

    @Test func `a response with only unknown names is malformed`() async throws {
        let server = try await LoopbackSplit([])
        let source = try source(server.url) { $0.selection = .names(["a"]) }
        let error = await #expect(throws: SourceError.self) { try await source.fetch(since: nil) }
        #expect(error?.code == .malformed && error?.sentence.contains("control") == true)
    }

    @Test func `an error contains the evaluator's message`() async throws {
        let server = try await LoopbackSplit([.init("a", "on")], token: "right")
        let wrong = await #expect(throws: SourceError.self) {
            try await source(server.url) { $0.token = Secret("hush") }.fetch(since: nil)
        }
        #expect(wrong?.code == .refused && wrong?.sentence.contains("Unauthorized") == true)
        #expect(wrong.map { "\($0)".contains("hush") } == false)
        let unnamed = await #expect(throws: SourceError.self) {
            try await source(server.url) {
                $0.token = Secret("right")
                $0.selection = .names([])
            }.fetch(since: nil)
        }
        #expect(unnamed?.code == .rejected && unnamed?.sentence.contains("null or undefined split-names") == true)
        server.server.inject(.json(#"{"error":{}}"#, status: 500))
        let failed = await #expect(throws: SourceError.self) {
            try await source(server.url) { $0.token = Secret("right") }.fetch(since: nil)
        }
        #expect(failed?.code == .faulty)
    }

    @Test func `the not-found page, which has status 200, is malformed`() async throws {
        let server = try await LoopbackSplit([.init("a", "on")])
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url + "/below").fetch(since: nil)
        }
        #expect(
            error?.code == .malformed && error?.sentence.contains("is this the URL of a Split evaluator") == true)
    }

    @Test func `the loopback server also implements the endpoints that the source does not use`() async throws {
        let server = try await LoopbackSplit([.init("a", "on", config: "c")])
        func response(
            _ path: String, _ method: SourceRequest.Method = .get, key: String = ""
        ) async throws -> (status: Int, text: String) {
            let url = try #require(SourceURL(server.url + path))
            let headers = SourceHeaders([("Authorization", key)])
            let request = SourceRequest(source: "t", method: method, url: url, headers: headers)
            let response = try await HTTPTransport().send(request, limits: .fetch) { _ in }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        #expect(
            try await response("/client/get-treatment?key=u&split-name=a") == (
                200, #"{"splitName":"a","treatment":"on"}"#
            ))
        #expect(
            try await response("/client/get-treatment-with-config?key=u&split-name=a").text
                == #"{"splitName":"a","treatment":"on","config":"c"}"#)
        #expect(
            try await response("/client/get-treatments?key=u&split-names=a,x").text
                == #"{"a":{"treatment":"on"},"x":{"treatment":"control"}}"#)
        #expect(try await response("/client/get-treatment?key=u").status == 400)
        #expect(try await response("/client/get-treatment?key=u&split-name=a&attributes=x").status == 400)
        #expect(try await response("/client/track?key=u").text == "Successfully queued event")
        #expect(try await response("/manager/names").text == #"{"splits":["a"]}"#)
        #expect(
            try await response("/manager/split?split-name=x").text == #"{"error":"Feature flag \"x\" was not found."}"#)
        #expect(try await response("/manager/split?split-name=a").text.contains(#""trafficType": "user""#))
        #expect(try await response("/manager/splits").status == 200)
        #expect(try await response("/admin/ping") == (200, "pong"))
        #expect(try await response("/admin/healthcheck").status == 200)
        #expect(try await response("/none").text.contains("Sorry"))
        #expect(try await response("/none", .post).status == 404)
        let key = "Bearer sdk-key"
        #expect(try await response("/api/splitChanges?s=1.3&since=-1").status == 401)
        #expect(try await response("/api/splitChanges?since=-1", key: key).status == 400)
        #expect(
            try await response("/api/splitChanges?s=1.3&since=-1&rbSince=-1", key: key).text.contains(
                #""t":10,"d":[{"name":"a""#))
        #expect(
            try await response("/api/splitChanges?s=1.3&since=10", key: key).text.contains(#""s":10,"t":10,"d":[]"#))
        #expect(try await response("/api/v2/auth?s=1.3", key: key).text.contains(#""pushEnabled":true"#))
        #expect(try await response("/api/segmentChanges/x?since=-1", key: key).text.contains(#""till":-1"#))
        #expect(try await response("/api/memberships/u", key: key).status == 200)
        #expect(try await response("/event-stream").status == 401)
        #expect(try await response("/api/testImpressions/bulk", .post, key: key).status == 200)
    }
}
#endif
