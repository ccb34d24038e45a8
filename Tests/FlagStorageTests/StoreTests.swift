import FlagModel
import Testing

@testable import FlagStorage

@Suite struct StoreTests {
    let folder = StoreFolder()

    @Test func `missing file is an empty store`() {
        #expect(folder.store().read() == StoreReading(table: OverrideTable(), condition: .missing))
    }

    @Test func `overrides are written in the documented format`() throws {
        let store = folder.store()
        _ = try store.apply([.set(key: "b", value: "2")])
        _ = try store.apply([.set(key: "a", value: "true")])
        let expected = """
            {
              "format": 2,
              "revision": 2,
              "overrides": {
                "a": {
                  "value": "true",
                  "setAt": "2026-11-21T10:00:00Z",
                  "setBy": "ana"
                },
                "b": {
                  "value": "2",
                  "setAt": "2026-11-21T10:00:00Z",
                  "setBy": "ana"
                }
              }
            }

            """
        #expect(try folder.text() == expected)
        #expect(try folder.names() == ["history.jsonl", "overrides.json", "overrides.lock"])
    }

    @Test func `commit lists changes`() throws {
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1"), .set(key: "b", value: "1")])
        let commit = try store.apply([.clear(key: "b"), .set(key: "a", value: "2"), .set(key: "a", value: "3")])
        let override = { FlagOverride(value: $0, setAt: StoreFolder.time, setBy: "ana") }
        #expect(
            commit.changes == [
                OverrideChange(key: "a", old: override("1"), new: override("3")),
                OverrideChange(key: "b", old: override("1"), new: nil),
            ])
        #expect(commit.table == OverrideTable(revision: 2, overrides: ["a": override("3")]))
        #expect(commit.notice == nil)
        #expect(store.read().table == commit.table)
    }

    @Test func `edit without change writes nothing`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let before = try folder.text()
        let commit = try folder.store(author: "bob").apply([.set(key: "a", value: "1"), .clear(key: "b")])
        #expect(commit.record == nil && commit.changes.isEmpty && commit.table.revision == 1)
        #expect(try folder.text() == before)
        #expect(try folder.store().history().count == 1)
    }
}
