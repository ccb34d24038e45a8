import FlagModel
import Foundation
import TestSupport
import Testing

@testable import FlagStorage

/// The size limits of a store, and how it recovers from files beyond them.
@Suite(.slow) struct StoreLimitTests {
    let folder = StoreFolder()

    private func rejection(of edits: [OverrideEdit]) throws -> StorageError {
        let before = try? folder.text()
        let error = try #require(throws: StorageError.self) { try folder.store().apply(edits) }
        #expect(error.code == .tooLarge)
        #expect((try? folder.text()) == before, "nothing was written")
        #expect(try folder.store().history().count == (before == nil ? 0 : 1))
        return error
    }

    @Test func `too large value is rejected`() throws {
        let value = String(repeating: "\"", count: StoreLimits.valueSize)
        _ = try folder.store().apply([.set(key: "a", value: value)])
        #expect(folder.store().read().table.values == ["a": value])
        let error = try rejection(of: [.set(key: "b", value: "1"), .set(key: "a", value: value + "x")])
        #expect(
            error.sentence.hasPrefix(
                #"The value of "a" has 4194305 bytes; the limit is 4194304: 'overrides.json' was not"#))
    }

    @Test func `too many overrides are rejected but can be reduced`() throws {
        let keys = (0...StoreLimits.count).map { "k\($0)" }
        let members = keys.map { "\"\($0)\":{\"value\":1}" }
        try folder.write(#"{"overrides": {\#(members.joined(separator: ","))}}"#)
        #expect(throws: StorageError.self) { try folder.store().apply([.set(key: "another", value: "1")]) }
        #expect(try folder.store().apply([.set(key: "k1", value: "2")]).changes.count == 1)
        #expect(try folder.store().apply([.clear(key: "k1"), .clear(key: "k2")]).changes.count == 2)
        #expect(try folder.store().apply([.set(key: "another", value: "1")]).changes.count == 1)
    }

    /// Many values below the value limit make a file above the file limit.
    @Test func `too large file is rejected but can be reduced`() throws {
        let value = String(repeating: "x", count: 1_000_000)
        _ = try folder.store().apply((1...16).map { .set(key: "k\($0)", value: value) })
        let error = try rejection(of: [.set(key: "k17", value: value)])
        #expect(error.sentence.contains("the limit is 16777216: 'overrides.json' was not written."))
        let members = (1...20).map { #""k\#($0)": {"value": "\#(value)"}"# }
        try folder.write(#"{"revision": 1, "overrides": {\#(members.joined(separator: ","))}}"#)
        #expect(try folder.store().apply([.clear(key: "k1")]).table.overrides.count == 19)
    }

    @Test func `a too large file is not changed in part, but clear all works on it`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        try folder.write("{")
        #expect(truncate(folder.file, DurableFile.sizeLimit + 1) == 0)
        for edit in [OverrideEdit.clear(key: "a"), .set(key: "a", value: "2")] {
            let error = #expect(throws: StorageError.self) { try folder.store().apply([edit]) }
            #expect(error?.code == .tooLarge)
        }
        let commit = try folder.store().apply([.clearAll])
        #expect(commit.table.values == [:])
        let aside = try #require(folder.names().first { $0.contains(".corrupt-") })
        #expect(commit.notice?.contains(aside) == true)
        #expect(try DurableFile.read(folder.path + "/" + aside, limit: .max)?.count == DurableFile.sizeLimit + 1)
        #expect(folder.store().read() == StoreReading(table: commit.table, condition: .sound))
        #expect(try folder.store().undo().table.values == ["a": "1"], "the value comes from the history")
    }

    @Test func `long history loses its older half`() throws {
        let text = String(repeating: "x", count: 400_000)
        for number in 1...20 { _ = try folder.store().apply([.set(key: "a", value: "\(number) \(text)")]) }
        #expect(try FileOperations.live.statusOfPath(folder.history).size < 9 * 1_048_576)
        let history = try folder.store().history()
        #expect(history.map(\.revision) == Array((21 - history.count...20).reversed()))
        #expect((5..<12).contains(history.count))
        try folder.write("damaged")
        #expect(
            folder.store().read().table.values == ["a": "20 \(text)"], "the shortened history still has the last values"
        )
        #expect(try folder.store().apply([.set(key: "b", value: "1")]).table.overrides.count == 2)
        for number in (18...19).reversed() {
            #expect(
                try folder.store().undo().table.values["a"] == (number == 19 ? "20" : "\(number + 1)") + " \(text)")
        }
    }

    @Test func `rejected write leaves the history unchanged`() throws {
        let text = String(repeating: "x", count: 1_000_000)
        var number = 0
        func size() -> Int { (try? FileOperations.live.statusOfPath(folder.history).size) ?? 0 }
        while size() <= 8 * 1_048_576 {
            number += 1
            _ = try folder.store().apply([.set(key: "a", value: "\(number) \(text)")])
        }
        let history = try folder.text(of: "history.jsonl")
        let tooLong = String(repeating: "x", count: StoreLimits.valueSize + 1)
        #expect(throws: StorageError.self) { try folder.store().apply([.set(key: "b", value: tooLong)]) }
        #expect(try folder.text(of: "history.jsonl") == history)
    }

    /// The removed record may belong to the next action to redo.
    @Test func `redo fails if the record is missing`() throws {
        for key in ["a", "b"] { _ = try folder.store().apply([.set(key: key, value: "2")]) }
        for _ in 1...2 { _ = try folder.store().undo() }
        let lines = try folder.text(of: "history.jsonl").split(separator: "\n").dropFirst()
        try folder.write(lines.joined(separator: "\n") + "\n", to: "history.jsonl")
        #expect(throws: StorageError.self) { try folder.store().redo() }
        #expect(folder.store().read().table.values == [:])
    }

    /// A process that has read a long history must notice that another process replaced it with a shorter history.
    @Test func `running store notices a shorter history`() throws {
        let (running, text) = (folder.store(), String(repeating: "x", count: 1_000_000))
        for number in 1...6 { _ = try running.apply([.set(key: "a", value: "\(number) \(text)")]) }
        for number in 7...8 { _ = try folder.store().apply([.set(key: "a", value: "\(number)")]) }
        #expect(try folder.store().history().count < 8)
        try folder.write("damaged")
        #expect(running.read().table.values == ["a": "8"])
    }

    /// As after a power cut that loses the unsynced end of the history, but not the synced overrides.
    @Test(arguments: [1, 2]) func `undo fails if the last records are missing`(_ lost: Int) throws {
        for value in ["1", "2", "3"] { _ = try folder.store().apply([.set(key: "a", value: value)]) }
        let lines = try folder.text(of: "history.jsonl").split(separator: "\n").dropLast(lost)
        try folder.write(lines.joined(separator: "\n") + "\n", to: "history.jsonl")
        for move in [{ try $0.undo() }, { try $0.redo() }] as [(OverrideStore) throws -> StoreCommit] {
            let error = try #require(throws: StorageError.self) { try move(folder.store()) }
            #expect(error.code == .nothingToUndo)
            #expect(
                error.sentence.hasPrefix(
                    "The last change of 'overrides.json' is not in 'history.jsonl', as after a power cut"))
        }
        #expect(folder.store().read().table.values == ["a": "3"])
        _ = try folder.store().apply([.set(key: "b", value: "1")])
        #expect(try folder.store().undo().table.values == ["a": "3"])
        #expect(throws: StorageError.self, "actions before the missing records cannot be undone") {
            try folder.store().undo()
        }
        #expect(folder.store().read().table.values == ["a": "3"])
    }

    /// Only the last records are read first; undoing an earlier action needs more.
    @Test func `undo reaches beyond the records that are read first`() throws {
        let text = String(repeating: "x", count: 8_000)
        for number in 1...60 { _ = try folder.store().apply([.set(key: "a", value: "\(number) \(text)")]) }
        for number in (10...59).reversed() {
            #expect(try folder.store().undo().table.values["a"]?.hasPrefix("\(number) ") == true)
        }
        for number in 11...20 {
            #expect(try folder.store().redo().table.values["a"]?.hasPrefix("\(number) ") == true)
        }
        #expect(try folder.store().history(limit: 3).map(\.redoes) == [20, 19, 18])
    }
}
