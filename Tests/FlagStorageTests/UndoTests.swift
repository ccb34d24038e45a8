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

    /// How the last step of a case ends.
    enum Ending: Sendable {
        case saved
        case notice(String)
        case error(StorageError.Code)
    }

    static let a1 = Step.ana(.set(key: "a", value: "1"))
    static let a2 = Step.bob(.set(key: "a", value: "2"))
    static let b1 = Step.bob(.set(key: "b", value: "1"))

    /// Steps, the values after them, and the end of the last step.
    static let cases: [(String, [Step], FlagTable<String>, Ending)] = [
        ("nothing to undo", [.undo], [:], .error(.nothingToUndo)),
        ("nothing to redo", [a1, .redo], ["a": "1"], .error(.nothingToRedo)),
        ("undo a set", [a1, .undo], [:], .saved),
        ("undo ends", [a1, .undo, .undo], [:], .error(.nothingToUndo)),
        ("redo", [a1, .undo, .redo], ["a": "1"], .saved),
        ("redo ends", [a1, .undo, .redo, .redo], ["a": "1"], .error(.nothingToRedo)),
        ("undo brings the older value back", [a1, a2, .undo], ["a": "1"], .saved),
        ("undo the other's action first", [a1, b1, .undo], ["a": "1"], .saved),
        ("undo twice", [a1, b1, .undo, .undo], [:], .saved),
        ("redo in the order of the actions", [a1, a2, b1, .undo, .undo, .undo, .redo, .redo], ["a": "2"], .saved),
        ("undo, redo, undo", [a1, a2, .undo, .redo, .undo], ["a": "1"], .saved),
        ("a new action empties redo", [a1, .undo, b1, .redo], ["b": "1"], .error(.nothingToRedo)),
        ("an undone action stays undone", [a1, a2, .undo, b1, .undo, .undo], [:], .saved),
        ("undo a clear", [a1, .bob(.clear(key: "a")), .undo], ["a": "1"], .saved),
        ("undo clear all", [a1, b1, .ana(.clearAll), .undo], ["a": "1", "b": "1"], .saved),
        ("undo an import", [a1, b1, .ana(.replaceAll(["a": "9", "c": "9"])), .undo], ["a": "1", "b": "1"], .saved),
        ("an edit that changes nothing is no action", [a1, b1, a1, .undo], ["a": "1"], .saved),
        (
            "a key changed by hand is kept", [a1, .hand("7"), .undo], ["a": "7"],
            .notice(#""a" was changed since and keeps "7"."#)
        ),
        (
            "a key cleared by hand is kept clear", [a1, a2, .hand(""), .undo], [:],
            .notice(#""a" was reset since then and stays reset."#)
        ),
        (
            "what cannot be undone is passed over", [b1, a1, .hand("7"), .undo, .undo], ["a": "7"],
            .notice(#""b" was reset since then and stays reset."#)
        ),
        (
            "redo leaves a key alone that changed since", [a1, .undo, .hand("7"), .redo], ["a": "7"],
            .notice(#""a" was changed since and keeps "7"."#)
        ),
    ]

    private let folder = StoreFolder()

    @Test(arguments: cases)
    func `undo and redo`(_ name: String, steps: [Step], values: FlagTable<String>, ending: Ending) throws {
        var last: Result<StoreCommit, StorageError>?
        for step in steps { last = try take(step) ?? last }
        #expect(folder.store().read().table.values == values)
        switch (try #require(last), ending) {
        case (.success(let commit), .saved): #expect(commit.notice == nil)
        case (.success(let commit), .notice(let notice)): #expect(commit.notice == notice)
        case (.failure(let error), .error(let code)): #expect(error.code == code)
        case (let result, _): Issue.record("\(result)")
        }
    }

    /// Runs each step with a new store, as after a restart.
    private func take(_ step: Step) throws -> Result<StoreCommit, StorageError>? {
        switch step {
        case .ana(let edit): Result { () throws(StorageError) in try folder.store().apply([edit]) }
        case .bob(let edit): Result { () throws(StorageError) in try folder.store(author: "bob").apply([edit]) }
        case .undo: Result { () throws(StorageError) in try folder.store().undo() }
        case .redo: Result { () throws(StorageError) in try folder.store(author: "bob").redo() }
        case .hand(let value): try writeByHand(value)
        }
    }

    private func writeByHand(_ value: String) throws -> Result<StoreCommit, StorageError>? {
        let revision = folder.store().read().table.revision
        let entry = value.isEmpty ? "" : #""a": {"value": "\#(value)"}"#
        try folder.write(#"{"format": 1, "revision": \#(revision), "overrides": {\#(entry)}}"#)
        return nil
    }

    @Test func `undo restores author time and unknown members`() throws {
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
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        try FileManager.default.removeItem(atPath: folder.history)
        try FileManager.default.createDirectory(atPath: folder.history, withIntermediateDirectories: false)
        #expect(try folder.store().apply([.set(key: "a", value: "2")]).notice?.contains(folder.history) == true)
        #expect(throws: StorageError.self) { try folder.store().undo() }
        #expect(folder.store().read().table.values == ["a": "2"])
    }

    @Test func `undo(to:) undoes an action and all later ones, of every author`() throws {
        let (ana, bob) = (folder.store(author: "ana"), folder.store(author: "bob"))
        _ = try ana.apply([.set(key: "a", value: "1")])
        _ = try bob.apply([.set(key: "b", value: "1")])
        _ = try ana.apply([.set(key: "b", value: "2")])
        _ = try ana.apply([.set(key: "c", value: "1")])
        let commit = try bob.undo(to: 2)
        #expect(commit.table.values == ["a": "1"])
        #expect(commit.changes.map(\.key) == ["b", "c"] && commit.changes.map(\.old?.value) == ["2", "1"])
        #expect(commit.changes.allSatisfy { $0.new == nil }, "the two changes of b are listed as one")
        #expect(try ana.redo().table.values == ["a": "1", "b": "1"])
        #expect(try ana.history(limit: 2).map(\.action) == ["redo", "undo"])
        #expect(throws: StorageError.self) { try ana.undo(to: 4) }
        #expect(throws: StorageError.self) { try ana.undo(to: 99) }
        #expect(ana.read().table.values == ["a": "1", "b": "1"])
    }

    @Test func `undo(to:) has the notices of all undos`() throws {
        let store = folder.store()
        for key in ["a", "b", "c"] { _ = try store.apply([.set(key: key, value: "1")]) }
        let text = try String(contentsOfFile: folder.file, encoding: .utf8)
        let place = try #require(text.range(of: #""c": {"#))
        let value = try #require(text.range(of: #""value": "1""#, range: place.upperBound..<text.endIndex))
        try folder.write(text.replacingCharacters(in: value, with: #""value": "2""#))
        let commit = try store.undo(to: 1)
        #expect(commit.table.values == ["c": "2"])
        #expect(commit.notice?.contains(#""c" was changed since"#) == true, "\(commit.notice ?? "")")
    }

    /// Compares the history of 300 random actions by two stores with a list of tables.
    @Test func `random actions match a list of tables`() throws {
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

    @Test func `one author's undo takes back only what that author has done`() throws {
        let (ana, robot) = (folder.store(), folder.store(author: "robot"))
        _ = try robot.apply([.set(key: "a", value: "1"), .set(key: "b", value: "1")])
        _ = try ana.apply([.set(key: "a", value: "2")])
        _ = try ana.apply([.set(key: "c", value: "2")])
        let error = #expect(throws: StorageError.self) { try robot.undo(by: "robot", expecting: nil) }
        #expect(error?.description.contains("\"a\" was changed since by \"ana\"") == true)
        #expect(throws: StorageError.self) { try robot.undo(by: "robot", expecting: nil, isDryRun: true) }
        _ = try robot.apply([.set(key: "d", value: "1")])
        _ = try ana.undo(by: "ana", expecting: 4)
        #expect(robot.read().table.overrides.mapValues(\.value) == ["a": "2", "b": "1", "d": "1"])
        _ = try ana.undo(to: 2)
        #expect(try robot.undo(by: "robot", expecting: nil, isDryRun: true).table.overrides.isEmpty)
        #expect(try robot.undo(by: "robot", expecting: nil).table.overrides.isEmpty)
        #expect(throws: StorageError.self) { try robot.undo(by: "robot", expecting: nil) }
        #expect(throws: StorageError.self) { try robot.undo(by: nil, expecting: nil, isDryRun: true) }
    }

    @Test func `all of one author's changes are taken back, except those that others have changed since`() throws {
        let (ana, robot) = (folder.store(), folder.store(author: "robot"))
        _ = try ana.apply([.set(key: "theme", value: "dark")])
        _ = try robot.apply([.set(key: "theme", value: "light")])
        _ = try robot.apply([.set(key: "a", value: "1")])
        _ = try robot.apply([.set(key: "b", value: "1")])
        _ = try ana.apply([.note(key: "a", "keep this")])
        let expected: FlagTable<String> = ["theme": "dark", "a": "1"]
        #expect(try robot.undoneAll(by: "robot").overrides.mapValues(\.value) == expected)
        #expect(try robot.undoAll(by: "robot")?.overrides.mapValues(\.value) == expected)
        let table = ana.read().table
        #expect(table.overrides["a"]?.note == "keep this" && table.overrides["theme"]?.setBy == "ana")
        let error = #expect(throws: StorageError.self) { try robot.undoAll(by: "robot") }
        #expect(error?.code == .refused && error?.description.contains("\"a\" was changed since by") == true)
        #expect(try folder.store(author: "nobody").undoAll(by: "nobody") == nil)
    }

    @Test func `an undo that expects another revision changes nothing`() throws {
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1")])
        _ = try store.apply([.set(key: "a", value: "2")])
        #expect(throws: StorageError.self) { try store.undo(by: nil, expecting: 1) }
        #expect(store.read().table.overrides["a"]?.value == "2")
        #expect(try store.undo(by: nil, expecting: 2, isDryRun: true).changes.map(\.new?.value) == ["1"])
        #expect(try store.undo(by: nil, expecting: 2).table.overrides["a"]?.value == "1")
    }

    @Test func `a write that expects another revision changes nothing, not even a damaged file`() throws {
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1")])
        _ = try store.apply([.set(key: "a", value: "2")])
        try folder.write("{")
        let error = #expect(throws: StorageError.self) {
            try store.apply([.set(key: "a", value: "3")], expecting: 1)
        }
        #expect(error?.description.contains("have revision 2 by now, not 1") == true)
        #expect(try store.apply([.set(key: "a", value: "3")], expecting: 2, isDryRun: true).table.values == ["a": "3"])
        #expect(try folder.text() == "{" && folder.names() == ["history.jsonl", "overrides.json", "overrides.lock"])
        #expect(try store.apply([.set(key: "a", value: "3")], expecting: 2).table.values == ["a": "3"])
    }
}
