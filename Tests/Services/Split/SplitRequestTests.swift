#if Network
import FlagModel
import FlagRemote
import FlagSourceSplit
import FlagTesting
import Testing

/// Split: requests.
struct SplitRequestTests {
    private func settings(
        _ url: String = "https://split.example.com", change: (inout SplitSettings) throws -> Void = { _ in }
    ) throws -> SplitSettings {
        var settings = try SplitSettings(baseURL: url)
        settings.countsImpressions = true
        try change(&settings)
        return settings
    }

    private func source(change: (inout SplitSettings) throws -> Void = { _ in }) throws -> SplitSource {
        SplitSource(try settings(change: change), client: SourceClient(transport: ScriptedTransport([])))
    }

    @Test func `a request for all flags has a key per traffic type, and the token without a scheme`() throws {
        let settings = try settings("https://split.example.com/eval/") {
            $0.token = Secret("hush")
            $0.keys = [SplitKey("u 1", bucketingKey: "b"), SplitKey("a1", trafficType: "account")]
        }
        let request = settings.request(since: "W/\"abc\"")
        let keys = PercentEncoding.encoded(
            #"[{"matchingKey":"u 1","trafficType":"user","bucketingKey":"b"},{"matchingKey":"a1","trafficType":"account"}]"#
        )
        #expect(
            request.lines == [
                "GET https://split.example.com/eval/client/get-all-treatments-with-config?keys=\(keys)",
                "Accept: application/json", "Authorization: hush (secret)", "If-None-Match: W/\"abc\"",
            ])
        #expect(request.source == "split:split.example.com")
        #expect(try !self.settings().request().headers.hasSecrets)
    }

    @Test func `a request by names or by flag sets has one key`() throws {
        let names = try settings { $0.selection = .names(["a", "b c"]) }.request().url
        #expect(names.target == "/client/get-treatments-with-config?key=flagmenu&split-names=a%2Cb%20c")
        let sets = try settings {
            $0.selection = .sets(["s1", "s2"])
            $0.keys = [SplitKey("u1", bucketingKey: "b1"), SplitKey("ignored")]
        }.request().url
        #expect(
            sets.target == "/client/get-treatments-with-config-by-sets?key=u1&bucketing-key=b1&flag-sets=s1%2Cs2")
    }

    @Test func `GET sends attributes in the query, POST in the body; keys are always in the query`() throws {
        let attributes: ContextAttributes = ["plan": "pro", "n": 3]
        let get = try settings { $0.attributes = attributes }.request()
        #expect(get.url.query?.hasSuffix("&attributes=%7B%22n%22%3A3%2C%22plan%22%3A%22pro%22%7D") == true)
        let post = try settings {
            $0.attributes = attributes
            $0.requestMethod = .post
        }.request(since: "x")
        #expect(post.method == .post && post.url.query?.hasPrefix("keys=") == true)
        #expect(post.url.query?.contains("attributes") == false)
        #expect(
            post.lines.dropFirst() == [
                "Accept: application/json", "Content-Type: application/json", #"{"attributes":{"n":3,"plan":"pro"}}"#,
            ])
    }

    @Test func `impressions are disabled by default, under the documented and the implemented parameter name`() throws {
        var settings = try SplitSettings(baseURL: "https://x")
        let query = settings.request().url.query
        #expect(query?.contains("&impressionsDisabled=true&impressions-disabled=true") == true)
        settings.requestMethod = .post
        #expect(settings.request().lines.last == #"{"attributes":{},"impressionsDisabled":true}"#)
    }

    @Test func `identities differ by environment, keys and selection, and contain no users or secrets`() throws {
        let first = try source().identity
        #expect(first.text.hasPrefix("split:https://split.example.com/#"))
        let others = [
            try source { $0.keys = [SplitKey("ana")] }, try source { $0.selection = .names(["a"]) },
            try source { $0.selection = .sets(["a"]) }, try source { $0.environment = "production" },
        ].map(\.identity)
        #expect(Set(others + [first]).count == 5 && !others.contains { $0.text.contains("ana") })
        #expect(try source { $0.token = Secret("hush") }.identity == first)
        #expect(try source { $0.requestMethod = .post }.identity == first, "the method does not change the values")
    }

    @Test func `the default poll interval is 30 seconds, and the default URL is http://localhost:7548`() throws {
        #expect(try source().pollInterval == .seconds(30))
        #expect(try source { $0.pollInterval = nil }.pollInterval == nil)
        #expect(try SplitSettings().request().url.origin == "http://localhost:7548")
    }
}
#endif
