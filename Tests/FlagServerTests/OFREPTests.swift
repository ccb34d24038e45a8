#if Server
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceOFREP
import FlagTesting
import Flags
import TestSupport
import Testing

@testable import FlagServer

/// OFREP: contexts of requests.
struct OFREPContextTests {
    @Test(
        arguments: [
            (#"{"context": {}}"#, nil, []), (#"{"context": {"targetingKey": "ana"}}"#, "ana", []),
            (#"{"context": {"plan": "pro", "targetingKey": "a", "age": 42}}"#, "a", ["age=42", #"plan="pro""#]),
            (#"{"context": {"deep": {"x": [1, 2]}}}"#, nil, [#"deep={"x":[1,2]}"#]),
        ] as [(String, String?, [String])])
    func `a context has a targeting key and sorted members`(body: String, key: String?, members: [String]) throws {
        let context = try OFREPContext(body: Array(body.utf8))
        #expect(context.targetingKey == key)
        let edits = members.map { member -> ContextEdit in
            let parts = member.split(separator: "=", maxSplits: 1).map(String.init)
            return ContextEdit.set(name: parts[0], value: parts[1])
        }
        #expect(context.edits == edits)
    }

    @Test(arguments: [
        ("", APIError.Code.parseError), ("{", .parseError), (#"{"context": 1}"#, .invalidContext),
        ("{}", .invalidContext), ("[]", .invalidContext), (#"{"context": {"targetingKey": 5}}"#, .invalidContext),
        (#"{"context": {"a": 1, "a": 2}}"#, .parseError),
    ])
    func `a malformed context is an error`(body: String, code: APIError.Code) {
        let error = #expect(throws: APIError.self) { try OFREPContext(body: Array(body.utf8)) }
        #expect(error?.code == code && error?.message.hasSuffix(".") == true)
    }
}

@Suite(.limitedParallelism) struct OFREPEvaluationTests {
    @Test(arguments: [
        ("true", #""value":true"#), ("12", #""value":12"#), ("7.0", #""value":7.0"#), ("-0.5e3", #""value":"-0.5e3""#),
        ("hello", #""value":"hello""#), ("", #""value":"""#), (#"{"a": [1, null]}"#, #""value":{"a":[1,null]}"#),
        ("[1, 2]", #""value":"[1,2]""#), ("on", #""value":"on""#),
    ])
    func `a value is sent with its JSON type`(text: String, member: String) async throws {
        let server = try await TestServer(["flag": text])
        let response = try await server.evaluate("flag")
        #expect(response.status == 200 && response.text.contains(member + ","), "\(response.text)")
        #expect(response.text.contains(#""reason":"STATIC","variant":"remote""#), "\(response.text)")
    }

    @Test func `an override is evaluated at once, with another variant and reason`() async throws {
        let server = try await TestServer(["flag": "false"])
        try await server.flags.setOverride("flag", to: "true")
        let overridden = try await server.evaluate("flag")
        #expect(overridden.text.contains(#""value":true,"reason":"TARGETING_MATCH","variant":"override""#))
        try await server.flags.clearOverride("flag")
        #expect(try await server.evaluate("flag").text.contains(#""value":false,"reason":"STATIC""#))
    }

    @Test func `an unknown flag is not found, and a key may have any characters`() async throws {
        let server = try await TestServer(["a/b c": "1", "ü": "2"])
        let missing = try await server.evaluate("nope")
        #expect(missing.status == 404 && missing.text.contains(#""errorCode":"FLAG_NOT_FOUND""#), "\(missing.text)")
        #expect(missing.text.contains(#""key":"nope""#) && missing.text.contains("errorDetails"))
        // Searching for similar keys would delay other requests.
        let similar = try await server.evaluate("a%2Fb%20d")
        #expect(similar.text.contains(#"is not a flag.""#) && !similar.text.contains("a/b c"), "\(similar.text)")
        for (path, value) in [("a%2Fb%20c", "1"), ("%C3%BC", "2")] {
            #expect(try await server.evaluate(path).text.contains(#""value":\#(value)"#))
        }
    }

    @Test func `each of two keys that look the same has its own value and its own override`() async throws {
        let server = try await TestServer(["caf\u{e9}": "1", "cafe\u{301}": "2"])
        let (composed, decomposed) = ("caf%C3%A9", "cafe%CC%81")
        for value in ["1", "3"] {
            let text = try await server.evaluate(composed).text
            #expect(text.contains(#""value":\#(value)"#), "\(text)")
            #expect(try await server.evaluate(decomposed).text.contains(#""value":2"#))
            let set = try await server.write(.put, "/api/v1/overrides/\(composed)", #"{"value": "3"}"#)
            #expect(set.status == 200, "\(set.text)")
        }
    }

    @Test func `errors name the flag and its code`() async throws {
        let server = try await TestServer(["flag": "1"])
        let broken = try await server.send(.post, "/ofrep/v1/evaluate/flags/flag", "{")
        #expect(
            broken.status == 400 && broken.text.contains(#""key":"flag","errorCode":"PARSE_ERROR""#), "\(broken.text)")
        let all = try await server.send(.post, "/ofrep/v1/evaluate/flags", #"{"context": 3}"#)
        #expect(all.status == 400 && all.text.hasPrefix(#"{"errorCode":"INVALID_CONTEXT""#), "\(all.text)")
    }

    @Test func `all flags have an entity tag, which changes with a value`() async throws {
        let server = try await TestServer(["a": "1", "b": "x"])
        func all(besides tag: String? = nil) async throws -> SourceResponse {
            try await server.send(
                .post, "/ofrep/v1/evaluate/flags", #"{"context": {}}"#,
                headers: tag.map { [("If-None-Match", $0)] } ?? [])
        }
        // Flags that other tests of this process declare meanwhile are served, too, and change the tag.
        for attempt in 1...5 {
            let tag = try #require(try await all().headers["ETag"])
            let same = try await all(besides: tag)
            try await server.flags.setOverride("a", to: "2")
            let changed = try await all(besides: tag)
            #expect(changed.status == 200 && changed.headers["ETag"] != tag)
            #expect(changed.text.contains(#"{"key":"a","value":2,"reason":"TARGETING_MATCH""#), "\(changed.text)")
            try await server.flags.clearOverride("a")
            let sameAgain = try await all(besides: tag)
            if attempt < 5, same.status != 304 || sameAgain.status != 304 { continue }
            #expect(same.status == 304)
            #expect(sameAgain.status == 304, "the same values have the same tag")
            return
        }
    }

    @Test func `clients with overrides of their own get them, and others do not`() async throws {
        let server = try await TestServer(["flag": "a"])
        let set = try await server.write(.put, "/api/v1/overrides/flag?client=ana", #"{"value": "b"}"#)
        #expect(set.status == 200, "\(set.text)")
        #expect(try await server.evaluate("flag", #"{"targetingKey": "ana"}"#).text.contains(#""value":"b""#))
        #expect(try await server.evaluate("flag", #"{"targetingKey": "bob"}"#).text.contains(#""value":"a""#))
        #expect(try await server.evaluate("flag").text.contains(#""value":"a""#))
        #expect(server.flags.activeOverrides.isEmpty)
        let shared = try await server.write(.put, "/api/v1/overrides/flag", #"{"value": "c"}"#)
        #expect(shared.status == 200)
        #expect(try await server.evaluate("flag", #"{"targetingKey": "ana"}"#).text.contains(#""value":"b""#))
        #expect(try await server.evaluate("flag", #"{"targetingKey": "bob"}"#).text.contains(#""value":"c""#))
        _ = try await server.write(.post, "/api/v1/undo?client=ana")
        #expect(try await server.evaluate("flag", #"{"targetingKey": "ana"}"#).text.contains(#""value":"c""#))
    }

    @Test func `a value that depends on the client is not static`() async throws {
        let server = try await TestServer(["flag": "a", "other": "b"])
        #expect(try await server.evaluate("flag").text.contains(#""reason":"STATIC""#))
        _ = try await server.write(.put, "/api/v1/overrides/flag?client=ana", #"{"value": "b"}"#)
        for (key, context, reason) in [
            ("flag", #"{"targetingKey": "ana"}"#, "TARGETING_MATCH"), ("flag", "{}", "DEFAULT"),
            ("other", "{}", "STATIC"),
        ] {
            let text = try await server.evaluate(key, context).text
            #expect(text.contains(#""reason":"\#(reason)""#), "\(text)")
        }
    }

    @Test(arguments: [
        (false, false, false, "STATIC"), (false, false, true, "DEFAULT"), (true, false, false, "TARGETING_MATCH"),
        (false, true, false, "CACHED"), (true, true, false, "CACHED"),
    ])
    func `a remote value has the reason that clients act on`(
        dependsOnContext: Bool, hasFailed: Bool, dependsOnClient: Bool, reason: String
    ) throws {
        let document = try RemoteDocument(parsing: Array(#"{"flag": "a"}"#.utf8))
        let board = FlagBoard(snapshot: RemoteSnapshot(documents: [document]), launch: [:], overrides: [:])
        let source = ServedSource(
            name: "test", dependsOnContext: dependsOnContext, hasValues: true, isWaiting: false,
            error: hasFailed ? SourceError(code: .unreachable, path: "test", sentence: "it does not respond") : nil)
        let evaluations = FlagEvaluations(
            board, revision: 1, sources: [source], clientKeys: dependsOnClient ? ["flag"] : [])
        let text = evaluations.json(board.facts(of: FlagText("flag"))).text(indented: false)
        #expect(text.contains(#""reason":"\#(reason)""#), "\(text)")
    }

    @Test func `a default has the reason DEFAULT`() {
        let defaults = ValueTable([(key: FlagText("flag"), value: FlagText("a"))])
        let board = FlagBoard(snapshot: RemoteSnapshot(documents: [], defaults: defaults), launch: [:], overrides: [:])
        let facts = board.facts(of: FlagText("flag"))
        let text = FlagEvaluations(board, revision: 1).json(facts).text(indented: false)
        #expect(text.contains(#""reason":"DEFAULT","variant":"default""#), "\(text)")
    }

    @Test(.mayBlock) func `FlagMenu's own OFREP source follows the server live`() async throws {
        let server = try await TestServer(["flag": "false"])
        let client = SourceClient(transport: HTTPTransport())
        let source = OFREPSource(try OFREPSettings(baseURL: server.location.url), client: client)
        let reader = try await TestServer(sources: [source])
        #expect(reader.flags.snapshot().explain("flag").value?.string == "false")
        // A child task has the thread of the test. A task of its own would wait behind all other tests.
        async let _: Void = reader.flags.followRemote()
        try await server.flags.setOverride("flag", to: "true")
        try await wait(for: "the reader's new value") {
            reader.flags.snapshot().explain("flag").value?.string == "true"
        }
    }
}
#endif
