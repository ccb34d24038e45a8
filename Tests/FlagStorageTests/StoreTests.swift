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

    @Test func `a kept end is exactly that of the override when it is written`() throws {
        let store = folder.store()
        func end() -> MachineTime? {
            if case .duration(_, let time) = store.read().table.overrides["a"]?.end { time } else { nil }
        }
        _ = try store.apply([.set(key: "a", value: "1"), .end(key: "a", .lasting(.seconds(7_200)))])
        let first = try #require(end())
        _ = try folder.store(author: "bo").apply([.set(key: "a", value: "2"), .end(key: "a", .kept)])
        #expect(end() == first && store.read().table.overrides["a"]?.value == "2")
        _ = try store.apply([.set(key: "a", value: "3")])
        #expect(end() == nil)
        // Without an end to keep, an earlier edit of the end counts.
        _ = try store.apply([
            .set(key: "a", value: "4"), .end(key: "a", .lasting(.seconds(7_200))), .end(key: "a", .kept),
        ])
        #expect(end() != nil)
    }
}
