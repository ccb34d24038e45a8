#if Network
import FlagModel
import FlagRemote
import Testing

@testable import FlagTeamEtcd

/// Etcd: snapshots, records and failures.
struct TeamSnapshotTests {
    private static func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

    private static func text(_ text: String) -> String { Base64Text.text(text.utf8) }

    private static func range(_ entries: [(key: String, value: String, changedAt: Int)]) throws -> EtcdRange {
        EtcdRange(try json(etcdRange(entries.map { (Array($0.key.utf8), $0.value, $0.changedAt) }, revision: 10)))
    }

    @Test func `a record keeps its value, author and times, and a plain text is a value`() {
        let override = FlagOverride(
            value: "a \"b\"\n\u{7}", setAt: FlagTimestamp(seconds: 100), setBy: "ana",
            note: "BUG-1", end: .moment(FlagTimestamp(seconds: 200)))
        #expect(FlagOverride(parsing: Array(override.text.utf8)) == override)
        #expect(FlagOverride(parsing: Array("true".utf8)) == FlagOverride(value: "true"))
        #expect(FlagOverride(parsing: Array(#"{"a": 1}"#.utf8)) == FlagOverride(value: #"{"a": 1}"#))
    }

    @Test func `a note is a change of its own, which keeps the value, its author and its end`() {
        let old = FlagOverride(
            value: "1", setAt: FlagTimestamp(seconds: 5), setBy: "ana", end: .moment(FlagTimestamp(seconds: 200)))
        var new = old
        new.note = "BUG-1"
        let request = TeamRequest.edit([.note(key: "k", "BUG-1")])
        let changes = request.changes(of: ["k": old], at: FlagTimestamp(seconds: 50), by: "bob")
        #expect(changes == [OverrideChange(key: "k", old: old, new: new)] && request.label == "note k")
        #expect(
            TeamRequest.edit([.note(key: "other", "BUG-1")]).changes(of: ["k": old], at: .init(seconds: 50), by: "bob")
                .isEmpty)
    }

    @Test func `a value is set with its note and its end`() throws {
        let now = FlagTimestamp(seconds: 50)
        let request = TeamRequest.edit([
            .set(key: "k", value: "1"), .note(key: "k", "BUG-1"), .end(key: "k", .lasting(.seconds(7_200))),
        ])
        let new = try #require(request.changes(of: [:], at: now, by: "ana").first?.new)
        #expect(FlagOverride(parsing: Array(new.text.utf8)) == new)
        #expect(new.note == "BUG-1" && new.end == .moment(FlagTimestamp(seconds: 7_250)))
    }

    @Test func `a history record keeps both sides of each change`() throws {
        let change = OverrideChange(key: "k", old: nil, new: FlagOverride(value: "1", setBy: "ana"))
        let record = TeamChange(
            revision: 0, at: FlagTimestamp(seconds: 5), by: "ana", action: "set k", changes: [change])
        func entry(_ value: String) throws -> EtcdEntry {
            try #require(EtcdEntry(Self.json(#"{"key": "\#(Self.text("k"))", "value": "\#(Self.text(value))"}"#)))
        }
        #expect(try TeamChange(entry(record.text)) == record)
        #expect(try TeamChange(entry("{}")) == nil)
    }

    @Test func `document has the values`() throws {
        let range = try Self.range([("p/flags/a", "1", 3), ("p/flags/b", "2", 4)])
        let snapshot = TeamSnapshot(range, prefix: "p/flags/")
        #expect(snapshot.overrides.mapValues(\.value) == ["a": "1", "b": "2"] && snapshot.revision == 10)
        #expect(try TeamDocument.decode(snapshot.document).overrides == snapshot.overrides)
    }

    @Test func `equivalent spellings are two records`() throws {
        let (composed, decomposed) = ("p/flags/\u{E9}", "p/flags/e\u{301}")
        let snapshot = TeamSnapshot(
            try Self.range([(composed, "1", 3), (decomposed, "2", 4)]), prefix: "p/flags/")
        #expect(snapshot.records.count == 2)
        let members = try #require(try JSONDocument(parsing: snapshot.document).root["team"]).members
        #expect(members.map(\.key) == [FlagText("e\u{301}"), FlagText("\u{E9}")])
    }

    @Test(arguments: [
        (#"{"error":"etcdserver: no leader","message":"etcdserver: no leader","code":14}"#, true, true),
        (#"{"error":{"grpc_code":14,"message":"transport is closing"}}"#, true, false),
        (#"{"error":"context deadline exceeded","message":"context deadline exceeded","code":2}"#, true, false),
        (#"{"error":"etcdserver: mvcc: database space exceeded","code":8}"#, false, true),
        (#"{"code":7,"message":"etcdserver: permission denied","details":[]}"#, false, true),
    ])
    func `reads the failures of unary calls and of streams, and knows which writes were not made`(
        text: String, isTransient: Bool, isSureNotMade: Bool
    ) throws {
        let failure = try #require(EtcdFailure(Array(text.utf8)))
        #expect(failure.isTransient == isTransient && failure.isSureNotMade == isSureNotMade)
    }
}
#endif
