#if Server
import Dispatch
import FlagModel
import FlagPresence
import FlagRemote
import FlagSharing
import FlagStorage
import Flags
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import FlagServer

/// Server: management.
@Suite(.limitedParallelism) struct ManagementTests {
    private static let catalog = """
        [{"category": "Location", "items": [{"key": "locations", "value": "true|false", "title": "Locations"},
        {"key": "variant", "value": "A|B", "restart": true}]}]
        """
    private static let values: FlagTable = ["config_categories": catalog, "locations": "false", "variant": "A"]

    private let server: TestServer

    init() async throws { server = try await TestServer(Self.values) }

    @Test func `every change needs the token for writing, and changes nothing without it`() async throws {
        for (method, path) in [
            (SourceRequest.Method.put, "overrides/locations"), (.delete, "overrides/locations"), (.delete, "overrides"),
            (.post, "undo"), (.post, "redo"), (.post, "activate"), (.post, "links"),
            (.post, "scenarios/demo/apply"), (.put, "scenarios/demo"), (.delete, "scenarios/demo"),
            (.post, "scenarios/demo/rename"),
        ] {
            // A server of its own, because only a few wrong tokens a second are answered with 401.
            let server = try await TestServer(Self.values)
            // A token in the URL would be in logs and histories, and counts for nothing.
            let target = "/api/v1/\(path)?token=\(server.server.tokens.writing.text)"
            for token in [nil, "wrong-wrong-wrong-wrong"] {
                let response = try await server.send(method, target, #"{"value": "true"}"#, token: token)
                #expect(response.status == 401, "\(method) \(path): \(response.text)")
                #expect(response.headers["WWW-Authenticate"] == "Bearer")
            }
            #expect(server.flags.activeOverrides.isEmpty)
        }
    }

    @Test func `apps get the values of secret flags, the management API does not`() async throws {
        let catalog = Self.catalog.replacing(#""key": "variant""#, with: #""key": "variant", "secret": true"#)
        let server = try await TestServer(["config_categories": catalog, "locations": "false", "variant": "A-s3cret"])
        _ = try await server.write(.put, "/api/v1/overrides/variant", #"{"value": "B-s3cret", "any": true}"#)
        #expect(try await server.evaluate("variant").text.contains(#""value":"B-s3cret""#))
        for path in ["flags", "flags/variant", "explanations/variant", "overrides", "clients", "status"] {
            let text = try await server.send(.get, "/api/v1/\(path)").text
            #expect(!text.contains("s3cret"), "\(path): \(text)")
            #expect(text.contains(#"{""#))
        }
        let flag = try await server.send(.get, "/api/v1/flags/variant").text
        #expect(flag.contains(#""value":"secret""#) && flag.contains(#""remote":"secret""#), "\(flag)")
        #expect(try await server.send(.get, "/api/v1/flags/locations").text.contains(#""value":"false""#))
        let undone = try await server.write(.post, "/api/v1/undo")
        #expect(!undone.text.contains("s3cret"), "\(undone.text)")
    }

    @Test func `why a secret flag cannot have a scenario's value does not name the value`() async throws {
        let folder = Workplace()
        let scenario = #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"locations": "s3cret"}}"#
        folder.write(scenario, to: "state/scenarios/demo.json")
        let catalog = Self.catalog.replacing(
            #""value": "true|false""#, with: #""value": "true|false", "secret": true"#)
        let server = try await TestServer(["config_categories": catalog], in: folder)
        for path in ["scenarios", "scenarios/demo/preview?mode=add"] {
            let text = try await server.send(.get, "/api/v1/\(path)").text
            #expect(text.contains(#"{"key":"locations","reason":"secret"}"#), "\(path): \(text)")
            #expect(!text.contains("s3cret"), "\(path): \(text)")
        }
    }

    @Test func `the changes are shared as one string with a code, and what is in it`() async throws {
        let empty = try await server.send(.get, "/api/v1/share").text
        #expect(empty == #"{"text":null,"code":null,"lines":[],"leftOut":[]}"# + "\n")
        _ = try await server.write(.put, "/api/v1/overrides/variant", #"{"value": "B", "for": "2h"}"#)
        let shared = try await server.send(.get, "/api/v1/share").text
        let (states, errors) = SharedState.found(in: shared)
        #expect(errors.isEmpty && states.count == 1)
        #expect(states.first?.entries.values == ["variant": "B"] && states.first?.entries.app == "shop")
        #expect(
            shared.contains(#""code":["1111111"#) && shared.contains(#""lines":["variant = B, for "#), "\(shared)")
    }

    @Test func `set, clear, undo and redo answer with what they changed`() async throws {
        let set = try await server.write(.put, "/api/v1/overrides/locations", #"{"value": "on"}"#)
        #expect(
            set.text.contains(
                #"{"key":"locations","old":"false","oldLayer":"remote","new":"true","newLayer":"override"}"#))
        #expect(server.flags.activeOverrides["locations"]?.value == "true")
        let undone = try await server.write(.post, "/api/v1/undo")
        #expect(undone.text.contains(#""old":"true","oldLayer":"override","new":"false","newLayer":"remote""#))
        #expect(try await server.write(.post, "/api/v1/redo").status == 200)
        #expect(server.flags.activeOverrides["locations"]?.value == "true")
        #expect(try await server.write(.delete, "/api/v1/overrides/locations").status == 200)
        let variant = try await server.write(.put, "/api/v1/overrides/variant", #"{"value": "B"}"#)
        #expect(variant.text.contains("The app reads variant at its next start."), "\(variant.text)")
        #expect(try await server.write(.delete, "/api/v1/overrides").status == 200)
        #expect(server.flags.activeOverrides.isEmpty)
    }

    @Test(arguments: [
        (SourceRequest.Method.put, "overrides/locations", "{", 400, "is not JSON"),
        (.put, "overrides/locations", "{}", 400, "needs a \\\"value\\\""),
        (.put, "overrides/locations", #"{"value": "maybe"}"#, 422, "is not an option"),
        (.put, "overrides/variant", #"{"value": "C"}"#, 422, "Options: A, B"),
        (.put, "overrides/variant", #"{"value": "B", "any": 1}"#, 400, "must be true or false"),
        (.put, "overrides/location", #"{"value": "true"}"#, 404, "locations"),
        (.delete, "overrides/nope", "", 404, "is not a flag"), (.post, "undo", "", 409, "undo"),
        (.post, "redo", "", 409, "redo"), (.get, "nope", "", 404, "is not a path"),
        (.post, "status", "", 405, "has only: GET"), (.get, "flags?matching=is:nope", "", 400, "is:"),
        (.get, "flags/nope", "", 404, "is not a flag"),
        (.get, "flags?matching=\(String(repeating: "x", count: 1_025))", "", 400, "at most 1024 bytes"),
        (
            .put, "overrides/locations?client=\(String(repeating: "x", count: 81))", #"{"value": "true"}"#, 400,
            "80 bytes"
        ),
    ])
    func `an error has its status, and a sentence that says what to do`(
        method: SourceRequest.Method, path: String, body: String, status: Int, words: String
    ) async throws {
        let response = try await server.write(method, "/api/v1/\(path)", body)
        #expect(response.status == status && response.text.contains(words), "\(response.status) \(response.text)")
        #expect(response.text.hasPrefix(#"{"error":{"code":"#))
        #expect(server.flags.activeOverrides.isEmpty)
    }

    @Test func `an explanation has the layers of the flag, and the changes of its override`() async throws {
        for value in ["A", "B"] {
            let path = "/api/v1/overrides/variant"
            #expect(try await server.write(.put, path, #"{"value": "\#(value)"}"#).status == 200)
        }
        let explained = try await server.send(.get, "/api/v1/explanations/variant")
        #expect(explained.text.contains(#""layers":[{"layer":"override","value":"B""#), "\(explained.text)")
        let changes = explained.text.ranges(of: #""action":"set","#).map { explained.text[$0.upperBound...] }
        let newest = #""change":"variant: A -> B","old":"A","new":"B""#
        #expect(changes.count == 2 && changes.first?.hasPrefix(newest) == true, "\(explained.text)")
        let ofClient = try await server.send(.get, "/api/v1/explanations/variant?client=ana")
        #expect(ofClient.text.contains(#""history":[]"#), "\(ofClient.text)")
    }

    @Test func `flags of one long category are in groups by prefix`() async throws {
        let keys = (0..<60).map { "\(["ads", "checkout", "search"][$0 % 3])_\($0)" }
        let items = keys.map { #"{"key": "\#($0)", "value": "true|false"}"# }.joined(separator: ", ")
        var values: FlagTable<String> = ["config_categories": #"[{"category": "All", "items": [\#(items)]}]"#]
        for key in keys { values[key] = "true" }
        let listed = try await TestServer(values).send(.get, "/api/v1/flags")
        #expect(
            listed.text.contains(#""groups":[{"name":"ads_*","keys":["ads_0","ads_3""#), "\(listed.text.suffix(400))")
        // Not of a server in this process, which also lists the flags that other tests declare.
        let short = FlagEvaluations(FlagBoard(LayerValues()), revision: 1, sources: []).list(of: [])
        #expect(short.text(indented: false).contains(#""groups":null"#))
    }

    @Test func `any and new allow what the command line allows`() async throws {
        for (key, body) in [
            ("variant", #"{"value": "C", "any": true}"#), ("fresh", #"{"value": "1", "new": true}"#),
        ] {
            #expect(try await server.write(.put, "/api/v1/overrides/\(key)", body).status == 200)
        }
        #expect(server.flags.activeOverrides.mapValues(\.value) == ["variant": "C", "fresh": "1"])
    }

    @Test func `the list has the members of flagmenu list and the newest values, filtered`() async throws {
        func list(_ query: String = "") async throws -> String {
            try await server.send(.get, "/api/v1/flags\(query)").text
        }
        let all = try await list()
        #expect(all.contains(#""key":"variant""#) && all.contains(#""category":"Location""#), "\(all)")
        #expect(try await list() == all)
        #expect(try await list("?matching=a").contains(#""key":"variant""#))
        try await server.flags.setOverride("locations", to: "true")
        let values = #""values":{"override":"true","remote":"false","default":null}"#
        #expect(try await list().contains(values))
        #expect(try await list("/locations").contains(values))
        let overridden = try await list("?matching=is:overridden")
        #expect(overridden.contains(#""state":"overridden""#), "\(overridden)")
        #expect(!overridden.contains(#""key":"variant""#), "\(overridden)")
    }

    @Test func `clients are listed with what they asked last`() async throws {
        _ = try await server.evaluate("locations", #"{"targetingKey": "ana"}"#)
        _ = try await server.evaluate("variant", #"{"targetingKey": "ana"}"#)
        let clients = try await server.send(.get, "/api/v1/clients").text
        #expect(clients.contains(#""client":"ana","lastKey":"variant","lastValue":"A","lastLayer":"remote""#))
        #expect(clients.contains(#""evaluations":2"#), "\(clients)")
        _ = try await server.write(.put, "/api/v1/overrides/variant?client=ana", #"{"value": "B"}"#)
        #expect(try await server.send(.get, "/api/v1/clients").text.contains(#""overrides":1"#))
    }

    @Test(.mayBlock) func `the server announces its clients, and which have overrides of their own`() async throws {
        let folder = try #require(server.flags.presenceFolder)
        _ = try await server.write(.put, "/api/v1/overrides/variant?client=ana", #"{"value": "B"}"#)
        _ = try await server.evaluate("variant", #"{"targetingKey":"ana"}"#)
        _ = try await server.send(.post, "/ofrep/v1/evaluate/flags", #"{"context": {"targetingKey":"ben"}}"#)
        var clients: [RunningApp.Client] = []
        let isAnnounced = Clock.wait {
            let server = RunningApps(in: [folder]).read().apps.first { $0.name == "flagmenu serve" }
            clients = server?.clients.sorted { $0.name < $1.name } ?? []
            return clients.map(\.name) == ["ana", "ben"]
        }
        try #require(isAnnounced, "\(clients)")
        #expect(clients.map(\.hasOwnOverrides) == [true, false])
        let (ana, ben) = (clients[0], clients[1])
        #expect(ana.flags.map(\.key) == ["variant"] && ana.flags.first?.use?.value == "B" && ana.allAt == nil)
        #expect(ben.flags.isEmpty && ben.allAt != nil)
    }

    @Test func `an announcement of many clients is as short as its readers accept`() throws {
        // Each of these characters takes six bytes in JSON.
        let value = String(repeating: "\u{1}", count: 1_000)
        let use = FlagUse(value: value, layer: .remote, since: 1, readAt: 1, wasRead: true)
        let flags = (0..<10).map { DeclaredFlag(key: "key \($0)", type: .string, defaultValue: nil, use: use) }
        let clients = (0..<40).map {
            RunningApp.Client(name: "client \($0)", firstAt: 1, lastAt: 1, allAt: nil, flags: flags)
        }
        let id = PresenceFile.makeID()
        let text = ServedFlags.announcement(id, startedAt: 1, clients)
        #expect(text.utf8.count <= ServedFlags.announcementSize)
        let app = try RunningApp(parsing: Array(text.utf8))
        #expect(app.clients.first?.name == "client 0" && app.clients.count < 40)
    }

    @Test(.timeLimit(.minutes(10))) func `lists that take long do not delay changes and evaluations`() async throws {
        let gate = DispatchSemaphore(value: 0)
        // More than there are threads for lists.
        let lists = (0..<5).map { _ in Task { try await Threads.reading.runIfActive { gate.wait() } } }
        defer { lists.forEach { _ in gate.signal() } }
        let set = try await server.write(.put, "/api/v1/overrides/locations", #"{"value": "true"}"#)
        #expect(set.status == 200, "\(set.text)")
        #expect(try await server.evaluate("locations").text.contains(#""value":true"#))
        #expect(try await server.evaluate("nope").status == 404)
    }

    @Test func `the page and its files are served with a content policy`() async throws {
        for (path, type) in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")] {
            let response = try await server.send(.get, path)
            #expect(response.status == 200 && response.headers["Content-Type"]?.hasPrefix(type) == true)
            let policy = try #require(response.headers["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"))
            #expect(response.headers["X-Content-Type-Options"] == "nosniff" && !response.body.isEmpty)
        }
    }

    @Test func `a body above the limit is rejected`() async throws {
        let body = #"{"value": "\#(String(repeating: "x", count: 70_000))"}"#
        let response = try await server.write(.put, "/api/v1/overrides/locations", body)
        #expect(response.status == 413 && response.text.contains("65536 bytes"), "\(response.text.prefix(200))")
    }

    @Test(arguments: [(SourceRequest.Method.post, "/api/v1/undo", 401), (.get, "/login?code=guessed", 403)])
    func `rejected tokens and codes are limited in their rate, and the right token is not`(
        method: SourceRequest.Method, path: String, rejected: Int
    ) async throws {
        let server = try await TestServer { $0.limits.rejectionsPerSecond = 3 }
        var statuses: Set<Int> = []
        for _ in 0..<30 {
            let response = try await server.send(method, path)
            statuses.insert(response.status)
            #expect((response.headers["Retry-After"] == "1") == (response.status == 429))
            #expect(try await server.write(.get, "/api/v1/status").text.contains(#""writable":true"#))
        }
        #expect(statuses == [rejected, 429])
    }

    @Test func `changes above the limit of a second are rejected, and the others are made`() async throws {
        let server = try await TestServer(Self.values) { $0.limits.writesPerSecond = 1 }
        var (statuses, last) = (Set<Int>(), "")
        for number in 0..<30 {
            let body = #"{"value": "\#(number)", "any": true}"#
            let status = try await server.write(.put, "/api/v1/overrides/variant", body).status
            statuses.insert(status)
            if status == 200 { last = "\(number)" }
            #expect(server.flags.activeOverrides["variant"]?.value == last)
        }
        #expect(statuses == [200, 429])
    }

    @Test func `encoded evaluations end with their last reference`() async throws {
        weak var last: FlagEvaluations?
        do {
            let evaluations = FlagEvaluations(
                FlagBoard(snapshot: .empty, launch: [:], overrides: [:]), revision: 7)
            last = evaluations
            #expect(String(buffer: try await evaluations.all().body).hasPrefix(#"{"flags":[],"#))
        }
        #expect(last == nil)
    }
}
#endif
