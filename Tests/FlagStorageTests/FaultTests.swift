import FlagModel
import Foundation
import TestSupport
import Testing

@testable import FlagStorage

/// Injects a fault into each system call of a write in turn.
@Suite(.slow) struct FaultTests {
    static let codes = [ENOSPC, EIO, EROFS, EACCES, EDQUOT, EMFILE]
    /// More than the calls of any write; the loops end before it.
    static let stepLimit = 200

    /// Sets `a` from 1 to 2 with a fault; returns the result and the system calls.
    private func attempt(
        _ step: Int, _ fault: FaultPlan.Fault, in folder: StoreFolder
    ) throws -> (result: Result<StoreCommit, StorageError>, plan: FaultPlan) {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let plan = FaultPlan(step: step, fault)
        let store = folder.store(files: .live(failing: plan))
        return (Result { () throws(StorageError) in try store.apply([.set(key: "a", value: "2")]) }, plan)
    }

    /// Makes an attempt with the fault at each call of the write in turn, and checks its result.
    private func atEachCall(
        _ fault: FaultPlan.Fault,
        _ check: (_ folder: StoreFolder, _ result: Result<StoreCommit, StorageError>, _ call: Comment) throws -> Void
    ) throws {
        for step in 0..<Self.stepLimit {
            let folder = StoreFolder()
            let (result, plan) = try attempt(step, fault, in: folder)
            guard plan.calls.count > step else { return }
            try check(folder, result, "\(plan.calls[step]), step \(step)")
        }
        Issue.record("the write never ended")
    }

    private func leftovers(in folder: StoreFolder) throws -> [String] {
        try folder.names().filter { $0.hasSuffix(".tmp") }
    }

    @Test(arguments: codes) func `error at any call leaves the old or the new file`(_ code: Int32) throws {
        try atEachCall(.error(code)) { folder, result, call throws in
            let values = folder.store().read().table.values
            switch result {
            case .success: #expect(values == ["a": "2"], call)
            case .failure(let error):
                #expect(values == ["a": "1"], call)
                #expect(error.path.hasPrefix(folder.path) && error.sentence.contains(folder.file), call)
                #expect(error.sentence.contains(SystemError(call: "", code: code).text), call)
            }
            #expect(try leftovers(in: folder) == [], call)
            #expect(try folder.store().apply([.set(key: "a", value: "3")]).table.values == ["a": "3"], call)
            #expect(try folder.store().undo().table.values == values, call)
        }
    }

    /// A write succeeds without the lock holder's name, the sweep, the history and the steps after the rename.
    ///
    /// A process that another test starts inherits this lock until it calls exec, and a write that waits for the lock
    /// makes more calls. Such an attempt is repeated, because another call has the index of the step.
    @Test func `write tolerates only these failures`() throws {
        let attempts = try (0..<5).map { _ in try attempt(-1, .error(EIO), in: StoreFolder()).plan.calls }
        let calls = try #require(attempts.min { $0.count < $1.count })
        var tolerated: [String] = []
        for step in calls.indices {
            var (result, plan) = try attempt(step, .error(EIO), in: StoreFolder())
            for _ in 0..<100 where plan.calls.prefix(step + 1) != calls.prefix(step + 1) {
                (result, plan) = try attempt(step, .error(EIO), in: StoreFolder())
            }
            try #require(plan.calls.prefix(step + 1) == calls.prefix(step + 1))
            guard case .success(let commit) = result else { continue }
            tolerated.append(calls[step] + (commit.notice == nil ? "" : " (noticed)"))
        }
        #expect(
            tolerated == [
                "truncate", "write", "names", "close", "statusOfPath", "statusOfPath (noticed)",
                "open history.json (noticed)", "status (noticed)", "seek (noticed)", "status (noticed)",
                "read (noticed)", "read (noticed)", "write (noticed)", "status", "synchronize (noticed)", "close",
                "statusOfPath", "statusOfPath", "close", "truncate", "close",
            ])
    }

    @Test(arguments: [ENOSPC, EIO, EROFS]) func `lasting error leaves the old or the new file`(_ code: Int32) throws {
        try atEachCall(.lastingError(code)) { folder, result, call throws in
            let isDone = (try? result.get()) != nil
            #expect(folder.store().read().table.values == ["a": isDone ? "2" : "1"], call)
            _ = try folder.store().apply([.set(key: "a", value: "3")])
            #expect(try leftovers(in: folder) == [], call)
        }
    }

    @Test(arguments: [.error(EINTR), .shortWrite] as [FaultPlan.Fault])
    func `signal or short write is not a failure`(_ fault: FaultPlan.Fault) throws {
        try atEachCall(fault) { folder, result, call throws in
            #expect(try result.get().notice == nil, call)
            #expect(folder.store().read() == StoreReading(table: try result.get().table, condition: .sound), call)
            #expect(try folder.store().undo().table.values == ["a": "1"], call)
        }
    }

    /// The state after `kill -9` between any two system calls.
    @Test func `death at any call leaves a usable and undoable file`() throws {
        var outcomes: Set<String> = []
        try atEachCall(.death) { folder, _, call throws in
            let reading = folder.store().read()
            #expect(reading.condition == .sound, call)
            let value = try #require(reading.table.values["a"])
            outcomes.insert(value)
            #expect(try folder.store().history().count == (value == "2" ? 2 : 1), call)
            _ = try folder.store().apply([.set(key: "b", value: "1")])
            #expect(try leftovers(in: folder) == [], call)
            #expect(try folder.store().undo().table.values == ["a": value], call)
            #expect(try folder.store().undo().table.values == (value == "2" ? ["a": "1"] : [:]), call)
        }
        #expect(outcomes == ["1", "2"])
    }

    /// Makes 200 overrides of a scenario the only ones, one of which has ended meanwhile, with a fault at each call in
    /// turn. Afterwards there is all or nothing of it, and one undo takes it back.
    @Test(arguments: [.death, .error(EIO)] as [FaultPlan.Fault])
    func `a scenario is applied as a whole or not at all`(_ fault: FaultPlan.Fault) throws {
        let values = FlagTable((0..<200).map { ("key \($0)", "scenario") }) { $1 }
        let edits: [OverrideEdit] = [
            .replaceAll(values), .applyScenario(AppliedScenario(name: "checkout", overrides: values)),
        ]
        var outcomes: Set<Int> = []
        for step in 0..<Self.stepLimit {
            let (folder, clock) = (StoreFolder(), StoreClock())
            _ = try folder.store(clock: clock).apply([.set(key: "key 0", value: "mine"), .set(key: "z", value: "1")])
            _ = try folder.store(clock: clock).apply([
                .set(key: "ended", value: "1"), .end(key: "ended", .lasting(.seconds(1))),
            ])
            clock.pass(1)
            let plan = FaultPlan(step: step, fault)
            let result = Result { () throws(StorageError) in
                try folder.store(files: .live(failing: plan), clock: clock).apply(edits)
            }
            guard plan.calls.count > step else {
                #expect(outcomes == [2, 200])
                return
            }
            let call: Comment = "\(plan.calls[step]), step \(step)"
            let store = folder.store(clock: clock)
            let table = store.read().table
            outcomes.insert(table.overrides.count)
            let isDone = table.values == values && table.scenarioWords == "checkout"
            #expect(isDone || table.values == ["key 0": "mine", "z": "1"] && table.scenario == nil, call)
            if case .success = result { #expect(isDone, call) } else { #expect(!isDone || fault == .death, call) }
            let actions = try store.history().map(\.action)
            guard isDone else {
                #expect(actions == ["set", "set"], call)
                #expect(try store.apply(edits).table.values == values, call)
                continue
            }
            // The history may have failed, which the commit says.
            guard actions.count > 2 else { continue }
            #expect(actions == ["scenario checkout", "end ended", "set", "set"], call)
            #expect(try store.undo().table.values == ["key 0": "mine", "z": "1"], call)
            #expect(try store.undo().table.values == ["ended": "1", "key 0": "mine", "z": "1"], call)
        }
        Issue.record("the write never ended")
    }

    /// Otherwise a power cut could leave an empty file.
    @Test func `a file is synchronized before its rename`() throws {
        let folder = StoreFolder()
        let unsynchronized = UnsynchronizedPaths()
        _ = try folder.store(files: unsynchronized.files).apply([.set(key: "a", value: "1")])
        #expect(unsynchronized.renames == [folder.file: true])
    }

    /// Otherwise a power cut could undo a change that was reported as saved.
    @Test func `folders are synchronized before a write returns`() throws {
        let folder = StoreFolder()
        let unsynchronized = UnsynchronizedPaths()
        _ = try folder.store(files: unsynchronized.files).apply([.set(key: "a", value: "1")])
        try #require(unsynchronized.renames[folder.file] != nil)
        #expect(unsynchronized.current.isDisjoint(with: [folder.path, FilePath.folder(of: folder.path)]))
    }

    @Test func `damaged file survives an error at any call`() throws {
        for step in 0..<Self.stepLimit {
            let folder = StoreFolder()
            _ = try folder.store().apply([.set(key: "a", value: "1")])
            try folder.write("{ damaged")
            let plan = FaultPlan(step: step, .error(EIO))
            let commit = try? folder.store(files: .live(failing: plan)).apply([.set(key: "b", value: "2")])
            guard plan.calls.count > step else { return }
            // Without the history the last good values are unknown, and the write must not start from an empty table.
            if let commit { #expect(commit.table.values == ["a": "1", "b": "2"], "\(plan.calls[step]), step \(step)") }
            let aside = try folder.names().filter { $0.contains(".corrupt-") }
            let places = commit == nil ? ["overrides.json"] : aside
            #expect(try places.map { try folder.text(of: $0) } == ["{ damaged"], "\(plan.calls[step]), step \(step)")
            #expect(aside.count == (commit == nil ? 0 : 1), "\(plan.calls[step]), step \(step)")
        }
        Issue.record("the write never ended")
    }
}
