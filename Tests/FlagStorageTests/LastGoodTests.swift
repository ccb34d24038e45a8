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
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let values: FlagTable<String>?
    }

    static let cases = [
        Case(
            testDescription: "the history alone", steps: [.set("a", "1"), .set("b", "2")], values: ["a": "1", "b": "2"]),
        Case(testDescription: "no history", steps: [], values: nil),
        Case(testDescription: "written by hand only", steps: [.hand(revision: 7, "9")], values: nil),
        Case(
            testDescription: "by hand before a change",
            steps: [.set("a", "1"), .hand(revision: 1, "9"), .set("b", "2")], values: ["a": "9", "b": "2"]),
        Case(
            testDescription: "by hand at a revision that the history never had",
            steps: [.set("a", "1"), .hand(revision: 40, "9"), .set("b", "2")], values: ["a": "9", "b": "2"]),
        Case(
            testDescription: "by hand without a revision", steps: [.hand(revision: 0, "9"), .set("b", "2")],
            values: ["a": "9", "b": "2"]),
        Case(
            testDescription: "removed before a change", steps: [.set("a", "1"), .removed, .set("b", "2")],
            values: ["b": "2"]),
        Case(
            testDescription: "after a record that the file never reached",
            steps: [.set("a", "1"), .unreachedRecord, .set("b", "2")], values: ["a": "1", "b": "2"]),
        Case(
            testDescription: "after a repair", steps: [.set("a", "1"), .damaged("x"), .set("b", "2")],
            values: ["a": "1", "b": "2"]),
        Case(
            testDescription: "after a repair of an emptied file",
            steps: [.set("a", "1"), .damaged(""), .set("b", "2")],
            values: ["b": "2"]),
        Case(
            testDescription: "removed, then created empty", steps: [.set("a", "1"), .removed, .damaged("")],
            values: nil),
    ]

    @Test(arguments: cases) func `new process uses the last good values`(_ testCase: Case) throws {
        for step in testCase.steps { try take(step) }
        if case .damaged = testCase.steps.last {} else { try folder.write("damaged") }
        let reading = folder.store().read()
        #expect(reading.table.values == testCase.values ?? [:])
        guard case .corrupt(let sentence) = reading.condition else {
            Issue.record("\(reading.condition)")
            return
        }
        let history = "The last good overrides stay in use, according to the history (2026-11-21T10:00:00Z);"
        #expect(sentence.contains(history) == (testCase.values != nil), "\(sentence)")
        #expect(sentence.contains("so none is in use;") == (testCase.values == nil), "\(sentence)")
        let commit = try folder.store().apply([.set(key: "z", value: "0")])
        #expect(commit.table.values == (testCase.values ?? [:]).merging(["z": "0"]) { $1 })
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
