#if Server
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import TestSupport
import Testing

@testable import FlagServer

/// Server: scenarios, notes and ends.
@Suite(.limitedParallelism) struct ScenarioTests {
    private static let catalog = """
        [{"category": "Location", "items": [{"key": "locations", "value": "true|false"}, \
        {"key": "variant", "value": "A|B"}]}]
        """
    private static let scenario = """
        {"app": "shop", "exportedAt": "2026-11-29T10:00:00Z", "overrides": {"gone": "1", "variant": "B"}, \
        "notes": {"variant": "BUG-1"}, "ends": {"variant": "2h"}, \
        "contexts": {"other": {"conditions": {"Beta": true}}}}
        """

    private let folder = Workplace()
    private let server: TestServer

    init() async throws {
        folder.write(Self.scenario, to: "state/scenarios/demo.json")
        folder.write("{", to: "state/scenarios/broken.json")
        server = try await TestServer(
            ["config_categories": Self.catalog, "locations": "false", "variant": "A"], in: folder)
    }

    private func get(_ path: String) async throws -> String { try await server.send(.get, "/api/v1/\(path)").text }

    private func apply(_ mode: String, at revision: Int, _ query: String = "") async throws -> SourceResponse {
        try await server.write(
            .post, "/api/v1/scenarios/demo/apply\(query)", #"{"mode": "\#(mode)", "revision": \#(revision)}"#)
    }

    private func revision(_ query: String = "") async throws -> Int {
        let root = try JSONDocument(parsing: Array(try await get("scenarios\(query)").utf8)).root
        return try #require(root["revision"]?.wholeNumber)
    }

    private func set(_ key: String, _ body: String) async throws -> SourceResponse {
        try await server.write(.put, "/api/v1/overrides/\(key)", body)
    }

    @Test func `the list says what each scenario has and what cannot be applied`() async throws {
        let listed = try await get("scenarios")
        let demo =
            #"{"name":"demo","changes":3,"applied":false,"deviation":null,"fileChanged":false,"leftOut":[{"key":"gone","reason":"#
        #expect(listed.contains(demo), "\(listed)")
        #expect(listed.contains(#"{"key":"other","reason":"No source of this name"#), "\(listed)")
        #expect(listed.contains(#"{"name":"broken","changes":0"#) && listed.contains(#""error":"broken.json"#))
        #expect(try await get("status").contains(#""scenario":null"#))
    }

    @Test func `a preview has three columns, and applying what it shows is one change`() async throws {
        #expect(try await set("locations", #"{"value": "true"}"#).status == 200)
        let preview = try await get("scenarios/demo/preview?mode=replace")
        let lines = [
            #"{"key":"locations","now":"true","scenario":null,"after":"false","effect":"reset","additions":[]}"#,
            #"{"key":"variant","now":"A","scenario":"B","after":"B","effect":"add","#
                + #""additions":["note \"BUG-1\"","ends in 2 h"]}"#,
        ]
        #expect(preview.contains(#""lines":[\#(lines.joined(separator: ","))]"#), "\(preview)")
        #expect(preview.contains(#""summary":"Adds 1, resets 1.""#), "\(preview)")
        let applied = try await apply("replace", at: revision())
        #expect(applied.status == 200 && applied.text.contains("demo is applied."), "\(applied.text)")
        #expect(server.flags.activeOverrides.mapValues(\.value) == ["variant": "B"])
        #expect(server.flags.activeOverrides["variant"]?.note == "BUG-1")
        #expect(try await get("status").contains(#""scenario":{"name":"demo","deviation":0}"#))
        #expect(try await set("variant", #"{"value": "A"}"#).status == 200)
        #expect(try await get("scenarios").contains(#""changes":3,"applied":true,"deviation":1,"fileChanged":false"#))
        for _ in 0..<2 { #expect(try await server.write(.post, "/api/v1/undo").status == 200) }
        #expect(server.flags.activeOverrides.mapValues(\.value) == ["locations": "true"])
        #expect(try await get("status").contains(#""scenario":null"#))
    }

    @Test func `a scenario is not applied if somebody wrote since it was shown`() async throws {
        let shown = try await revision()
        #expect(try await set("locations", #"{"value": "true"}"#).status == 200)
        let response = try await apply("add", at: shown)
        #expect(response.status == 409 && response.text.hasPrefix(#"{"error":{"code":"conflict""#), "\(response.text)")
        let current = try await revision()
        #expect(response.text.contains(#""preview":{"name":"demo","mode":"add","revision":\#(current),"#))
        #expect(server.flags.activeOverrides.mapValues(\.value) == ["locations": "true"])
        #expect(try await apply("add", at: current).status == 200)
        #expect(server.flags.activeOverrides.mapValues(\.value) == ["locations": "true", "variant": "B"])
    }

    @Test func `a client applies a scenario to its own set`() async throws {
        #expect(try await apply("add", at: revision("?client=ana"), "?client=ana").status == 200)
        #expect(server.flags.activeOverrides.isEmpty)
        #expect(try await get("flags/variant?client=ana").contains(#""note":"BUG-1""#))
        #expect(try await get("status?client=ana").contains(#""scenario":{"name":"demo","deviation":0}"#))
    }

    @Test(arguments: [
        ("demo", "{", 400, "is not JSON"), ("demo", "{}", 400, "must be"),
        ("demo", #"{"mode": "add"}"#, 400, "revision"), ("demo", #"{"mode": "all", "revision": 0}"#, 400, "replace"),
        ("dem", #"{"mode": "add", "revision": 0}"#, 404, "demo"),
        ("broken", #"{"mode": "add", "revision": 0}"#, 422, "broken.json"),
    ])
    func `what cannot be applied changes nothing`(name: String, body: String, status: Int, words: String) async throws {
        let response = try await server.write(.post, "/api/v1/scenarios/\(name)/apply", body)
        #expect(response.status == status && response.text.contains(words), "\(response.status) \(response.text)")
        #expect(try await server.send(.get, "/api/v1/scenarios/demo/preview").status == 400)
        #expect(server.flags.activeOverrides.isEmpty)
    }

    @Test func `the changes are saved as a scenario, which is renamed and deleted`() async throws {
        #expect(try await set("variant", #"{"value": "B", "note": "BUG-1"}"#).status == 200)
        let path = "/api/v1/scenarios/mine"
        let saved = try await server.write(.put, path, "{}")
        #expect(saved.status == 200 && saved.text.contains("Saved 1 override as mine."), "\(saved.text)")
        #expect(folder.read("state/scenarios/mine.json")?.contains(#""variant": "BUG-1""#) == true)
        let taken = try await server.write(.put, path, "{}")
        #expect(taken.status == 409 && taken.text.contains(#""code":"taken""#), "\(taken.text)")
        #expect(try await server.write(.put, path, #"{"replace": true}"#).status == 200)
        let applied = try await server.write(.post, "\(path)/apply", #"{"mode": "add", "revision": \#(revision())}"#)
        #expect(applied.status == 200, "\(applied.text)")
        let renamed = try await server.write(.post, "\(path)/rename", #"{"name": "yours"}"#)
        #expect(renamed.status == 200 && renamed.text.contains("Renamed mine to yours."), "\(renamed.text)")
        #expect(try await get("status").contains(#""scenario":{"name":"yours","deviation":0}"#))
        let deleted = try await server.write(.delete, "/api/v1/scenarios/yours")
        #expect(deleted.status == 200 && deleted.text.contains("Deleted yours."), "\(deleted.text)")
        #expect(folder.names(in: "state/scenarios") == ["broken.json", "demo.json"])
        #expect(server.flags.activeOverrides["variant"]?.value == "B")
    }

    @Test(
        arguments: [
            (.put, "mine", "[", 400, "is not JSON"), (.put, "mine", "[]", 400, "object"),
            (.put, "mine", #"{"replace": 1}"#, 400, "true or false"),
            (.put, "a%20b", "{}", 400, "cannot name a scenario"), (.put, "a/b", "{}", 404, "is not a path"),
            (.delete, "dem", "", 404, "demo"), (.post, "dem/rename", #"{"name": "x"}"#, 404, "demo"),
            (.post, "demo/rename", "{}", 400, "name"), (.post, "demo/rename", #"{"name": "broken"}"#, 409, "already"),
            (.post, "demo/rename", #"{"name": "../x"}"#, 400, "cannot name a scenario"),
            (.delete, "demo/apply", "", 405, "POST"),
        ] as [(SourceRequest.Method, String, String, Int, String)])
    func `a change of a scenario that is not valid changes no file`(
        method: SourceRequest.Method, path: String, body: String, status: Int, words: String
    ) async throws {
        let response = try await server.write(method, "/api/v1/scenarios/\(path)", body)
        #expect(response.status == status && response.text.contains(words), "\(response.status) \(response.text)")
        #expect(folder.names(in: "state/scenarios") == ["broken.json", "demo.json"])
    }

    @Test func `a client saves its own changes`() async throws {
        #expect(try await set("variant?client=ana", #"{"value": "B"}"#).status == 200)
        #expect(try await server.write(.put, "/api/v1/scenarios/anas?client=ana", "{}").status == 200)
        #expect(folder.read("state/scenarios/anas.json")?.contains(#""variant": "B""#) == true)
    }

    @Test func `an override is set with a note and an end, which can be changed alone`() async throws {
        let ending = try await set("variant", #"{"value": "B", "note": " BUG-1 ", "for": "2h"}"#)
        #expect(ending.status == 200, "\(ending.text)")
        for path in ["overrides", "flags/variant", "explanations/variant"] {
            let text = try await get(path)
            #expect(
                text.contains(#""note":"BUG-1","endsAt":"20"#) && text.contains(#""endsWithRestart":false"#), "\(text)")
        }
        #expect(try await set("variant", #"{"for": "never"}"#).status == 200)
        #expect(try await get("overrides").contains(#""note":"BUG-1","endsAt":null"#))
        #expect(try await set("variant", #"{"note": ""}"#).status == 200)
        #expect(server.flags.activeOverrides["variant"]?.value == "B")
        #expect(server.flags.activeOverrides["variant"]?.note == nil)
        #expect(try await get("explanations/variant").contains(#""change":"variant: B, no note""#))
    }

    @Test(arguments: [
        ("variant", #"{"note": "BUG-1"}"#, "needs a"), ("variant", #"{"value": "B", "for": "soon"}"#, "2h"),
        ("variant", #"{"value": "B", "note": 1}"#, "must be a text"),
        ("variant?client=ana", #"{"value": "B", "for": "restart"}"#, "No app"),
    ])
    func `a note needs an override, and an end something that ends it`(
        path: String, body: String, words: String
    ) async throws {
        let response = try await set(path, body)
        #expect(response.status == 400 && response.text.contains(words), "\(response.text)")
        #expect(server.flags.activeOverrides.isEmpty)
    }
}
#endif
