#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Flags
import Synchronization
import TestSupport
import Testing

@testable import FlagTeamEtcd

/// What a team knows of a store that goes back, and of keys that are not text. The store is scripted, so that the
/// moments are exact.
@Suite(.mayBlock, .timeLimit(.minutes(10)))
struct EtcdTeamTests {
    private static func values(_ team: EtcdTeam) async throws -> FlagTable<String> {
        try await team.fetch().overrides.mapValues(\.value)
    }

    @Test func `lower revision replaces the known values`() async throws {
        let etcd = try await ScriptedEtcd(["a": "new", "b": "lost"], revision: 100)
        let team = try etcd.team()
        #expect(try await Self.values(team) == ["a": "new", "b": "lost"])
        etcd.replace(["a": "old"], revision: 90)
        #expect(try await Self.values(team) == ["a": "old"])
        etcd.replace(["a": "later"], revision: 91)
        #expect(try await Self.values(team) == ["a": "later"])
    }

    @Test func `reading from before a change shows nothing older`() async throws {
        let etcd = try await ScriptedEtcd(["a": "old"], revision: 5)
        let team = try etcd.team()
        #expect(try await Self.values(team) == ["a": "old"])
        etcd.holdNextReading()
        async let reading = Self.values(team)
        try await etcd.server.waitForRequests(2)
        _ = try await team.apply(.edit([.set(key: "a", value: "mine")]), by: "ana")
        etcd.release()
        #expect(try await reading == ["a": "mine"])
    }

    @Test func `other values at the same revisions are new`() async throws {
        let etcd = try await ScriptedEtcd(["a": "2"], revision: 4)
        let version = try await etcd.team().fetch().version
        etcd.replace(["a": "3"], revision: 4)
        #expect(try await etcd.team().fetch(since: version).overrides.mapValues(\.value) == ["a": "3"])
    }

    @Test func `watch from a future revision starts again`() async throws {
        let etcd = try await ScriptedEtcd(["a": "new"], revision: 100)
        let reader = TeamReader(try etcd.team())
        try await etcd.server.waitForListener("watch")
        // The watch stays open and silent, as etcd waits for revision 101.
        etcd.replace(["a": "old"], revision: 90)
        try await etcd.server.waitForRequests(where: { $0.startRevision == "91" })
        #expect(reader.waits(for: "old"))
    }

    @Test func `watched change is read`() async throws {
        let etcd = try await ScriptedEtcd(["a": "old"], revision: 5)
        let reader = TeamReader(try etcd.team(confirmInterval: .seconds(3_600)))
        try await etcd.server.waitForListener("watch")
        #expect(reader.waits(for: "old"))
        etcd.set(Array("a".utf8), "new", revision: 6)
        await etcd.server.push(Array(#"{"result": {"events": [{"kv": {"key": "YQ=="}}]}}"#.utf8) + [0x0A], to: "watch")
        #expect(reader.waits(for: "new"))
    }

    @Test func `odd keys are reported once and end no watch`() async throws {
        let etcd = try await ScriptedEtcd(["a": "1", "\u{E9}": "2", "e\u{301}": "3"], revision: 9)
        etcd.set([0x61, 0xFF], "odd", revision: 10)
        let reader = TeamReader(try etcd.team())
        try await etcd.server.waitForListener("watch")
        try await etcd.server.waitForRequests(4, where: \.isReading)
        #expect(reader.waits(for: "1"))
        let issues = reader.store.issues.filter { $0.contains("not UTF-8") }
        #expect(issues.count == 1 && issues[0].contains("1 key of the team is not UTF-8"), "\(reader.store.issues)")
        #expect(etcd.server.requests.count { $0.path == "/v3/watch" } == 1)
    }
}

/// An etcd member that responds from memory.
private final class ScriptedEtcd: Sendable {
    private struct State {
        var values: [[UInt8]: (value: String, changedAt: Int)] = [:]
        var revision = 0
        var isHolding = false
    }

    let server: LoopbackServer
    private let state = Mutex(State())
    private let (held, hold) = AsyncStream.makeStream(of: Void.self)

    init(_ values: [FlagText: String], revision: Int) async throws {
        server = try await LoopbackServer { _ in .hang }
        replace(values, revision: revision)
        server.respond { [weak self] request in await self?.reply(to: request) ?? .hang }
    }

    func team(confirmInterval: Duration = .milliseconds(20)) throws -> EtcdTeam {
        var settings = try EtcdSettings("etcd://127.0.0.1:\(server.port)/p")
        settings.confirmInterval = confirmInterval
        // Between two requests, a test may wait longer than usual for a thread.
        settings.timeout = .seconds(30)
        return EtcdTeam(settings, client: SourceClient(transport: HTTPTransport()))
    }

    /// Replaces all values, as a restore does.
    func replace(_ values: [FlagText: String], revision: Int) {
        state.withLock { $0 = State(revision: revision, isHolding: $0.isHolding) }
        for (key, value) in values { set(Array(key.string.utf8), value, revision: revision) }
    }

    func set(_ key: [UInt8], _ value: String, revision: Int) {
        state.withLock { state in
            state.values[key] = (value, revision)
            state.revision = revision
        }
    }

    /// Delays the response to the next reading until ``release()``; it has the values from before.
    func holdNextReading() { state.withLock { $0.isHolding = true } }

    func release() { hold.finish() }

    private func reply(to request: LoopbackRequest) async -> LoopbackReply {
        switch request.path {
        case "/v3/watch":
            let first = #"{"result": {\#(header), "created": true}}"# + "\n"
            return .stream(name: "watch", contentType: "application/json", first: Array(first.utf8))
        case "/v3/kv/txn":
            set(Array("a".utf8), "mine", revision: state.withLock { $0.revision + 1 })
            return .json(#"{\#(header), "succeeded": true, "responses": []}"#)
        default:
            let (reply, isHeld) = (range(), takeHold())
            if isHeld { for await _ in held {} }
            return reply
        }
    }

    private func takeHold() -> Bool {
        state.withLock { state in
            defer { state.isHolding = false }
            return state.isHolding
        }
    }

    private var header: String {
        #""header": {"cluster_id": "7", "revision": "\#(state.withLock { $0.revision })"}"#
    }

    private func range() -> LoopbackReply {
        let (values, revision) = state.withLock { ($0.values, $0.revision) }
        let prefix = Array("p/flags/".utf8)
        return .json(etcdRange(values.map { (prefix + $0, $1.value, $1.changedAt) }, revision: revision))
    }
}

extension LoopbackRequest {
    /// Whether the values are requested.
    fileprivate var isReading: Bool { path == "/v3/kv/range" }
    /// The first revision of a watch.
    fileprivate var startRevision: String? { json?["create_request"]?["start_revision"]?.text?.string }
}
#endif
