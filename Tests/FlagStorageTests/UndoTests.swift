import FlagModel
import Foundation
import Testing

@testable import FlagStorage

@Suite struct UndoTests {
    /// One action on the store of a case.
    enum Step: Sendable {
        case ana(OverrideEdit)
        case bob(OverrideEdit)
        case undo, redo
        /// The file is written by hand.
        case hand(String)
    }

    /// The steps, the values after them, and the notice or the error of the last step.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let values: FlagTable<String>
        var notice: String?
        var rejection: StorageError.Code?
    }

    static let a1 = Step.ana(.set(key: "a", value: "1"))
    static let a2 = Step.bob(.set(key: "a", value: "2"))
    static let b1 = Step.bob(.set(key: "b", value: "1"))

    static let cases = [
        Case(testDescription: "nothing to undo", steps: [.undo], values: [:], rejection: .nothingToUndo),
        Case(testDescription: "nothing to redo", steps: [a1, .redo], values: ["a": "1"], rejection: .nothingToRedo),
        Case(testDescription: "undo a set", steps: [a1, .undo], values: [:]),
        Case(testDescription: "undo ends", steps: [a1, .undo, .undo], values: [:], rejection: .nothingToUndo),
        Case(testDescription: "redo", steps: [a1, .undo, .redo], values: ["a": "1"]),
        Case(
            testDescription: "redo ends", steps: [a1, .undo, .redo, .redo], values: ["a": "1"],
            rejection: .nothingToRedo),
        Case(testDescription: "undo brings the older value back", steps: [a1, a2, .undo], values: ["a": "1"]),
        Case(testDescription: "undo the other's action first", steps: [a1, b1, .undo], values: ["a": "1"]),
        Case(testDescription: "undo twice", steps: [a1, b1, .undo, .undo], values: [:]),
        Case(
            testDescription: "redo in the order of the actions",
            steps: [a1, a2, b1, .undo, .undo, .undo, .redo, .redo],
            values: ["a": "2"]),
        Case(testDescription: "undo, redo, undo", steps: [a1, a2, .undo, .redo, .undo], values: ["a": "1"]),
        Case(
            testDescription: "a new action empties redo", steps: [a1, .undo, b1, .redo], values: ["b": "1"],
            rejection: .nothingToRedo),
        Case(testDescription: "an undone action stays undone", steps: [a1, a2, .undo, b1, .undo, .undo], values: [:]),
        Case(testDescription: "undo a clear", steps: [a1, .bob(.clear(key: "a")), .undo], values: ["a": "1"]),
        Case(
            testDescription: "undo clear all", steps: [a1, b1, .ana(.clearAll), .undo], values: ["a": "1", "b": "1"]),
        Case(
            testDescription: "undo an import", steps: [a1, b1, .ana(.replaceAll(["a": "9", "c": "9"])), .undo],
            values: ["a": "1", "b": "1"]),
        Case(
            testDescription: "an edit that changes nothing is no action", steps: [a1, b1, a1, .undo], values: ["a": "1"]
        ),
        Case(
            testDescription: "a key changed by hand is kept", steps: [a1, .hand("7"), .undo], values: ["a": "7"],
            notice: #""a" was changed since and keeps "7"."#),
        Case(
            testDescription: "a key cleared by hand is kept clear", steps: [a1, a2, .hand(""), .undo], values: [:],
            notice: #""a" was reset since then and stays reset."#),
        Case(
            testDescription: "what cannot be undone is passed over", steps: [b1, a1, .hand("7"), .undo, .undo],
            values: ["a": "7"], notice: #""b" was reset since then and stays reset."#),
        Case(
            testDescription: "redo leaves a key alone that changed since", steps: [a1, .undo, .hand("7"), .redo],
            values: ["a": "7"], notice: #""a" was changed since and keeps "7"."#),
    ]

    @Test(arguments: cases) func `undo and redo`(_ testCase: Case) throws {
        let folder = StoreFolder()
        var last: Result<StoreCommit, StorageError>?
        for step in testCase.steps { last = try take(step, in: folder) ?? last }
        #expect(folder.store().read().table.values == testCase.values)
        switch try #require(last) {
        case .success(let commit): #expect(commit.notice == testCase.notice && testCase.rejection == nil)
        case .failure(let error): #expect(error.code == testCase.rejection)
        }
    }

    /// Runs each step with a new store, as after a restart.
    private func take(_ step: Step, in folder: StoreFolder) throws -> Result<StoreCommit, StorageError>? {
        switch step {
        case .ana(let edit): Result { () throws(StorageError) in try folder.store().apply([edit]) }
        case .bob(let edit): Result { () throws(StorageError) in try folder.store(author: "bob").apply([edit]) }
        case .undo: Result { () throws(StorageError) in try folder.store().undo() }
        case .redo: Result { () throws(StorageError) in try folder.store(author: "bob").redo() }
        case .hand(let value):
            try writeByHand(value, in: folder)
        }
    }

    private func writeByHand(_ value: String, in folder: StoreFolder) throws -> Result<StoreCommit, StorageError>? {
        let revision = folder.store().read().table.revision
        let entry = value.isEmpty ? "" : #""a": {"value": "\#(value)"}"#
        try folder.write(#"{"format": 1, "revision": \#(revision), "overrides": {\#(entry)}}"#)
        return nil
    }

    @Test func `undo restores author time and unknown members`() throws {
        let folder = StoreFolder()
        let entry = """
            {
                  "value": "1",
                  "setAt": "2020-02-29T23:59:59Z",
                  "setBy": "eva",
                  "ticket": [1,
                    2]
                }
            """
        try folder.write("{\"overrides\": {\"a\": \(entry)}}")
        _ = try folder.store().apply([.clear(key: "a")])
        let commit = try folder.store().undo()
        let eva = FlagOverride(value: "1", setAt: FlagTimestamp(rfc3339: "2020-02-29T23:59:59Z"), setBy: "eva")
        #expect(commit.table.overrides == ["a": eva])
        #expect(
            try folder.text().contains(#""ticket": [1,         2]"#), "the member comes from the history, on one line")
    }

    @Test func `undo skips keys changed since`() throws {
        let folder = StoreFolder()
        _ = try folder.store().apply((1...8).map { .set(key: "k\($0)", value: "1") })
        try folder.write(#"{"revision": 1, "overrides": {"k1": {"value": "1"}}}"#)
        let commit = try folder.store().undo()
        #expect(commit.table.values == [:])
        #expect(commit.changes.map(\.key) == ["k1"])
        let notice = try #require(commit.notice)
        #expect(notice.hasPrefix(#""k2" was reset since then and stays reset. "k3""#))
        #expect(notice.hasSuffix("2 more keys were changed since and keep their values."))
        #expect(try folder.store().redo().table.values == ["k1": "1"])
    }

    @Test func `change without history record is saved with a notice`() throws {
        let folder = StoreFolder()
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        try FileManager.default.removeItem(atPath: folder.history)
        try FileManager.default.createDirectory(atPath: folder.history, withIntermediateDirectories: false)
        let commit = try folder.store().apply([.set(key: "a", value: "2")])
        #expect(commit.notice?.contains(folder.history) == true)
        #expect(folder.store().read().table.values == ["a": "2"])
        #expect(throws: StorageError.self) { try folder.store().undo() }
        #expect(folder.store().read().table.values == ["a": "2"])
    }

    @Test func `undo(to:) undoes an action and all later ones, of every author`() throws {
        let folder = StoreFolder()
        let (ana, bob) = (folder.store(author: "ana"), folder.store(author: "bob"))
        _ = try ana.apply([.set(key: "a", value: "1")])
        _ = try bob.apply([.set(key: "b", value: "1")])
        _ = try ana.apply([.set(key: "b", value: "2")])
        _ = try ana.apply([.set(key: "c", value: "1")])
        let commit = try bob.undo(to: 2)
        #expect(commit.table.overrides.mapValues(\.value) == ["a": "1"])
        #expect(commit.changes.map(\.key) == ["b", "c"] && commit.changes.map(\.old?.value) == ["2", "1"])
        #expect(commit.changes.allSatisfy { $0.new == nil }, "the two changes of b are listed as one")
        #expect(try ana.redo().table.overrides.mapValues(\.value) == ["a": "1", "b": "1"])
        #expect(throws: StorageError.self) { try ana.undo(to: 4) }
        #expect(throws: StorageError.self) { try ana.undo(to: 99) }
        #expect(ana.read().table.overrides.mapValues(\.value) == ["a": "1", "b": "1"])
    }

    /// Compares the history of 300 random actions by two stores with a list of tables.
    @Test func `random actions match a list of tables`() throws {
        let folder = StoreFolder()
        let stores = [folder.store(), folder.store(author: "bob")]
        var (past, now, future): ([FlagTable<String>], FlagTable<String>, [FlagTable<String>]) = ([], [:], [])
        for _ in 0..<300 {
            let store = stores[Int.random(in: 0...1)]
            switch Int.random(in: 0..<10) {
            case 0..<3:
                guard let before = past.popLast() else { continue }
                future.append(now)
                now = before
                #expect(try store.undo().table.values == now)
            case 3..<5:
                guard let after = future.popLast() else { continue }
                past.append(now)
                now = after
                #expect(try store.redo().table.values == now)
            default:
                let (key, value) = ("k\(Int.random(in: 0..<4))", "\(Int.random(in: 0..<1000))")
                let edit: OverrideEdit = Int.random(in: 0..<8) == 0 ? .clearAll : .set(key: key, value: value)
                let commit = try store.apply([edit])
                if commit.record == nil { continue }
                past.append(now)
                now = commit.table.values
                future = []
            }
        }
        #expect(folder.store().read().table.values == now)
    }
}
