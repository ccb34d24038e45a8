import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// Changes of contexts and conditions, which are stored, undone and reset with the overrides.
@Suite struct StoredContextTests {
    private let folder = StoreFolder()
    private var store: OverrideStore { folder.store() }

    private func edit(_ source: String, _ edits: ContextEdit...) -> OverrideEdit {
        .changeContext(ContextChange(source: source, edits: edits))
    }

    private func contexts() -> FlagTable<ContextOverride> { store.read().table.contexts }

    @Test func `changes are read back`() throws {
        let commit = try store.apply([edit("a", .set(name: "country", value: #""FR""#), .set(name: "os", value: nil))])
        #expect(commit.changes.isEmpty && commit.record?.action == "context")
        #expect(
            commit.contextChanges.map(\.sentence) == [
                #"attribute "country": not set -> "FR""#, #"attribute "os": not set -> left out"#,
            ])
        _ = try store.apply([
            edit("b", .decide(condition: "x", applies: true), .decide(condition: "y", applies: nil))
        ])
        #expect(contexts()["a"]?.members.map(\.value) == [#""FR""#, nil])
        #expect(
            contexts()["b"]?.decisions == [
                ContextOverride.Decision(condition: "x", applies: true),
                ContextOverride.Decision(condition: "y", applies: nil),
            ])
        #expect(store.read().table.changeCount == 4)
        _ = try store.apply([edit("a", .reset)])
        #expect(contexts()["a"] == nil && contexts()["b"] != nil)
    }

    @Test func `edit without change writes nothing`() throws {
        let commit = try store.apply([edit("a", .restore(.attribute, "nosuch"))])
        #expect(commit.record == nil && commit.isEmpty)
        #expect(try DurableFile.read(folder.file) == nil)
    }

    @Test func `one undo reverts one action`() throws {
        _ = try store.apply([edit("a", .decide(condition: "Beta", applies: true))])
        _ = try store.apply([.set(key: "k", value: "1"), edit("a", .decide(condition: "Beta", applies: false))])
        let undone = try store.undo()
        #expect(undone.changes.map(\.key) == ["k"])
        #expect(undone.contextChanges.map(\.sentence) == [#"condition "Beta": off -> on"#])
        #expect(contexts()["a"]?.decisions.map(\.applies) == [true])
        _ = try store.undo()
        #expect(store.read().table.changeCount == 0)
        _ = try store.redo()
        let redone = try store.redo()
        #expect(redone.table.values == ["k": "1"] && contexts()["a"]?.decisions.map(\.applies) == [false])
        #expect(try store.undo(to: 1).contextChanges.map(\.sentence) == [#"condition "Beta": off -> not set"#])
        #expect(try store.history().map(\.contextChanges.count).allSatisfy { $0 == 1 })
    }

    @Test func `undo skips a part that changed since`() throws {
        _ = try store.apply([.set(key: "k", value: "1"), edit("a", .set(name: "n", value: "1"))])
        let text = try folder.text().replacing(#""n": 1"#, with: #""n": 2"#)
        try folder.write(text)
        #expect(try store.undo().notice?.contains(#"attribute "n" was changed since and stays as it is: 2."#) == true)
        #expect(contexts()["a"]?.members.map(\.value) == ["2"] && store.read().table.overrides.isEmpty)
    }

    @Test func `clear all removes contexts too`() throws {
        _ = try store.apply([.set(key: "k", value: "1"), edit("a", .set(name: "n", value: "1"))])
        let commit = try store.apply([.clearAll])
        #expect(commit.table.changeCount == 0 && commit.contextChanges.count == 1)
        _ = try store.undo()
        #expect(store.read().table.changeCount == 2)
    }

    @Test func `unknown members and invalid conditions stay`() throws {
        try folder.write(
            #"{"format": 2, "overrides": {}, "contexts": {"a": {"conditions": {"y": "on", "z": [1]}, "later": 5}, "odd": 3}}"#
        )
        #expect(store.read().issues == [#"the context of "odd" is not an object and has no effect"#])
        _ = try store.apply([edit("a", .decide(condition: "y", applies: true))])
        let text = try folder.text()
        for part in [#""y": true"#, #""z": [1]"#, #""later": 5"#, #""odd": 3"#] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.contains(#""on""#))
        _ = try store.apply([edit("a", .reset), edit("odd", .set(name: "n", value: "1"))])
        #expect(try folder.text().contains(#""z": [1]"#) && store.read().issues.isEmpty)
    }

    /// A store as an earlier version wrote it: overrides in format 1, contexts in a file of their own.
    private func writeEarlierStore() throws {
        try folder.write(#"{"format": 1, "revision": 0, "overrides": {"k": {"value": "1"}}}"#)
        try folder.write(#"{"format": 1, "sources": {"a": {"conditions": {"x": true}}}}"#, to: "contexts.json")
    }

    @Test func `the first write merges contexts of an earlier version`() throws {
        try writeEarlierStore()
        #expect(contexts()["a"]?.decisions.count == 1 && store.read().table.values == ["k": "1"])
        #expect(try folder.names() == ["contexts.json", "overrides.json"])
        _ = try store.apply([.set(key: "k", value: "2")])
        #expect(
            try folder.names() == ["contexts.json.migrated", "history.jsonl", "overrides.json", "overrides.lock"])
        #expect(contexts()["a"]?.decisions.count == 1)
        // An earlier version may write its file again; it has no effect.
        try folder.write(#"{"format": 1, "sources": {"b": {"conditions": {"x": true}}}}"#, to: "contexts.json")
        #expect(contexts().keySet == ["a"])
        _ = try store.undo()
        #expect(contexts().keySet == ["a"] && store.read().table.values == ["k": "1"])
    }

    @Test func `contexts of an earlier version without overrides are merged`() throws {
        try folder.write(#"{"format": 1, "sources": {"a": {"context": {"n": 1}}}}"#, to: "contexts.json")
        #expect(store.read().condition == .missing && contexts()["a"]?.members.map(\.value) == ["1"])
        _ = try store.apply([edit("a", .set(name: "n", value: "2"))])
        #expect(contexts()["a"]?.members.map(\.value) == ["2"])
        _ = try store.undo()
        #expect(contexts()["a"]?.members.map(\.value) == ["1"])
    }

    @Test func `damaged file of an earlier version is kept`() throws {
        try folder.write("{", to: "contexts.json")
        #expect(store.read().issue?.contains("your contexts in") == true)
        _ = try store.apply([.set(key: "k", value: "1")])
        #expect(try folder.text(of: "contexts.json.migrated") == "{" && store.read().issue == nil)
    }

    @Test func `damaged document keeps the contexts of the history`() throws {
        try writeEarlierStore()
        _ = try store.apply([.set(key: "k", value: "2")])
        _ = try store.apply([edit("a", .decide(condition: "y", applies: false))])
        try folder.write("{")
        #expect(contexts()["a"]?.decisions.map(\.condition) == ["x", "y"])
        _ = try store.apply([.set(key: "l", value: "1")])
        #expect(contexts()["a"]?.decisions.map(\.condition) == ["x", "y"])
        #expect(store.read().table.values == ["k": "2", "l": "1"])
    }
}
