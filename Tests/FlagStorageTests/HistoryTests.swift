import FlagModel
import Foundation
import Testing

@testable import FlagStorage

@Suite struct HistoryTests {
    let folder = StoreFolder()

    @Test func `line has changes time and author`() throws {
        var hashes: [String] = []
        let write: (() throws -> StoreCommit) throws -> Void = { body in
            _ = try body()
            hashes.append(#""hash":"\#(FNV1a.digits(of: Array(try folder.text().utf8)))""#)
        }
        try write { try folder.store().apply([.set(key: "a", value: "1")]) }
        try write { try folder.store(author: "bob").apply([.clear(key: "a")], label: "clear category Location") }
        try write { try folder.store().undo() }
        let entry = #"{"value":"1","setAt":"2026-11-21T10:00:00Z","setBy":"ana"}"#
        let head = #""at":"2026-11-21T10:00:00Z","by""#
        #expect(
            try folder.text(of: "history.jsonl") == """
                {"revision":1,"base":0,\(head):"ana","action":"set",\(hashes[0]),"found":{},"changes":[{"key":"a","old":null,"new":\(entry)}]}
                {"revision":2,"base":1,\(head):"bob","action":"clear category Location",\(hashes[1]),"changes":[{"key":"a","old":\(entry),"new":null}]}
                {"revision":3,"base":2,\(head):"ana","action":"undo",\(hashes[2]),"undoes":2,"changes":[{"key":"a","old":null,"new":\(entry)}]}

                """)
    }

    @Test func `history is newest first and marks undone actions`() throws {
        let store = folder.store()
        for value in ["1", "2", "3"] { _ = try store.apply([.set(key: "a", value: value)]) }
        _ = try store.undo()
        let history = try store.history()
        #expect(history.map(\.revision) == [4, 3, 2, 1])
        #expect(history.map(\.isUndone) == [false, true, false, false])
        #expect(history.map(\.undoes) == [3, nil, nil, nil])
        #expect(try store.history(limit: 2) == Array(history.prefix(2)))
        #expect(try folder.store().history() == history)
    }

    @Test(
        arguments: [
            ([.set(key: "a", value: "1")], "set"), ([.clear(key: "z")], "clear"), ([.clearAll], "reset all"),
            ([.replaceAll(["z": "2"])], "import"), ([.clear(key: "z"), .set(key: "a", value: "1")], "set"),
        ] as [([OverrideEdit], String)])
    func `edits have action names`(_ edits: [OverrideEdit], _ action: String) throws {
        _ = try folder.store().apply([.set(key: "z", value: "1")])
        #expect(try folder.store().apply(edits).record?.action == action)
    }

    @Test func `files are private`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        for name in try folder.names() {
            #expect(try FileOperations.live.statusOfPath(folder.path + "/" + name).mode == 0o600)
        }
        #expect(try FileOperations.live.statusOfPath(folder.path).mode == 0o700)
    }

    /// Cuts the last line at every byte: earlier records still count, and the next record is complete.
    @Test func `torn line is skipped`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let first = try folder.text(of: "history.jsonl")
        _ = try folder.store().apply([.set(key: "b", value: "1")])
        let both = try folder.text(of: "history.jsonl")
        let file = try folder.text()
        for count in first.utf8.count..<both.utf8.count {
            try folder.write(file)
            try folder.write(String(decoding: both.utf8.prefix(count), as: UTF8.self), to: "history.jsonl")
            let isWhole = count == both.utf8.count - 1
            #expect(try folder.store().history().count == (isWhole ? 2 : 1), "cut at \(count)")
            _ = try folder.store().apply([.set(key: "c", value: "1")])
            #expect(try folder.store().history().count == (isWhole ? 3 : 2), "cut at \(count)")
            #expect(try folder.store().undo().table.values == ["a": "1", "b": "1"])
        }
    }

    @Test(arguments: ["\n\n", "\0\0\0\0", "{}\n", "not json\n[1]\n", "{\"revision\": -1}\n", "{\"revision\": 1e99}"])
    func `invalid lines are skipped`(_ junk: String) throws {
        try folder.write(junk, to: "history.jsonl")
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try folder.store().history().map(\.revision) == [1])
        #expect(try folder.store().undo().table.values == [:])
        #expect(try folder.text(of: "history.jsonl").hasPrefix(junk))
    }

    @Test func `overrides stay without history`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        try FileManager.default.removeItem(atPath: folder.history)
        let store = folder.store()
        #expect(store.read().table.values == ["a": "1"])
        #expect(try store.history() == [])
        #expect(try store.apply([.set(key: "b", value: "1")]).table.revision == 2)
        #expect(try store.undo().table.values == ["a": "1"])
    }

    @Test func `restored backup continues its history`() throws {
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1")])
        let backup = try folder.text()
        for number in 2...5 { _ = try store.apply([.set(key: "a", value: "\(number)")]) }
        try folder.write(backup)
        #expect(try store.apply([.set(key: "b", value: "1")]).table.revision == 6)
        #expect(try store.history().map(\.revision) == [6, 1])
        #expect(try store.undo().table.values == ["a": "1"])
        #expect(try store.undo().table.values == [:])
    }

    @Test func `long record is read from the end`() throws {
        let values = FlagTable((0..<3000).map { ("key number \($0)", "value \($0)") }) { $1 }
        _ = try folder.store().apply([.replaceAll(values)])
        #expect(try folder.store().apply([.clear(key: "key number 7")]).table.revision == 2)
        #expect(try folder.store().apply([.clearAll]).table.revision == 3)
        try FileManager.default.removeItem(atPath: folder.file)
        #expect(try folder.store().apply([.set(key: "a", value: "1")]).table.revision == 4)
        #expect(try folder.store().history().count == 4)
    }
}
