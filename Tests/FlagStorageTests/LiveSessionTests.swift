import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// States that are tested in the store itself, and restored.
@Suite struct LiveSessionTests {
    private let folder = StoreFolder()

    /// A store with two overrides, of which one was changed last, and its document.
    private func storeWithChanges() throws -> OverrideStore {
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1"), .note(key: "a", "why"), .set(key: "b", value: "1")])
        _ = try store.apply([.set(key: "b", value: "2")])
        return store
    }

    private func table(_ values: FlagTable<String>) -> OverrideTable {
        OverrideTable(overrides: values.mapValues { FlagOverride(value: $0) })
    }

    private func entries(_ text: String) throws -> String {
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        return try #require(root["overrides"]).compactJSON
    }

    @Test func `states replace the changes, and restoring is one record without a change`() throws {
        let store = try storeWithChanges()
        let original = try entries(folder.text())
        do {
            let session = try LiveSession(store, of: "bisect")
            for values: FlagTable<String> in [[:], ["b": "2"], ["c": "3"]] {
                #expect(try session.replace(with: table(values), log: .null).table.values == values)
                #expect(folder.store().read().table.values == values)
            }
            #expect(try session.restore()?.notice == nil)
        }
        #expect(try entries(folder.text()) == original)
        #expect(try folder.names() == ["history.jsonl", "live.lock", "overrides.json", "overrides.lock"])
        let history = try folder.store().history()
        #expect(history.map(\.action) == ["bisect", "set", "set"])
        #expect(history[0].changes.isEmpty)
        #expect(try folder.store().undo().table.values == ["a": "1", "b": "1"])
        #expect(try folder.store().redo().table.values == ["a": "1", "b": "2"])
    }

    @Test func `each state has a higher revision, so that running apps notice it`() throws {
        let store = try storeWithChanges()
        let session = try LiveSession(store, of: "bisect")
        var revisions = [store.read().table.revision]
        for values: FlagTable<String> in [[:], ["b": "2"], ["b": "2"]] {
            revisions.append(try session.replace(with: table(values), log: .null).table.revision)
        }
        _ = try session.restore()
        revisions.append(store.read().table.revision)
        #expect(zip(revisions, revisions.dropFirst()).filter { $0 >= $1 }.isEmpty)
    }

    @Test func `contexts are replaced and restored, too`() throws {
        let store = folder.store()
        let change = ContextChange(source: "s", edits: [.set(name: "country", value: #""FR""#)])
        _ = try store.apply([.changeContext(change), .set(key: "a", value: "1")])
        let before = store.read().table
        let session = try LiveSession(store, of: "bisect")
        #expect(try session.replace(with: OverrideTable(), log: .null).contextChanges.count == 1)
        #expect(store.read().table.contexts.isEmpty)
        _ = try session.restore()
        #expect(store.read().table.contexts == before.contexts)
        #expect(store.read().table.overrides == before.overrides)
    }

    @Test func `a store without a file is empty again`() throws {
        let store = folder.store()
        let session = try LiveSession(store, of: "bisect")
        _ = try session.replace(with: table(["a": "1"]), log: .null)
        _ = try session.restore()
        #expect(store.read().table.values == [:])
        #expect(try store.history().map(\.action) == ["bisect"])
    }

    @Test func `if the process has died, the next program restores the changes`() throws {
        let store = try storeWithChanges()
        let original = try entries(folder.text())
        do {
            let session = try LiveSession(store, of: "bisect")
            _ = try session.replace(with: table(["c": "3"]), log: .string("known"))
            #expect(LiveSession.recover(folder.store(), isTested: true) == nil, "its process runs")
            #expect(LiveSession.recover(folder.store())?.contains("tests states here") == true)
            #expect(try folder.text(of: "live.json").contains(#""log": "known""#))
            withExtendedLifetime(session) {}
        }
        let sentence = try #require(LiveSession.recover(folder.store()))
        #expect(sentence == "A bisect ended without restoring your changes: they are restored now.")
        #expect(try entries(folder.text()) == original)
        #expect(LiveSession.recover(folder.store()) == nil)
        #expect(try folder.store().history().map(\.action) == ["bisect", "set", "set"])
    }

    @Test func `the changes are restored after a death at any step`() throws {
        let store = try storeWithChanges()
        let original = try entries(folder.text())
        for state in [0, 1] {
            // Killed after the file was written, before the store was.
            do {
                let session = try LiveSession(store, of: "bisect")
                if state == 1 { _ = try session.replace(with: table(["a": "1"]), log: .null) }
                let before = try folder.text()
                _ = try session.replace(with: table(["c": "3"]), log: .null)
                try folder.write(before)
            }
            #expect(LiveSession.recover(folder.store()) != nil)
            #expect(try entries(folder.text()) == original)
        }
        // Killed after the store was restored, before the file was removed.
        let left: String
        do {
            let session = try LiveSession(store, of: "bisect")
            _ = try session.replace(with: table(["c": "3"]), log: .null)
            left = try folder.text(of: "live.json")
            _ = try session.restore()
        }
        try folder.write(left, to: "live.json")
        let restored = try folder.text()
        #expect(LiveSession.recover(folder.store()) != nil)
        #expect(try folder.text() == restored)
    }

    @Test func `if somebody else has changed the store, no state is written, and their change stays`() throws {
        let store = try storeWithChanges()
        let session = try LiveSession(store, of: "bisect")
        _ = try session.replace(with: table(["a": "1", "b": "5"]), log: .null)
        _ = try folder.store(author: "bob").apply([.set(key: "b", value: "9")])
        let error = #expect(throws: StorageError.self) {
            try session.replace(with: table([:]), log: .null)
        }
        #expect(error?.code == .refused)
        let notice = try session.restore()?.notice
        #expect(notice?.contains(#""b" was changed since by "bob" and keeps "9"."#) == true)
        #expect(store.read().table.values == ["a": "1", "b": "9"])
        #expect(store.read().table.overrides["a"]?.note == "why")
    }

    @Test func `a search by hand goes on after its process, with its log, and other programs only name it`() throws {
        let store = try storeWithChanges()
        let (original, table) = (try entries(folder.text()), store.read().table)
        #expect(try LiveSession.searchByHand(in: store) == nil)
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: self.table(["a": "1"]), log: .null)
        let sentence = try #require(LiveSession.recover(folder.store()))
        #expect(sentence.contains("flagmenu bisect continues or stops it"))
        for move in [{ try $0.undo() }, { try $0.undo(to: 1) }, { try $0.redo() }]
            as [(OverrideStore) throws -> StoreCommit]
        {
            let error = try #require(throws: StorageError.self) { try move(folder.store()) }
            #expect(error.code == .nothingToUndo && error.sentence.contains("flagmenu bisect stops it"))
        }
        #expect(folder.store().read().table.values == ["a": "1"], "nothing is restored or undone")
        let error = #expect(throws: StorageError.self) { try LiveSession(folder.store(), of: "matrix") }
        #expect(error?.code == .refused)

        let other = folder.store()
        _ = try LiveSession(other, of: "bisect", isByHand: true)
            .replace(with: self.table(["b": "2"]), log: .object([("outcomes", .array([]))]))
        let running = try #require(try LiveSession.searchByHand(in: folder.store()))
        #expect(running.original.overrides == table.overrides && running.log == #"{"outcomes":[]}"#)
        #expect(running.revision == other.read().table.revision)
        #expect(try LiveSession(store, of: "bisect", isByHand: true).restore()?.notice == nil)
        #expect(try entries(folder.text()) == original)
        #expect(LiveSession.recover(folder.store()) == nil)
        #expect(try folder.store().undo().table.values == ["a": "1", "b": "1"], "the tester's own last change")
    }

    @Test func `a search by hand that was killed before it wrote its state writes it when it goes on`() throws {
        let store = try storeWithChanges()
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: table(["a": "1"]), log: .null)
        let before = try folder.text()
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: table(["b": "2"]), log: .null)
        try folder.write(before)
        let other = folder.store()
        let session = try LiveSession(other, of: "bisect", isByHand: true)
        #expect(folder.store().read().table.values == ["b": "2"])
        #expect(try session.restore()?.table.values == ["a": "1", "b": "2"])
    }

    @Test func `a search by hand ends if somebody else has changed the store, and their change stays`() throws {
        let store = try storeWithChanges()
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: table([:]), log: .null)
        _ = try folder.store(author: "bob").apply([.set(key: "b", value: "9")])
        let session = try LiveSession(folder.store(), of: "bisect", isByHand: true)
        let error = #expect(throws: StorageError.self) { try session.replace(with: table(["a": "1"]), log: .null) }
        #expect(error?.code == .refused)
        #expect(try session.restore()?.table.values == ["a": "1", "b": "9"])
    }

    @Test func `after somebody else has changed the store, undo goes on through the changes before the search`() throws
    {
        let store = try storeWithChanges()
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: table([:]), log: .null)
        _ = try folder.store(author: "bob").apply([.set(key: "b", value: "9")])
        _ = try LiveSession(folder.store(), of: "bisect", isByHand: true).restore()
        let history = try store.history()
        #expect(history.map(\.action) == ["bisect", "set", "set"])
        #expect(history[0].changes.map(\.sentence) == ["b: 2 -> 9"])
        #expect(try store.undo().table.values == ["a": "1", "b": "2"])
        #expect(try store.undo().table.values == ["a": "1", "b": "1"])
        #expect(try store.undo().table.values == [:])
        #expect(try store.redo().table.values == ["a": "1", "b": "1"])
    }

    @Test func `undo goes on after a change that was taken back during the search`() throws {
        let store = try storeWithChanges()
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: table([:]), log: .null)
        for edit in [OverrideEdit.set(key: "c", value: "9"), .clear(key: "c")] { _ = try store.apply([edit]) }
        _ = try LiveSession(folder.store(), of: "bisect", isByHand: true).restore()
        #expect(try store.history().map(\.action) == ["bisect", "set", "set"])
        #expect(try store.undo().table.values == ["a": "1", "b": "1"])
    }

    @Test func `only one process tests states with a store`() throws {
        let session = try LiveSession(folder.store(), of: "bisect")
        let error = #expect(throws: StorageError.self) { try LiveSession(folder.store(), of: "matrix") }
        #expect(error?.code == .refused)
        #expect(try session.restore()?.notice == nil)
        withExtendedLifetime(session) {}
    }

    @Test func `a damaged file is named, and stays`() throws {
        _ = try storeWithChanges()
        try folder.write("{", to: "live.json")
        let sentence = try #require(LiveSession.recover(folder.store()))
        #expect(sentence.contains("'live.json' is damaged"))
        #expect(try folder.text(of: "live.json") == "{")
    }
}
