#if Network
import FlagModel
import FlagRemote
import FlagSourceLaunchDarkly
import FlagTesting
import Testing
import VendorServers

/// LaunchDarkly: requests, and flags from responses.
struct LaunchDarklyTests {
    private func settings(_ change: (inout LaunchDarklySettings) throws -> Void = { _ in }) throws
        -> LaunchDarklySettings
    {
        var settings = try LaunchDarklySettings(environment: "5f0b")
        settings.context = LaunchDarklyContext(key: "u1")
        settings.wantsReasons = false
        try change(&settings)
        return settings
    }

    private func source(
        _ transport: ScriptedTransport = .init([]), _ change: (inout LaunchDarklySettings) throws -> Void = { _ in }
    ) throws -> LaunchDarklySource {
        LaunchDarklySource(try settings(change), client: SourceClient(transport: transport, retry: .none))
    }

    private func response(_ status: Int) -> ScriptedTransport.Response {
        .response(
            SourceResponse(status: status, headers: SourceHeaders([("ETag", "\"1\"")]), body: Array("{}".utf8)))
    }

    private func value(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

    /// `{"key":"u1","kind":"user"}`, padded like in the iOS SDK.
    private static let context = "eyJrZXkiOiJ1MSIsImtpbmQiOiJ1c2VyIn0="

    @Test(arguments: [
        (false, false, "GET", "/sdk/evalx/5f0b/contexts/\(context)", "/eval/5f0b/\(context)"),
        (false, true, "REPORT", "/sdk/evalx/5f0b/context", "/eval/5f0b"),
        (true, false, "GET", "/msdk/evalx/contexts/\(context)", "/meval/\(context)"),
        (true, true, "REPORT", "/msdk/evalx/context", "/meval"),
    ])
    func `a browser request has the environment in the path and no credentials, a mobile request has a key`(
        isMobile: Bool, isReport: Bool, method: String, path: String, streamPath: String
    ) throws {
        let settings = try settings { $0.mobileKey = isMobile ? Secret("mob-hush") : nil }
        let request = settings.request(since: "\"abc\"", isReport: isReport)
        let start = ["Accept: application/json"] + (isMobile ? ["Authorization: api_key mob-hush (secret)"] : [])
        let type = isReport ? ["Content-Type: application/json"] : []
        let body = isReport ? [#"{"key":"u1","kind":"user"}"#] : []
        #expect(
            request.lines == ["\(method) https://clientsdk.launchdarkly.com\(path)"] + start + type
                + ["If-None-Match: \"abc\""] + body)
        #expect(
            settings.streamRequest(isReport: isReport).lines
                == ["\(method) https://clientstream.launchdarkly.com\(streamPath)"] + start + type + body)
        #expect(request.source == "launchdarkly:5f0b")
    }

    @Test func `withReasons and the secure mode hash are in the query, and the hash is masked`() throws {
        let settings = try settings {
            $0.wantsReasons = true
            $0.secureModeHash = Secret("hush")
        }
        for request in [settings.request(), settings.streamRequest(), settings.request(isReport: true)] {
            #expect(request.url.query == "withReasons=true&h=hush")
            #expect(!"\(request)".contains("hush"))
        }
        #expect(try LaunchDarklySettings(environment: "5f0b").wantsReasons)
    }

    @Test func `the context in the URL uses URL-safe Base64`() throws {
        let settings = try settings { $0.context = LaunchDarklyContext(key: "ü?>~~~?") }
        let segment = try #require(settings.request().url.path.split(separator: "/").last)
        #expect(!segment.contains("+") && !segment.contains("/") && segment.contains { "-_".contains($0) })
    }

    @Test(arguments: [
        (
            #"{"key": "u1", "kind": "user", "email": "a@b", "deep": {"z": 1, "a": [true, null]}}"#,
            #"{"deep":{"a":[true,null],"z":1},"email":"a@b","key":"u1","kind":"user"}"#
        ),
        (#"{"key": "u1"}"#, #"{"key":"u1","kind":"user"}"#),
        (
            #"{"org": {"key": "o1"}, "kind": "multi", "user": {"key": "u1"}}"#,
            #"{"kind":"multi","org":{"key":"o1"},"user":{"key":"u1"}}"#
        ),
        (#"{"kind": "user"}"#, nil), (#"{"key": ""}"#, nil), (#"{"key": 3}"#, nil), (#"{"kind": "multi"}"#, nil),
        (#"{"kind": "multi", "org": {}}"#, nil), (#"{"kind": 3, "key": "a"}"#, nil), ("[]", nil),
        (#"{"anonymous": true}"#, #"{"anonymous":true,"key":"flagmenu","kind":"user"}"#),
        (#"{"anonymous": true, "kind": "org"}"#, #"{"anonymous":true,"key":"flagmenu","kind":"org"}"#),
        (
            #"{"kind": "multi", "user": {"anonymous": true}, "org": {"key": "o1"}}"#,
            #"{"kind":"multi","org":{"key":"o1"},"user":{"anonymous":true,"key":"flagmenu"}}"#
        ),
        (#"{"anonymous": false}"#, nil), (#"{"anonymous": true, "key": ""}"#, nil),
    ])
    func `context members are sorted; each kind needs a key or is anonymous`(json: String, expected: String?) throws {
        #expect(LaunchDarklyContext(try value(json))?.json == expected)
    }

    @Test func `a context without a key is anonymous, so that the service does not list it`() {
        #expect(LaunchDarklyContext().json == #"{"anonymous":true,"key":"flagmenu","kind":"user"}"#)
        #expect(
            LaunchDarklyContext(key: "o1", kind: "org", attributes: ["plan": "pro", "key": "no", "seats": 3]).json
                == #"{"key":"o1","kind":"org","plan":"pro","seats":3}"#)
        #expect(LaunchDarklyContext(key: "u1").json == #"{"key":"u1","kind":"user"}"#)
    }

    @Test func `a relay uses one URL for requests and streams unless a stream URL is set`() throws {
        let relay = try LaunchDarklySettings(environment: "e", baseURL: "http://relay:8030/")
        #expect(relay.request().url.text.hasPrefix("http://relay:8030/sdk/evalx/e/"))
        #expect(relay.streamRequest().url.text.hasPrefix("http://relay:8030/eval/e/"))
        let two = try LaunchDarklySettings(environment: "e", baseURL: "http://a", streamURL: "http://b/x/")
        #expect(two.streamRequest().url.text.hasPrefix("http://b/x/eval/e/"))
    }

    @Test(arguments: ["", "a b", "a/b"])
    func `an invalid environment is rejected with a remedy`(environment: String) {
        let error = #expect(throws: SourceError.self) { try LaunchDarklySettings(environment: environment) }
        #expect(error?.description.contains("client-side ID") == true)
    }

    @Test func `identities differ by environment and context, and contain no users or secrets`() throws {
        let first = try source().identity
        #expect(first.text.hasPrefix("launchdarkly:https://clientsdk.launchdarkly.com/5f0b#"))
        let other = try source {
            $0 = try LaunchDarklySettings(environment: "e2")
            $0.context = LaunchDarklyContext(key: "u1")
        }
        #expect(other.identity != first)
        #expect(try source { $0.context = LaunchDarklyContext(key: "ana") }.identity != first)
        #expect(
            try source { ($0.mobileKey, $0.secureModeHash) = (Secret("hush"), Secret("hush")) }.identity == first)
    }

    @Test(arguments: [(nil, 300, false), (10, 30, true), (30, 30, false), (60, 60, false)] as [(Int?, Int, Bool)])
    func `the poll interval is 5 minutes by default and at least 30 seconds, with a warning if it is raised`(
        seconds: Int?, interval: Int, isRaised: Bool
    ) throws {
        let source = try source { if let seconds { $0.pollInterval = .seconds(seconds) } }
        #expect(source.pollInterval == .seconds(interval))
        let warning = "10 s is too short a poll interval for LaunchDarkly; it is polled every 30 s"
        #expect(try source.decode(Array("{}".utf8)).issues.map(\.sentence) == (isRaised ? [warning] : []))
    }

    @Test func `polling and live updates can be turned off`() throws {
        #expect(try source { $0.pollInterval = nil }.pollInterval == nil)
        #expect(try source { $0.changeDetection = .none }.pollInterval == nil)
        #expect(try source { $0.changeDetection = .none }.changes() == nil)
        #expect(try source { $0.changeDetection = .polling }.changes() == nil)
    }

    @Test(arguments: ["sdk", "mob", "api"])
    func `a key in place of the client-side ID is rejected and not shown`(kind: String) {
        let key = "\(kind)-01234567-89ab-cdef-0123-456789abcdef"
        let error = #expect(throws: SourceError.self) { try LaunchDarklySettings(environment: key) }
        #expect(error?.code == .rejected && !"\(error as Any)".contains("89ab"))
        #expect(RedactedURL.text(key) == "\(kind)-***")
        #expect(throws: Never.self) { try LaunchDarklySettings(environment: "\(kind)-gateway") }
    }

    @Test(arguments: [400, 404, 500])
    func `after a failure the next request has no version, and so gets a full response`(status: Int) async throws {
        let transport = ScriptedTransport([200, status, 200, 304].map(response))
        let source = try source(transport)
        let version = try await source.fetchValues().version
        #expect(await source.fetchError(since: version) != nil)
        #expect(try await source.fetchValues(since: version).version == version)
        #expect(try await source.fetch(since: version) == .unchanged)
        #expect(transport.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil, "\"1\""])
    }

    private func document(_ text: String) throws -> RemoteDocument {
        try LaunchDarklyFlags.document(Array(text.utf8))
    }

    @Test func `only responses that follow the protocol are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"value": \#(ResponseConformanceSuite.catalog)}"#
        try ResponseConformanceSuite(
            rejected: ["[]", #"{"message": "hello"}"#, #"{"a": {}, "a": {}}"#], empty: ["{}"],
            full: #"{"config_categories": \#(catalog), "shop.a": {"value": true}, "b": {"value": true}}"#
        ) { try LaunchDarklyFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test func `a recorded response is read`() throws {
        let document = try document(
            #"""
            {"demo": {"value":true,"variation":0,"version":12,"flagVersion":3,"trackEvents":false,"trackReason":false,
              "debugEventsUntilDate":1700000000000,"reason":{"kind":"FALLTHROUGH"},"prerequisites":["p", "q"]}}
            """#)
        let details = "flag version 3, prerequisites: p, q"
        #expect(
            document.lines == ["Flags | demo | bool | true | true/false | \(details) | variation 0, FALLTHROUGH"])
    }

    @Test(arguments: [
        (#""value": true"#, "bool | true | true/false | - | -"), (#""value": """#, "string |  | - | - | -"),
        (#""value": "true""#, "string | true | - | - | -"), (#""value": 10"#, "int | 10 | - | - | -"),
        (#""value": 7.0"#, "double | 7.0 | - | - | -"),
        (#""value": {"a": [1, 2]}"#, #"json | {"a":[1,2]} | - | - | -"#), (#""value": []"#, "json | [] | - | - | -"),
        ("", "- | - | - | - | left to the app"), (#""value": null"#, "- | - | - | - | left to the app"),
    ])
    func `values keep their spelling and show their type; a flag without a value is left to the app`(
        member: String, line: String
    ) throws {
        #expect(try document(#"{"f": {\#(member)}}"#).lines == ["Flags | f | \(line)"])
    }

    @Test(arguments: [
        (#"{"kind":"OFF"}"#, ", OFF"), (#"{"kind":"TARGET_MATCH"}"#, ", TARGET_MATCH"), ("{}", ""),
        (
            #"{"kind":"RULE_MATCH","ruleIndex":2,"ruleId":"r","inExperiment":true}"#,
            ", RULE_MATCH rule 2 in an experiment"
        ),
        (#"{"kind":"PREREQUISITE_FAILED","prerequisiteKey":"p"}"#, ", PREREQUISITE_FAILED p"),
        (#"{"kind":"ERROR","errorKind":"MALFORMED_FLAG"}"#, ", ERROR MALFORMED_FLAG"),
        (#"{"kind":"FALLTHROUGH","inExperiment":false}"#, ", FALLTHROUGH"), (#"{"kind":"NEW"}"#, ", NEW"),
    ])
    func `each kind of reason is described with its details`(reason: String, words: String) throws {
        let document = try document(#"{"f": {"value": 1, "variation": 1, "reason": \#(reason)}}"#)
        #expect(document.notes["f"]?.string == "variation 1\(words)")
    }

    @Test func `an unreadable flag is left out with an issue`() throws {
        let document = try document(#"{"good": {"value": 1}, "odd": 3}"#)
        #expect(Array(document.values.keys) == ["good"])
        #expect(
            document.issues.map(\.description) == [#"the flag "odd" was left out: it is not an object with a value"#])
    }
}
#endif
