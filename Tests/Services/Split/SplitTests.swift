#if Network
import FlagModel
import FlagRemote
import FlagSourceSplit
import FlagTesting
import Testing

/// Split: requests, and flags from responses.
struct SplitTests {
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

    private func document(_ flags: String) throws -> RemoteDocument {
        try SplitFlags.document(Array("{\"user\": {\(flags)}}".utf8))
    }

    @Test func `only responses of an evaluator are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"treatment": "on", "config": \#(ResponseConformanceSuite.quotedCatalog)}"#
        let flags = #""shop.a": {"treatment": "on"}, "b": {"treatment": "on"}"#
        try ResponseConformanceSuite(
            rejected: [
                "[]", #"{"route":"Sorry this page does not exist!"}"#, #"{"user": {"a": "on"}}"#,
                #"{"error": {}, "user": 1}"#, #"{"splits": ["a"]}"#,
            ],
            empty: ["{}", #"{"user": {}}"#], full: #"{"user": {"config_categories": \#(catalog), \#(flags)}}"#,
            conflict: (
                #"{"user": {"f": {"treatment": "on", "config": "c"}, "f.config": {"treatment": "off"}}}"#, "f.config",
                "off"
            )
        ) { try SplitFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test(arguments: ["on", "off", "v2", "true", "1", "On"])
    func `every treatment is a text; on and off can be read as a bool, and set to the other`(
        treatment: String
    ) throws {
        let isSwitch = ["on", "off"].contains(treatment)
        let options = isSwitch ? "on/off" : "-"
        #expect(
            try document(#""f": {"treatment": "\#(treatment)", "config": null}"#).lines
                == ["user | f | string | \(treatment) | \(options) | - | treatment \(treatment)"])
        if isSwitch { #expect(FlagReading.bool(treatment) == (treatment == "on")) }
    }

    @Test(arguments: [
        (#"{"c": 1}"#, FlagType.json), ("[1]", .json), ("{", .string), ("blue", .string), ("3", .int),
        ("true", .bool), ("", .string),
    ])
    func `a configuration is a separate flag with the type of its text`(text: String, type: FlagType) throws {
        let config = JSONOutput.string(text).text()
        #expect(
            try document(#""f": {"treatment": "v1", "config": \#(config)}"#).lines == [
                "user | f | string | v1 | - | - | treatment v1",
                "user | f.config | \(type) | \(text) | - | - | configuration of treatment v1",
            ])
    }

    @Test func `flags are grouped by traffic type; a duplicate flag is used once`() throws {
        let text =
            #"{"user": {"a": {"treatment": "on"}}, "account": {"b": {"treatment": "on"}, "a": {"treatment": "off"}}, "none": {}}"#
        #expect(
            try SplitFlags.document(Array(text.utf8)).lines == [
                "user | a | string | on | on/off | - | treatment on",
                "account | b | string | on | on/off | - | treatment on", #"duplicate flag "a"; the first is used"#,
            ])
    }

    @Test func `a response for one key has no traffic type around its flags`() throws {
        let text = #"{"a": {"treatment": "on", "config": null}, "b": {"treatment": "control", "config": null}}"#
        let document = try SplitFlags.document(Array(text.utf8), trafficType: "user")
        #expect(Array(document.values.keys) == ["a"])
        #expect(document.issues.map(\.description).first?.contains(#"the flag "b" was left out"#) == true)
    }

    @Test func `a response with only control treatments is rejected`() throws {
        let text = #"{"a": {"treatment": "control"}, "b": {"treatment": "control"}}"#
        let error = #expect(throws: DocumentError.self) {
            try SplitFlags.document(Array(text.utf8), trafficType: "user")
        }
        #expect(error?.description.contains("has no flags yet") == true)
    }
}
#endif
