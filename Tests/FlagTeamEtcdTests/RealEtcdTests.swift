#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTeamEtcd
import Flags
import Platform
import TestSupport
import Testing

/// The team's values in real etcd members.
@Suite(
    "etcd: real members", .mayBlock, .serialized,
    .enabled(if: EtcdCluster.isInstalled, "etcd is not installed: apt-get install etcd-server etcd-client"))
struct RealEtcdTests {
    private static func team(_ address: String, _ change: (inout EtcdSettings) -> Void = { _ in }) throws -> EtcdTeam {
        var settings = try EtcdSettings(address)
        change(&settings)
        return EtcdTeam(settings, client: SourceClient(transport: HTTPTransport()))
    }

    @Test func `a change is read with author, time and history, and the same change again changes nothing`()
        async throws
    {
        let cluster = try #require(EtcdCluster())
        let team = try Self.team(cluster.address())
        let commit = try await team.apply(.edit([.set(key: "a", value: "1")]), by: "ana")
        #expect(commit.changes.map(\.key) == ["a"] && commit.revision > 1)
        #expect(try await team.apply(.edit([.set(key: "a", value: "1")]), by: "bo").changes.isEmpty)
        _ = try await team.apply(.edit([.set(key: "a", value: "2"), .set(key: "b", value: "ö\n")]), by: "bo")
        _ = try await team.apply(.edit([.clear(key: "a")]), by: "ana")
        let overrides = try await team.fetch().overrides
        #expect(overrides.mapValues(\.value) == ["b": "ö\n"] && overrides["b"]?.setBy == "bo")
        let history = try await team.history(limit: nil)
        #expect(history.map(\.action) == ["reset a", "set 2 flags", "set a"])
        #expect(history.map(\.by) == ["ana", "bo", "ana"])
        #expect(try await team.history(limit: 1).map(\.action) == ["reset a"])
        #expect(cluster.ctl("get", "--prefix", "shop/flags/", "--keys-only").text.contains("shop/flags/b"))
    }

    @Test func `concurrent writers of one flag lose no change, and the history has each in order`() async throws {
        let cluster = try #require(EtcdCluster())
        let address = cluster.address()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let team = try Self.team(address) { $0.writeTimeout = .seconds(300) }
                    for number in 0..<10 {
                        let commit = try await team.apply(
                            .edit([.set(key: "shared", value: "\(writer).\(number)")]), by: "w\(writer)")
                        #expect(commit.changes.count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        let history = try await Self.team(address).history(limit: nil).reversed().map { $0.changes[0] }
        #expect(history.count == 80)
        #expect(zip(history, history.dropFirst()).allSatisfy { $0.new?.value == $1.old?.value })
        #expect(Set(history.map { $0.new?.value }).count == 80)
    }

    @Test func `a change reaches another app by the watch`() async throws {
        let cluster = try #require(EtcdCluster())
        let (writer, reader) = (try Self.team(cluster.address()), TeamReader(try Self.team(cluster.address())))
        var delays: [Double] = []
        for number in 0..<10 {
            _ = try await writer.apply(.edit([.set(key: "a", value: "\(number)")]), by: "ana")
            let start = Clock.seconds()
            #expect(reader.waits(atMost: 60, for: "\(number)"))
            delays.append(Clock.seconds() - start)
            // A source is requested at most four times a second.
            usleep(500_000)
        }
        #expect(delays.sorted()[5] <= Clock.medianLimit(0.05), "\(delays)")
        #expect(reader.store.explain("a").winner == .team)
    }

    @Test func `an override with an end disappears by itself`() async throws {
        let cluster = try #require(EtcdCluster())
        let (writer, reader) = (try Self.team(cluster.address()), TeamReader(try Self.team(cluster.address())))
        let edits: [OverrideEdit] = [
            .set(key: "a", value: "1"), .note(key: "a", "BUG-1"), .end(key: "a", .lasting(.seconds(60))),
        ]
        let commit = try await writer.apply(.edit(edits), by: "ana")
        #expect(commit.changes[0].new?.note == "BUG-1")
        #expect(commit.changes[0].new?.end?.time != nil)
        #expect(reader.waits(atMost: 60, for: "1"))
        #expect(reader.waits(atMost: 180, for: nil))
    }

    @Test func `undoing a change gives back the old values with their ends, and leaves what others have set`()
        async throws
    {
        let cluster = try #require(EtcdCluster())
        let team = try Self.team(cluster.address())
        for (key, seconds) in [("a", 3600), ("b", 7200)] {
            let edits: [OverrideEdit] = [.set(key: key, value: "1"), .end(key: key, .lasting(.seconds(seconds)))]
            _ = try await team.apply(.edit(edits), by: "bo")
        }
        _ = try await team.apply(.edit([.set(key: "c", value: "1")]), by: "bo")
        let edits = ["a", "b", "c", "d"].map { OverrideEdit.set(key: $0, value: "2") }
        let commit = try await team.apply(.edit(edits), by: "ana")
        _ = try await team.apply(.edit([.set(key: "c", value: "3")]), by: "bo")
        let undo = try await team.apply(.revert(commit.changes), by: "ana")
        #expect(undo.changes.map(\.key) == ["a", "b", "d"])
        #expect(undo.changes.map { $0.new?.value } == ["1", "1", nil])
        #expect(
            undo.changes.map { $0.new?.end?.time } == commit.changes.filter { $0.key != "c" }.map { $0.old?.end?.time })
        #expect(
            undo.changes[0].new?.end?.time != nil && undo.changes[1].new?.end?.time != undo.changes[0].new?.end?.time)
        #expect(try await team.history(limit: 1).first?.action == "undo set 4 flags")
        let redo = try await team.apply(.revert(undo.changes), by: "ana")
        #expect(redo.changes.map { $0.new?.value } == ["2", "2", "2"] && redo.changes[0].new?.end?.time == nil)
    }

    @Test func `compaction, and the loss of a member, hide no change`() async throws {
        let cluster = try #require(EtcdCluster(members: 3))
        let (writer, reader) = (try Self.team(cluster.address()), TeamReader(try Self.team(cluster.address())))
        for number in 0..<5 { _ = try await writer.apply(.edit([.set(key: "a", value: "\(number)")]), by: "ana") }
        let revision = try await writer.apply(.edit([.set(key: "a", value: "x")]), by: "ana").revision
        cluster.ctl("compaction", "\(revision)")
        #expect(reader.waits(atMost: 60, for: "x"))
        cluster.signal(SIGKILL, member: 0)
        let commit = try await writer.apply(.edit([.set(key: "a", value: "y")]), by: "ana")
        #expect(commit.changes.count == 1)
        #expect(reader.waits(atMost: 60, for: "y"))
    }

    @Test func `with etcd away, the last values stay in use and a write says that it was not made`() async throws {
        let cluster = try #require(EtcdCluster())
        let team = try Self.team(cluster.address())
        _ = try await team.apply(.edit([.set(key: "a", value: "1")]), by: "ana")
        let reader = TeamReader(team, startsFirst: true)
        // The start does not wait for a slow machine.
        #expect(reader.waits(atMost: 60, for: "1"))
        cluster.signal(SIGKILL, member: 0)
        let issue = "The team's last values stay in use"
        #expect(Clock.wait(atMost: 60) { reader.store.issues.contains { $0.contains(issue) } })
        #expect(try reader.store.string("a") == "1")
        let error = await #expect(throws: SourceError.self) {
            try await team.apply(.edit([.set(key: "a", value: "2")]), by: "ana")
        }
        #expect(error?.sentence.contains("the team's values were not changed") == true, "\(error as Any)")
    }

    @Test func `a user and a password are required, used, and not shown`() async throws {
        let cluster = try #require(EtcdCluster())
        #expect(cluster.ctl("user", "add", "root:hush").status == 0)
        #expect(cluster.ctl("user", "grant-role", "root", "root").status == 0)
        #expect(cluster.ctl("auth", "enable").status == 0)
        let anonymous = await #expect(throws: SourceError.self) {
            try await Self.team(cluster.address()).fetch()
        }
        #expect(anonymous?.sentence.contains("requires a user") == true, "\(anonymous as Any)")
        func team(_ password: String) throws -> EtcdTeam {
            try Self.team(cluster.address()) { ($0.user, $0.password) = (Secret("root"), Secret(password)) }
        }
        let wrong = await #expect(throws: SourceError.self) {
            try await team("wrong").apply(.edit([.set(key: "a", value: "1")]), by: "ana")
        }
        #expect(wrong?.sentence.contains("rejected the user or the password") == true, "\(wrong as Any)")
        #expect(wrong?.description.contains("wrong") == false)
        let right = try team("hush")
        #expect(try await right.apply(.edit([.set(key: "a", value: "1")]), by: "ana").changes.count == 1)
        #expect(!"\(right.source)\(right.settings)".contains("hush"))
    }

    @Test func `TLS needs the client certificate`() async throws {
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"))
        let cluster = try #require(EtcdCluster(certificate: pair))
        func team(_ certificate: TransportSettings.ClientCertificate?) throws -> EtcdTeam {
            var settings = TransportSettings(trust: .authorities(path: pair.certificate))
            settings.clientCertificate = certificate
            return EtcdTeam(
                try EtcdSettings(cluster.address()), client: SourceClient(transport: HTTPTransport(settings)))
        }
        await #expect(throws: SourceError.self) { try await team(nil).fetch() }
        let right = try team(.init(path: pair.certificate, keyPath: pair.key))
        #expect(try await right.apply(.edit([.set(key: "a", value: "1")]), by: "ana").changes.count == 1)
        let missing = await #expect(throws: SourceError.self) {
            try await team(.init(path: pair.certificate, keyPath: "/nowhere/key.pem")).fetch()
        }
        #expect(missing?.sentence.contains("the key of the client certificate cannot be read") == true)
        let noKey = await #expect(throws: SourceError.self) {
            try await team(.init(path: pair.key, keyPath: pair.key)).fetch()
        }
        #expect(
            noKey?.sentence.contains("the client certificate cannot be read: it has no certificates in PEM format")
                == true, "\(noKey as Any)")
    }

    @Test func `without space, a write says that it was not made and what to do`() async throws {
        let cluster = try #require(EtcdCluster(options: ["--quota-backend-bytes", "100000"]))
        let team = try Self.team(cluster.address())
        let text = String(repeating: "x", count: 20_000)
        let failure = await #expect(throws: SourceError.self) {
            for number in 0..<20 { _ = try await team.apply(.edit([.set(key: "k\(number)", value: text)]), by: "ana") }
        }
        #expect(
            failure?.sentence.contains("no space left") == true
                && failure?.sentence.contains("were not changed") == true,
            "\(failure as Any)")
        _ = try await team.fetch()
    }

    @Test func `the history keeps the newest changes`() async throws {
        let cluster = try #require(EtcdCluster())
        let team = try Self.team(cluster.address()) { $0.historyLimit = 20 }
        for number in 0..<90 {
            _ = try await team.apply(.edit([.set(key: "a", value: "\(number)")]), by: "ana")
        }
        let history = try await team.history(limit: nil)
        #expect(20...70 ~= history.count && history.first?.changes.first?.new?.value == "89")
    }
}
#endif
