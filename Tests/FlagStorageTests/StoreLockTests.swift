import FlagModel
import Foundation
import Testing

@testable import FlagStorage

@Suite struct StoreLockTests {
    let folder = StoreFolder()

    private func lock(patience: Duration, files: FileOperations = .live) throws(StorageError) -> StoreLock {
        try StoreLock(folder.path + "/overrides.lock", protecting: folder.file, patience: patience, files: files)
    }

    @Test func whoWaitsInVainLearnsWhoHoldsIt() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let held = try lock(patience: .zero)
        let error = #expect(throws: StorageError.self) {
            _ = try lock(patience: .milliseconds(5)).holding { () throws(StorageError) in }
        }
        #expect(error?.code == .lockTimeout)
        #expect(error?.sentence.hasPrefix("Process \(getpid()) has been writing for 0 s: 'overrides.json'") == true)
        try held.holding { () throws(StorageError) in }
    }

    @Test func itIsFreeAgainWithoutATraceOfItsHolder() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try folder.text(of: "overrides.lock") == "")
        // A process that another test starts at this moment holds what we hold, until it is what it is to be.
        for _ in 0..<3 { try lock(patience: .seconds(30)).holding { () throws(StorageError) in } }
    }

    @Test func waitingGoesOnUntilItIsFree() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let busy = FailureCount(5)
        var files = FileOperations.live
        files.lock = { number throws(SystemError) in
            try busy.takeOne() ? false : FileOperations.live.lock(number)
        }
        try lock(patience: .seconds(10), files: files).holding { () throws(StorageError) in }
        #expect(!busy.takeOne())
    }

    @Test func aLockFileThatWasReplacedIsNoLock() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let path = folder.path + "/overrides.lock"
        let replaced = FailureCount(1)
        var files = FileOperations.live
        files.lock = { number throws(SystemError) in
            if replaced.takeOne() { try? FileManager.default.removeItem(atPath: path) }
            return try FileOperations.live.lock(number)
        }
        try lock(patience: .seconds(10), files: files).holding { () throws(StorageError) in
            let error = #expect(throws: StorageError.self) {
                try lock(patience: .zero).holding { () throws(StorageError) in }
            }
            #expect(error?.code == .lockTimeout)
        }
    }

    @Test func threadsOfOneProcessExcludeEachOther() async throws {
        let store = folder.store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<20 { _ = try store.apply([.set(key: "\(thread).\(number)", value: "1")]) }
                }
            }
            try await group.waitForAll()
        }
        let table = folder.store().read().table
        #expect(table.revision == 80 && table.overrides.count == 80)
    }

    @Test func onlyLeftoversOfTheDeadAreSwept() throws {
        let names = [
            ".overrides.json.999999999.abc.tmp", ".overrides.json.\(getpid()).abc.tmp",
            ".overrides.json.\(getppid()).abc.tmp", ".overrides.json.12.tmp", ".other.json.999999999.abc.tmp",
            ".overrides.json.x.y.tmp",
        ]
        for name in names { try folder.write("", to: name) }
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try Set(folder.names()).intersection(names) == Set(names.dropFirst(2)))
    }
}
