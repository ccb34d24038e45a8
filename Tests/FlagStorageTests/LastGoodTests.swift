import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// While the file cannot be read, only overrides that are known to be the last good ones are in use.
@Suite struct LastGoodTests {
    let folder = StoreFolder()

    /// One step before the file of the store is damaged.
    enum Step: Sendable {
        case set(String, String)
        /// Written by hand, with a given revision.
        case hand(revision: Int, String)
        case removed
        /// A record in the history of a change that never reached the file.
        case unreachedRecord
        case damaged(String)
    }

    /// Steps, and the values that a new process uses after them; `nil` if the process cannot know the last good values.
    static let cases: [(String, [Step], FlagTable<String>?)] = [
        ("the history alone", [.set("a", "1"), .set("b", "2")], ["a": "1", "b": "2"]),
        ("no history", [], nil),
        ("written by hand only", [.hand(revision: 7, "9")], nil),
        (
            "by hand before a change", [.set("a", "1"), .hand(revision: 1, "9"), .set("b", "2")],
            ["a": "9", "b": "2"]
        ),
        (
            "by hand at a revision that the history never had",
            [.set("a", "1"), .hand(revision: 40, "9"), .set("b", "2")], ["a": "9", "b": "2"]
        ),
        ("by hand without a revision", [.hand(revision: 0, "9"), .set("b", "2")], ["a": "9", "b": "2"]),
        ("removed before a change", [.set("a", "1"), .removed, .set("b", "2")], ["b": "2"]),
        (
            "after a record that the file never reached", [.set("a", "1"), .unreachedRecord, .set("b", "2")],
            ["a": "1", "b": "2"]
        ),
        ("after a repair", [.set("a", "1"), .damaged("x"), .set("b", "2")], ["a": "1", "b": "2"]),
        ("after a repair of an emptied file", [.set("a", "1"), .damaged(""), .set("b", "2")], ["b": "2"]),
        ("removed, then created empty", [.set("a", "1"), .removed, .damaged("")], nil),
    ]

    @Test(arguments: cases)
    func `new process uses the last good values`(_ name: String, steps: [Step], values: FlagTable<String>?) throws {
        for step in steps { try take(step) }
        if case .damaged = steps.last {} else { try folder.write("damaged") }
        let reading = folder.store().read()
        #expect(reading.table.values == values ?? [:])
        let sentence = try #require(reading.issue)
        #expect(reading.condition == .corrupt(sentence))
        let history = "The last good overrides stay in use, according to the history (2026-11-21T10:00:00Z);"
        #expect(sentence.contains(history) == (values != nil), "\(sentence)")
        #expect(sentence.contains("so none is in use;") == (values == nil), "\(sentence)")
        let commit = try folder.store().apply([.set(key: "z", value: "0")])
        #expect(commit.table.values == (values ?? [:]).merging(["z": "0"]) { $1 })
    }

    private func take(_ step: Step) throws {
        switch step {
        case .set(let key, let value): _ = try folder.store().apply([.set(key: key, value: value)])
        case .hand(let revision, let value):
            try folder.write(#"{"revision": \#(revision), "overrides": {"a": {"value": "\#(value)"}}}"#)
        case .removed: try FileManager.default.removeItem(atPath: folder.file)
        case .unreachedRecord:
            let file = try folder.text()
            _ = try folder.store().apply([.set(key: "never", value: "1")])
            try folder.write(file)
        case .damaged(let text): try folder.write(text)
        }
    }

    @Test func `running store uses its last read unless the history is newer`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        try folder.write(#"{"revision": 1, "overrides": {"a": {"value": "by hand"}}}"#)
        let running = folder.store()
        _ = running.read()
        try folder.write("damaged")
        #expect(running.read().table.values == ["a": "by hand"])
        #expect(folder.store().read().table.values == ["a": "1"], "a new process knows only the values of the history")
        _ = try folder.store(author: "bob").apply([.set(key: "b", value: "2")])
        try folder.write("damaged again")
        #expect(running.read().table.values == ["a": "1", "b": "2"])
    }

    /// A watch may read the file when the change of another process is in the history but not yet in the file.
    @Test func `change in history but not yet in file is not lost`() throws {
        let running = folder.store()
        _ = running.read()
        _ = try folder.store(author: "bob").apply([.set(key: "a", value: "1")])
        let written = try folder.text()
        try FileManager.default.removeItem(atPath: folder.file)
        _ = running.read()
        try folder.write(written)
        try folder.write("damaged")
        #expect(running.read().table.values == ["a": "1"])
    }

    @Test func `restored backup stays in use if it was read`() throws {
        let running = folder.store()
        _ = try running.apply([.set(key: "a", value: "1")])
        let backup = try folder.text()
        _ = try running.apply([.set(key: "a", value: "2")])
        try folder.write(backup)
        _ = running.read()
        try folder.write("damaged")
        #expect(running.read().table.values == ["a": "1"])
    }

    @Test func `pipe in place of the file means no overrides`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        try FileManager.default.removeItem(atPath: folder.file)
        #expect(mkfifo(folder.file, 0o600) == 0)
        let reading = folder.store().read()
        #expect(reading.table.values == [:])
        #expect(reading.issue?.hasSuffix("The last overrides are unknown, so none is in use.") == true)
    }

    @Test func `history is used if the file is inaccessible`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        var files = FileOperations.live
        files.open = { path, flags, mode throws(SystemError) in
            if path.hasSuffix("overrides.json") { throw SystemError(call: "open", code: EACCES) }
            return try FileOperations.live.open(path, flags, mode)
        }
        let reading = folder.store(files: files).read()
        #expect(reading.table.values == ["a": "1"])
        #expect(reading.issue?.hasPrefix("Permission denied: 'overrides.json' was not read.") == true)
        #expect(reading.issue?.contains("according to the history") == true)
    }

    /// The test vectors of FNV-1a.
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func `content hash matches test vectors`(_ text: String, _ digits: String) {
        #expect(FNV1a.digits(of: Array(text.utf8)) == digits)
    }
}
