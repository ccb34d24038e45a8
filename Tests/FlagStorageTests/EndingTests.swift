import FlagModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagStorage

/// Notes, ends and the applied scenario in a store.
@Suite(.mayBlock) struct EndingTests {
    private let folder = StoreFolder()
    private let clock = StoreClock()
    private var store: OverrideStore { folder.store(clock: clock) }
    private var bob: OverrideStore { folder.store(author: "bob", clock: clock) }

    /// Overrides `a` for an hour, and says why.
    private func setForAnHour(_ value: String = "1") throws {
        _ = try store.apply([
            .set(key: "a", value: value), .note(key: "a", "why"), .end(key: "a", .lasting(.seconds(3_600))),
        ])
    }

    private var override: FlagOverride? { store.read().table.overrides["a"] }

    @Test func `note and end are in the documented format`() throws {
        try setForAnHour()
        #expect(
            try folder.text() == """
                {
                  "format": 2,
                  "revision": 1,
                  "overrides": {
                    "a": {
                      "value": "1",
                      "setAt": "2026-11-21T10:00:00Z",
                      "setBy": "ana",
                      "note": "why",
                      "endsAt": "2026-11-21T11:00:00Z",
                      "endsAfterBoot": {
                        "boot": "a",
                        "milliseconds": 3601000
                      }
                    }
                  }
                }

                """)
        #expect(override?.note == "why" && override?.end == OverrideEnd(after: .seconds(3_600), at: clock.reading))
    }

    @Test func `an ended override is hidden, and the next writer removes it with a record by time`() throws {
        try setForAnHour()
        clock.pass(3_599)
        #expect(override != nil)
        let text = try folder.text()
        clock.pass(1)
        #expect(store.read().table.overrides.isEmpty)
        #expect(try folder.text() == text, "a reader writes nothing")
        let commit = try bob.apply([.set(key: "b", value: "2")])
        #expect(commit.table.values == ["b": "2"] && commit.changes.map(\.key) == ["b"])
        let history = try store.history()
        #expect(history.map(\.by) == ["bob", HistoryRecord.timeAuthor, "ana"])
        #expect(history.map(\.action) == ["set", "end a", "set"] && history.map(\.revision) == [3, 2, 1])
        #expect(history[1].changes.map(\.key) == ["a"] && history[1].changes[0].new == nil)
        _ = try store.apply([.set(key: "b", value: "3")])
        #expect(try store.history().count == 4, "it ends once")
    }

    @Test func `an author's undo passes over an override that has ended`() throws {
        let robot = folder.store(author: "robot", clock: clock)
        _ = try robot.apply([.set(key: "b", value: "1")])
        _ = try robot.apply([.set(key: "a", value: "1"), .end(key: "a", .lasting(.seconds(60)))])
        clock.pass(60)
        _ = try bob.apply([.set(key: "c", value: "2")])
        #expect(try robot.undoneAll(by: "robot").values == ["c": "2"])
        let commit = try robot.undo(by: "robot", expecting: nil)
        #expect(commit.isEmpty && commit.notice?.contains("\"a\" was reset since") == true)
        #expect(try robot.undo(by: "robot", expecting: nil).changes.map(\.key) == ["b"])
        #expect(store.read().table.values == ["c": "2"])
    }

    @Test func `several overrides end with one record`() throws {
        for key in ["c", "a", "b"] {
            _ = try store.apply([.set(key: key, value: "1"), .end(key: key, .lasting(.seconds(60)))])
        }
        clock.pass(60)
        _ = try store.apply([.set(key: "d", value: "1")])
        let record = try store.history()[1]
        #expect(record.action == "end 3 overrides" && record.changes.map(\.key) == ["a", "b", "c"])
    }

    @Test func `undo brings an ended override back without an end`() throws {
        try setForAnHour()
        clock.pass(3_600)
        _ = try store.apply([.set(key: "b", value: "2")])
        _ = try store.undo()
        let commit = try store.undo()
        #expect(commit.changes.map(\.key) == ["a"] && override?.end == nil && override?.note == "why")
        clock.pass(1_000_000)
        #expect(override?.value == "1")
        _ = try store.redo()
        #expect(override == nil)
    }

    @Test func `before any writer came, undo brings back what has ended, and then goes on`() throws {
        _ = try store.apply([.set(key: "b", value: "2")])
        try setForAnHour()
        clock.pass(3_600)
        let commit = try store.undo()
        #expect(commit.changes.map(\.sentence) == [#"a: not set -> 1, note "why""#])
        #expect(override?.value == "1" && override?.end == nil)
        #expect(try store.history().map(\.action) == ["undo", "end a", "set", "set"])
        #expect(try store.undo().table.values == ["b": "2"])
        #expect(try store.undo().table.values == [:])
        for values in [["b": "2"], ["a": "1", "b": "2"], ["b": "2"]] as [FlagTable<String>] {
            #expect(try store.redo().table.values == values)
        }
        #expect(throws: StorageError.self) { try store.redo() }
    }

    @Test func `undo of an end keeps the override`() throws {
        _ = try store.apply([.set(key: "a", value: "1")])
        _ = try store.apply([.end(key: "a", .lasting(.seconds(60)))])
        clock.pass(60)
        #expect(override == nil)
        #expect(try store.undo().table.overrides["a"]?.end == nil)
        #expect(override?.value == "1")
    }

    @Test func `redo lets what has ended end, and is possible after an end`() throws {
        try setForAnHour()
        _ = try store.apply([.set(key: "b", value: "2")])
        _ = try store.undo()
        clock.pass(3_600)
        #expect(try store.redo().table.values == ["b": "2"], "an end is nobody's action")
        #expect(try store.history().map(\.action) == ["redo", "end a", "undo", "set", "set"])
        #expect(try store.undo().table.values == [:])
        #expect(try store.undo().table.values == ["a": "1"])
    }

    @Test func `undo of several changes lets what has ended end`() throws {
        try setForAnHour()
        for key in ["b", "c"] { _ = try store.apply([.set(key: key, value: "2")]) }
        clock.pass(3_600)
        let commit = try store.undo(to: 2)
        #expect(commit.table.values == [:] && commit.changes.map(\.key) == ["b", "c"])
        #expect(try store.history().map(\.action) == ["undo", "undo", "end a", "set", "set", "set"])
        #expect(try store.undo().table.values == ["a": "1"])
    }

    @Test func `undo never brings a past end back`() throws {
        try setForAnHour("1")
        _ = try store.apply([.set(key: "a", value: "2")])
        clock.pass(3_600)
        #expect(override?.value == "2", "setting again has dropped the end")
        _ = try store.undo()
        #expect(override?.value == "1" && override?.end == nil)
    }

    @Test func `undo brings an end back that is still to come`() throws {
        try setForAnHour()
        _ = try store.apply([.clear(key: "a")])
        clock.pass(1_800)
        _ = try store.undo()
        #expect(override?.end?.time == FlagTimestamp(seconds: StoreFolder.time.seconds + 3_600))
        clock.pass(1_800)
        #expect(override == nil)
    }

    @Test func `setting the same value again drops the end and keeps the note`() throws {
        try setForAnHour()
        let commit = try store.apply([.set(key: "a", value: "1")])
        #expect(commit.changes.count == 1 && override?.end == nil && override?.note == "why")
        #expect(try store.apply([.note(key: "a", "")]).record?.action == "note a")
        #expect(override?.note == nil)
        #expect(try store.apply([.end(key: "a", .lasting(.seconds(9)))]).record?.action == "end a")
        #expect(try store.apply([.end(key: "nosuch", .lasting(.seconds(9)))]).record == nil)
    }

    @Test func `a changed wall clock neither ends a duration nor delays it`() throws {
        try setForAnHour()
        clock.setWall(by: 86_400)
        #expect(override?.end?.time == FlagTimestamp(seconds: StoreFolder.time.seconds + 90_000))
        clock.pass(3_600)
        #expect(override == nil)
        clock.setWall(by: -200_000)
        #expect(override == nil)
        _ = try store.apply([.set(key: "b", value: "1")])
        #expect(try store.history().map(\.action) == ["set", "end a", "set"])
    }

    @Test func `a writer corrects the wall clock's time for the next boot`() throws {
        try setForAnHour()
        clock.setWall(by: 86_400)
        _ = try store.apply([.set(key: "b", value: "1")])
        clock.reboot()
        clock.pass(3_599)
        #expect(override != nil)
        clock.pass(1)
        #expect(override == nil)
    }

    @Test func `an override until the restart ends with the last of its processes`() throws {
        var apps = [try announce("one"), try announce("two")]
        _ = try store.apply([.set(key: "a", value: "1"), .end(key: "a", .untilRestart)])
        #expect(override?.end == .restart(of: ["one", "two"]))
        apps.append(try announce("three"))
        apps.removeFirst()
        #expect(override != nil)
        // Undo of a reset finds out which processes run, although no override ends with processes meanwhile.
        _ = try store.apply([.clear(key: "a")])
        _ = try store.undo()
        #expect(override?.end == .restart(of: ["one", "two"]))
        apps.removeFirst()
        // A process that another test starts has the lock, too, until it calls exec.
        #expect(Clock.wait { override == nil })
        _ = try store.apply([.set(key: "b", value: "1")])
        #expect(try store.history()[1].by == HistoryRecord.timeAuthor)
        withExtendedLifetime(apps) {}
    }

    @Test func `without a running process, an override until the restart stays`() throws {
        let commit = try store.apply([.set(key: "a", value: "1"), .end(key: "a", .untilRestart)])
        #expect(commit.notice == "No app has announced itself here, so nothing ends when it restarts.")
        #expect(override == FlagOverride(value: "1", setAt: StoreFolder.time, setBy: "ana"))
    }

    /// Otherwise a process without a free descriptor would end overrides of running apps.
    @Test func `a process counts as running if nobody can tell`() throws {
        let app = try announce("one")
        _ = try store.apply([.set(key: "a", value: "1"), .end(key: "a", .untilRestart)])
        for step in 0..<FaultTests.stepLimit {
            let plan = FaultPlan(step: step, .error(EMFILE))
            let reading = folder.store(files: .live(failing: plan), clock: clock).read()
            guard plan.calls.count > step else { return withExtendedLifetime(app) {} }
            #expect(reading.table.values == ["a": "1"] || reading.condition != .sound, "\(plan.calls[step])")
        }
        Issue.record("the reading never ended")
    }

    private func announce(_ id: String) throws -> ProcessLock {
        let path = FilePath.join(AppFolders.running(in: folder.path), id + AppFolders.announcementSuffix)
        return try #require(try ProcessLock(path))
    }

    @Test func `a damaged file keeps notes and ends of the history`() throws {
        try setForAnHour()
        try folder.write("{ damaged")
        #expect(override?.note == "why" && override?.end != nil)
        clock.pass(3_600)
        #expect(override == nil)
        #expect(try store.apply([.set(key: "b", value: "1")]).table.values == ["b": "1"])
        #expect(try store.undo().table.values == [:])
    }

    @Test func `unknown members of an entry stay with note and end`() throws {
        try folder.write(
            #"{"format": 2, "overrides": {"a": {"value": "1", "ticket": 7, "endsAt": "soon", "note": 3}}}"#)
        _ = try store.apply([.set(key: "b", value: "1")])
        let text = try folder.text()
        #expect([#""ticket": 7"#, #""endsAt": "soon""#, #""note": 3"#].allSatisfy { text.contains($0) })
        _ = try store.apply([.note(key: "a", "why"), .end(key: "a", .lasting(.seconds(60)))])
        #expect(try folder.text().contains("\"ticket\": 7") && !folder.text().contains("soon"))
        #expect(override?.note == "why" && override?.end != nil)
        clock.pass(60)
        _ = try store.apply([.clear(key: "b")])
        _ = try store.undo(to: 3)
        #expect(try folder.text().contains("\"ticket\": 7"))
        #expect(override?.note == "why" && override?.end == nil)
    }

    /// Earlier versions know only value, author and time of an entry, and skip what they do not know in the history.
    @Test func `overrides and history keep the shape of earlier versions`() throws {
        try setForAnHour()
        _ = try store.apply([scenario(["a": "1"])])
        let root = try JSONDocument(parsing: Array(try folder.text().utf8)).root
        #expect(root["overrides"]?["a"]?["value"]?.text?.string == "1")
        let line = try #require(try folder.text(of: "history.jsonl").split(separator: "\n").last)
        let changes = try #require(try JSONDocument(parsing: Array(line.utf8)).root["changes"])
        #expect(changes.elements.allSatisfy { $0["key"] == nil && $0["source"] == nil })
    }

    // The applied scenario.

    private func scenario(_ values: FlagTable<String>, _ name: String = "checkout") -> OverrideEdit {
        .applyScenario(AppliedScenario(name: name, overrides: values))
    }

    @Test func `applying a scenario is one record and one undo`() throws {
        _ = try store.apply([.set(key: "a", value: "0"), .set(key: "z", value: "0")])
        let values: FlagTable<String> = ["a": "1", "b": "2"]
        let commit = try store.apply([.replaceAll(values), scenario(values)])
        #expect(commit.record?.action == "scenario checkout" && commit.table.scenarioWords == "checkout")
        #expect(store.read().table == commit.table)
        _ = try store.apply([.set(key: "b", value: "3")])
        #expect(store.read().table.scenarioWords == "checkout +1")
        _ = try store.undo()
        #expect(try store.undo().table.scenario == nil)
        #expect(store.read().table.values == ["a": "0", "z": "0"] && store.read().table.scenario == nil)
        #expect(try store.redo().table.scenarioWords == "checkout" && store.read().table.values == values)
    }

    @Test func `the scenario before comes back`() throws {
        _ = try store.apply([.set(key: "a", value: "1"), scenario(["a": "1"], "one")])
        _ = try store.apply([.set(key: "a", value: "2"), scenario(["a": "2"], "two")])
        #expect(try store.undo().table.scenario?.name == "one")
        #expect(try store.redo().table.scenario?.name == "two")
    }

    @Test(arguments: [.clearAll, .replaceAll(["b": "1"])] as [OverrideEdit])
    func `resetting and replacing everything forgets the scenario`(_ edit: OverrideEdit) throws {
        _ = try store.apply([.set(key: "a", value: "1"), scenario(["a": "1"])])
        #expect(try store.apply([edit]).table.scenario == nil)
        #expect(store.read().table.scenario == nil)
        #expect(try store.undo().table.scenarioWords == "checkout")
    }

    @Test func `a scenario alone is a change, and the same one again is none`() throws {
        #expect(try store.apply([scenario([:])]).record?.action == "scenario checkout")
        #expect(try store.apply([scenario([:])]).record == nil)
        #expect(try store.undo().table.scenario == nil)
    }

    @Test func `a member that is no scenario stays until one is applied`() throws {
        try folder.write(#"{"format": 2, "overrides": {}, "scenario": "mine", "later": 1}"#)
        _ = try store.apply([.set(key: "a", value: "1")])
        #expect(try folder.text().contains(#""scenario": "mine""#))
        _ = try store.apply([scenario(["a": "1"])])
        #expect(store.read().condition == .sound && store.read().table.scenarioWords == "checkout")
        #expect(try folder.text().contains(#""later": 1"#))
    }
}

/// A wall clock, and the time since the boot, which a test moves.
final class StoreClock: Sendable {
    private struct State {
        var wall = StoreFolder.time
        var boot = "a"
        var milliseconds: Int64 = 1_000
    }

    private let state = Mutex(State())

    @Sendable func now() -> FlagTimestamp { state.withLock { $0.wall } }

    @Sendable func machineTime() -> MachineTime? {
        state.withLock { MachineTime(boot: $0.boot, milliseconds: $0.milliseconds) }
    }

    var reading: ClockReading { ClockReading(now: now(), machine: machineTime()) }

    func pass(_ seconds: Int64) {
        state.withLock {
            $0.wall.seconds += seconds
            $0.milliseconds += seconds * 1_000
        }
    }

    func setWall(by seconds: Int64) { state.withLock { $0.wall.seconds += seconds } }

    func reboot() { state.withLock { ($0.boot, $0.milliseconds) = ($0.boot + "a", 0) } }
}

extension StoreFolder {
    func store(author: String = "ana", files: FileOperations = .live, clock: StoreClock) -> OverrideStore {
        OverrideStore(directory: path, author: author, now: clock.now, machineTime: clock.machineTime, files: files)
    }
}
