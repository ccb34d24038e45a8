#if Network
import FlagModel
import FlagRemote
import Testing

@testable import FlagTeamEtcd

@Suite("etcd: snapshots, records and failures")
struct TeamSnapshotTests {
    private static func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

    private static func text(_ text: String) -> String { Base64Text.text(text.utf8) }

    private static func range(
        _ entries: [(key: String, value: String, changedAt: Int)], revision: Int, count: Int? = nil,
        cluster: String = "7"
    ) throws -> EtcdRange {
        let entries = entries.map { entry in
            #"{"key": "\#(text(entry.key))", "value": "\#(text(entry.value))", "mod_revision": "\#(entry.changedAt)"}"#
        }
        return EtcdRange(
            try json(
                #"{"header": {"cluster_id": "\#(cluster)", "revision": "\#(revision)"}, "count": "\#(count ?? entries.count)","#
                    + #" "kvs": [\#(entries.joined(separator: ","))]}"#
            ))
    }

    @Test("a record keeps its value, author and times, and a plain text is a value")
    func records() {
        let override = FlagOverride(
            value: "a \"b\"\n\u{7}", setAt: FlagTimestamp(seconds: 100), setBy: "ana",
            endsAt: FlagTimestamp(seconds: 200))
        let record = TeamRecord(override, write: "w1")
        #expect(TeamRecord(parsing: Array(record.text.utf8)) == record)
        #expect(TeamRecord(parsing: Array("true".utf8)).override == FlagOverride(value: "true"))
        #expect(TeamRecord(parsing: Array(#"{"a": 1}"#.utf8)).override == FlagOverride(value: #"{"a": 1}"#))
    }

    @Test("a history record keeps both sides of each change")
    func historyRecords() {
        let change = OverrideChange(key: "k", old: nil, new: FlagOverride(value: "1", setBy: "ana"))
        let record = TeamHistoryRecord(at: FlagTimestamp(seconds: 5), by: "ana", action: "set k", changes: [change])
        #expect(TeamHistoryRecord(parsing: Array(record.text.utf8)) == record)
        #expect(TeamHistoryRecord(parsing: Array("{}".utf8)) == nil)
    }

    private static func event(_ key: String, _ value: String?, _ revision: Int) throws -> EtcdEvent {
        let type = value == nil ? #""type": "DELETE", "# : ""
        return try #require(
            EtcdEvent(
                try json(
                    #"{\#(type)"kv": {"key": "\#(text(key))", "value": "\#(text(value ?? ""))", "mod_revision": "\#(revision)"}}"#
                )))
    }

    @Test func watchAppliesNewerChangesOnce() throws {
        let range = try Self.range([("p/flags/a", "1", 3), ("p/flags/b", "2", 4)], revision: 10)
        var snapshot = TeamSnapshot(range, prefix: "p/flags/")
        #expect(snapshot.overrides.mapValues(\.value) == ["a": "1", "b": "2"])
        #expect(!snapshot.apply([try Self.event("p/flags/a", "0", 10)]), "included already")
        #expect(snapshot.apply([try Self.event("p/flags/a", nil, 11), try Self.event("p/flags/c", "3", 12)]))
        #expect(snapshot.overrides.mapValues(\.value) == ["b": "2", "c": "3"] && snapshot.position.revision == 12)
        #expect(try TeamDocument.decode(snapshot.document).overrides == snapshot.overrides)
    }

    @Test func equivalentSpellingsAreTwoRecords() throws {
        let (composed, decomposed) = ("p/flags/\u{E9}", "p/flags/e\u{301}")
        var snapshot = TeamSnapshot(
            try Self.range([(composed, "1", 3), (decomposed, "2", 4)], revision: 4), prefix: "p/flags/")
        #expect(snapshot.records.count == 2)
        let members = try #require(try JSONDocument(parsing: snapshot.document).root["team"]).members
        #expect(members.map(\.key) == [FlagText("e\u{301}"), FlagText("\u{E9}")])
        #expect(snapshot.apply([try Self.event(composed, nil, 5)]))
        #expect(snapshot.records.keys.map { $0 } == [Array("e\u{301}".utf8)])
    }

    @Test(
        "only the same newest record, number of records and store confirm a snapshot",
        arguments: [
            ([("b", "2", 4)], 2, 10, "7", true), ([("b", "2", 4)], 2, 12, "7", true),
            ([("b", "3", 4)], 2, 10, "7", false), ([("a", "1", 3)], 2, 10, "7", false),
            ([("b", "2", 4)], 3, 10, "7", false),
            ([("b", "2", 4)], 2, 9, "7", false), ([("b", "2", 4)], 2, 10, "8", false), ([], 0, 10, "7", false),
        ] as [([(String, String, Int)], Int, Int, String, Bool)])
    func confirms(
        newest: [(String, String, Int)], count: Int, revision: Int, cluster: String, isConfirmed: Bool
    ) throws {
        let known = TeamSnapshot(
            try Self.range([("p/a", "1", 3), ("p/b", "2", 4)], revision: 10), prefix: "p/")
        let range = try Self.range(
            newest.map { ("p/\($0.0)", $0.1, $0.2) }, revision: revision, count: count, cluster: cluster)
        #expect(known.isConfirmed(by: range) == isConfirmed)
    }

    @Test(
        "reads the failures of unary calls and of streams, and knows which writes were not made",
        arguments: [
            (#"{"error":"etcdserver: no leader","message":"etcdserver: no leader","code":14}"#, true, true),
            (#"{"error":{"grpc_code":14,"message":"transport is closing"}}"#, true, false),
            (#"{"error":"context deadline exceeded","message":"context deadline exceeded","code":2}"#, true, false),
            (#"{"error":"etcdserver: mvcc: database space exceeded","code":8}"#, false, true),
            (#"{"code":7,"message":"etcdserver: permission denied","details":[]}"#, false, true),
        ])
    func failures(text: String, isTransient: Bool, isSureNotMade: Bool) throws {
        let failure = try #require(EtcdFailure(Array(text.utf8)))
        #expect(failure.isTransient == isTransient && failure.isSureNotMade == isSureNotMade)
    }
}
#endif
