import FlagModel
import Foundation
import Testing

@testable import FlagStorage

@Suite struct StoreLockTests {
    let folder = StoreFolder()

    private func lock(timeout: Duration, files: FileOperations = .live) throws(StorageError) -> StoreLock {
        try StoreLock(folder.path + "/overrides.lock", protecting: folder.file, timeout: timeout, files: files)
    }

    /// The operating system with a lock that is busy for some calls.
    private func files(busy: FailureCount) -> FileOperations {
        var files = FileOperations.live
        files.lock = { number throws(SystemError) in
            try busy.takeOne() ? false : FileOperations.live.lock(number)
        }
        return files
    }

    @Test func `timeout error names the lock holder`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let heldLock = try lock(timeout: .zero)
        let error = #expect(throws: StorageError.self) {
            _ = try lock(timeout: .milliseconds(5)).holding { () throws(StorageError) in }
        }
        #expect(error?.code == .lockTimeout)
        #expect(error?.sentence.hasPrefix("Process \(getpid()) has been writing for 0 s: 'overrides.json'") == true)
        try heldLock.holding { () throws(StorageError) in }
    }

    @Test func `released lock is free and empty`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try folder.text(of: "overrides.lock") == "")
        // A process that another test starts at this moment inherits the lock until it calls exec.
        for _ in 0..<3 { try lock(timeout: .seconds(30)).holding { () throws(StorageError) in } }
    }

    @Test func `a lock of a killed process is waited for`() throws {
        let path = folder.path + "/server.lock"
        #expect(!ProcessLock.isLocked(path))
        let lock = try #require(try ProcessLock(path, files: files(busy: FailureCount(3))))
        #expect(ProcessLock.isLocked(path))
        #expect(try ProcessLock(path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `who checks a lock does not count as having it`() throws {
        let path = folder.path + "/server.lock"
        _ = try #require(try ProcessLock(path))
        let check = try OpenFile(reading: path, files: .live)
        #expect(try check.lockShared())
        #expect(!ProcessLock.isLocked(path))
    }

    @Test func `waits until the lock is free`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let busy = FailureCount(5)
        try lock(timeout: .seconds(10), files: files(busy: busy)).holding { () throws(StorageError) in }
        #expect(!busy.takeOne())
    }

    @Test func `replaced lock file is not a lock`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        let path = folder.path + "/overrides.lock"
        let replaced = FailureCount(1)
        var files = FileOperations.live
        files.lock = { number throws(SystemError) in
            if replaced.takeOne() { try? FileManager.default.removeItem(atPath: path) }
            return try FileOperations.live.lock(number)
        }
        try lock(timeout: .seconds(10), files: files).holding { () throws(StorageError) in
            let error = #expect(throws: StorageError.self) {
                try lock(timeout: .zero).holding { () throws(StorageError) in }
            }
            #expect(error?.code == .lockTimeout)
        }
    }

    @Test func `threads of one process exclude each other`() async throws {
        let stores = [folder.store(), folder.store(author: "bob")]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<20 {
                        let name = "\(thread).\(number)"
                        let edit = ContextChange(source: "s\(number % 4)", edits: [.set(name: name, value: "1")])
                        _ = try stores[thread % 2].apply([.set(key: name, value: "1"), .changeContext(edit)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let table = folder.store().read().table
        #expect(table.revision == 80 && table.overrides.count == 80)
        #expect(table.contexts.values.map(\.members.count) == [20, 20, 20, 20])
    }

    @Test func `only leftovers of dead processes are removed`() throws {
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
