import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceSplit
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("Split: against an evaluator", .fewAtOnce)
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

    @Test("flags are found by traffic type, by name and by set")
    func selections() async throws {
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

    @Test("names that the evaluator does not know at all are no answer")
    func unknown() async throws {
        let server = try await LoopbackSplit([])
        let source = try source(server.url) { $0.selection = .names(["a"]) }
        let error = await #expect(throws: SourceError.self) { try await source.fetch(since: nil) }
        #expect(error?.code == .malformed && error?.sentence.contains("control") == true)
    }

    @Test("a failure says what the evaluator says")
    func refusals() async throws {
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

    @Test("the page for what does not exist comes with status 200, and is no answer")
    func wrongPath() async throws {
        let server = try await LoopbackSplit([.init("a", "on")])
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url + "/below").fetch(since: nil)
        }
        #expect(
            error?.code == .malformed && error?.sentence.contains("is this the URL of a Split evaluator") == true)
    }

    @Test("the loopback server keeps to the protocol where the source does not go")
    func server() async throws {
        let server = try await LoopbackSplit([.init("a", "on", config: "c")])
        func answer(
            _ path: String, _ method: SourceRequest.Method = .get, key: String = ""
        ) async throws -> (status: Int, text: String) {
            let url = try #require(SourceURL(server.url + path))
            let headers = SourceHeaders([("Authorization", key)])
            let request = SourceRequest(source: "t", method: method, url: url, headers: headers)
            let response = try await HTTPTransport().send(request, limits: .fetch) { _ in }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        #expect(
            try await answer("/client/get-treatment?key=u&split-name=a") == (
                200, #"{"splitName":"a","treatment":"on"}"#
            ))
        #expect(
            try await answer("/client/get-treatment-with-config?key=u&split-name=a").text
                == #"{"splitName":"a","treatment":"on","config":"c"}"#)
        #expect(
            try await answer("/client/get-treatments?key=u&split-names=a,x").text
                == #"{"a":{"treatment":"on"},"x":{"treatment":"control"}}"#)
        #expect(try await answer("/client/get-treatment?key=u").status == 400)
        #expect(try await answer("/client/get-treatment?key=u&split-name=a&attributes=x").status == 400)
        #expect(try await answer("/client/track?key=u").text == "Successfully queued event")
        #expect(try await answer("/manager/names").text == #"{"splits":["a"]}"#)
        #expect(
            try await answer("/manager/split?split-name=x").text == #"{"error":"Feature flag \"x\" was not found."}"#)
        #expect(try await answer("/manager/split?split-name=a").text.contains(#""trafficType": "user""#))
        #expect(try await answer("/manager/splits").status == 200)
        #expect(try await answer("/admin/ping") == (200, "pong"))
        #expect(try await answer("/admin/healthcheck").status == 200)
        #expect(try await answer("/none").text.contains("Sorry"))
        #expect(try await answer("/none", .post).status == 404)
        let key = "Bearer sdk-key"
        #expect(try await answer("/api/splitChanges?s=1.3&since=-1").status == 401)
        #expect(try await answer("/api/splitChanges?since=-1", key: key).status == 400)
        #expect(
            try await answer("/api/splitChanges?s=1.3&since=-1&rbSince=-1", key: key).text.contains(
                #""t":10,"d":[{"name":"a""#))
        #expect(try await answer("/api/splitChanges?s=1.3&since=10", key: key).text.contains(#""s":10,"t":10,"d":[]"#))
        #expect(try await answer("/api/v2/auth?s=1.3", key: key).text.contains(#""pushEnabled":true"#))
        #expect(try await answer("/api/segmentChanges/x?since=-1", key: key).text.contains(#""till":-1"#))
        #expect(try await answer("/api/memberships/u", key: key).status == 200)
        #expect(try await answer("/event-stream").status == 401)
        #expect(try await answer("/api/testImpressions/bulk", .post, key: key).status == 200)
    }
}
