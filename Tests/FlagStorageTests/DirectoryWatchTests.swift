import FlagModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagStorage

@Suite struct DirectoryWatchTests {
    let folder = StoreFolder()
    let changes = ChangeCounter()

    init() throws { _ = try folder.store().apply([.set(key: "a", value: "1")]) }

    private func watch() throws -> DirectoryWatch {
        try folder.store().watch { [changes] in changes.add() }
    }

    /// A watch whose notifier fails a number of times.
    private func watch(failures: Int) throws -> DirectoryWatch {
        let failures = FailureCount(failures)
        let loop = WatchLoop(interval: 5) { () throws(SystemError) in
            if failures.takeOne() { throw SystemError(call: "inotify_init1", code: EMFILE) }
            return try ChangeNotifier()
        }
        return try DirectoryWatch(folder.file, loop: loop) { [changes] in changes.add() }
    }

    /// Waits until a read after a report returns `value`.
    private func sees(_ value: String?, of key: String = "a") -> Bool {
        let store = folder.store()
        return changes.wait { store.read().table.values[key] == value }
    }

    @Test func `sees each of 100 replacements`() throws {
        let store = folder.store()
        let watch = try watch()
        #expect(!watch.isPolling)
        for number in 2...101 {
            let before = changes.count
            _ = try store.apply([.set(key: "a", value: "\(number)")])
            #expect(changes.wait { changes.count > before })
        }
        #expect(sees("101"))
    }

    @Test func `sees writes in place`() throws {
        let watch = try watch()
        defer { watch.cancel() }
        for number in 2...20 {
            try folder.write(#"{"overrides": {"a": {"value": "\#(number)"}}}"#)
            #expect(sees("\(number)"))
        }
    }

    @Test func `sees that a file becomes readable`() throws {
        let watch = try watch()
        defer { watch.cancel() }
        for mode: mode_t in [0o200, 0o600] {
            let before = changes.count
            #expect(chmod(folder.file, mode) == 0)
            #expect(changes.wait { changes.count > before })
        }
    }

    @Test func `sees a new file in new folders`() throws {
        let deep = OverrideStore(directory: folder.path + "/a/b/c", author: "ana", now: { StoreFolder.time })
        let watch = try deep.watch { [changes] in changes.add() }
        #expect(!watch.isPolling)
        _ = try deep.apply([.set(key: "a", value: "1")])
        #expect(changes.wait { deep.read().table.values == ["a": "1"] })
        let before = changes.count
        _ = try deep.apply([.set(key: "a", value: "2")])
        #expect(changes.wait { changes.count > before })
    }

    @Test func `sees the folder removed and created again`() throws {
        let watch = try watch()
        for number in 2...6 {
            try FileManager.default.removeItem(atPath: folder.path)
            #expect(sees(nil))
            _ = try folder.store().apply([.set(key: "a", value: "\(number)")])
            #expect(sees("\(number)"))
        }
        #expect(changes.wait { !watch.isPolling })
    }

    @Test func `sees the folder replaced by another`() throws {
        let other = StoreFolder()
        _ = try other.store().apply([.set(key: "a", value: "2")])
        let watch = try watch()
        defer { watch.cancel() }
        let away = StoreFolder()
        try FileManager.default.moveItem(atPath: folder.path, toPath: away.path)
        #expect(sees(nil))
        try FileManager.default.moveItem(atPath: other.path, toPath: folder.path)
        #expect(sees("2"))
        _ = try folder.store().apply([.set(key: "a", value: "3")])
        #expect(sees("3"))
    }

    /// The link is the folder or the file in it.
    @Test(arguments: ["", "/overrides.json"])
    func `sees changes behind a symbolic link and a replaced link`(place: String) throws {
        let (first, second) = (StoreFolder(), StoreFolder())
        _ = try first.store().apply([.set(key: "a", value: "1")])
        _ = try second.store().apply([.set(key: "a", value: "3")])
        let link = folder.path + place
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: first.path + place)
        let watch = try watch()
        defer { watch.cancel() }
        _ = try first.store().apply([.set(key: "a", value: "2")])
        #expect(sees("2"))
        try FileManager.default.createSymbolicLink(atPath: link + ".new", withDestinationPath: second.path + place)
        #expect(rename(link + ".new", link) == 0)
        #expect(sees("3"))
        _ = try second.store().apply([.set(key: "a", value: "4")])
        #expect(sees("4"))
    }

    #if os(Linux)
    /// Also a file that is written in place right after, which has the same signature within a tick of the clock.
    @Test func `only the rename of an own write is omitted`() throws {
        let store = folder.store()
        let watch = try store.watch(omitsOwnWrites: true) { [changes] in changes.add() }
        defer { watch.cancel() }
        for number in 2...21 {
            _ = try store.apply([.set(key: "a", value: "\(number)")])
        }
        // A write by another store ends the wait. The last own write may be reported with it.
        _ = try folder.store().apply([.set(key: "a", value: "other")])
        #expect(sees("other"))
        #expect(changes.count <= 2)
        for number in 10...29 {
            _ = try store.apply([.set(key: "a", value: "\(number)")])
            let edited = try folder.text().replacing("\"\(number)\"", with: "\"\(number + 20)\"")
            try folder.write(edited)
            #expect(sees("\(number + 20)"))
        }
    }

    @Test func `an own file that is moved away and back is reported`() throws {
        let store = folder.store()
        let watch = try store.watch(omitsOwnWrites: true) { [changes] in changes.add() }
        defer { watch.cancel() }
        for number in 2...6 {
            _ = try store.apply([.set(key: "a", value: "\(number)")])
            #expect(rename(folder.file, folder.file + ".away") == 0)
            #expect(sees(nil))
            #expect(rename(folder.file + ".away", folder.file) == 0)
            #expect(sees("\(number)"))
        }
    }

    @Test func `a write that changes nothing claims no file`() throws {
        let store = folder.store()
        let watch = try store.watch(omitsOwnWrites: true) { [changes] in changes.add() }
        defer { watch.cancel() }
        try folder.write(#"{"overrides": {"a": {"value": "other"}}}"#, to: "new.json")
        #expect(rename(folder.path + "/new.json", folder.file) == 0)
        _ = try store.apply([.clear(key: "b")])
        #expect(sees("other"))
    }
    #endif

    @Test func `polls if the notifier fails`() throws {
        let watch = try watch(failures: .max)
        #expect(watch.isPolling)
        _ = try folder.store().apply([.set(key: "a", value: "2")])
        #expect(sees("2"))
        #expect(watch.isPolling)
    }

    @Test func `watches again when the notifier works`() throws {
        let watch = try watch(failures: 3)
        var number = 1
        while watch.isPolling, number < 10_000 {
            number += 1
            _ = try folder.store().apply([.set(key: "a", value: "\(number)")])
        }
        #expect(!watch.isPolling)
        #expect(sees("\(number)"))
    }

    /// Each failed attempt to watch makes events of its own, which must not lead to the next attempt.
    @Test func `a path that changes all the time is polled at the interval`() throws {
        let count = Mutex(0)
        var files = FileOperations.live
        files.statusOfPath = { [path = folder.path] checked throws(SystemError) in
            if checked == path {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number.isMultiple(of: 2) { throw SystemError(call: "lstat", code: ENOENT) }
            }
            return try FileOperations.live.statusOfPath(checked)
        }
        let begin = Clock.seconds()
        let watch = try DirectoryWatch(folder.file, files: files, loop: WatchLoop(interval: 20)) {}
        // Each attempt checks the folder ten times.
        #expect(Clock.wait { Clock.seconds() > begin + 0.4 && count.withLock { $0 } > 50 })
        #expect(watch.isPolling)
        let limit = Int((Clock.seconds() - begin) / 0.02 + 5) * 10
        #expect(count.withLock { $0 } <= limit, "at most \(limit) checks were expected")
    }

    @Test func `other files in the folder are not reported`() throws {
        let watch = try watch()
        defer { watch.cancel() }
        for number in 0..<50 { try folder.write("\(number)", to: "other.txt") }
        _ = try folder.store().apply([.set(key: "a", value: "2")])
        #expect(sees("2"))
        #expect(changes.count <= 2)
    }

    @Test func `cancelled watch reports nothing`() throws {
        let watch = try watch()
        watch.cancel()
        watch.cancel()
        let otherChanges = ChangeCounter()
        let second = try folder.store().watch { otherChanges.add() }
        _ = try folder.store().apply([.set(key: "a", value: "2")])
        #expect(otherChanges.wait { otherChanges.count > 0 })
        #expect(changes.count == 0)
        second.cancel()
    }

    @Test func `a cancelled watch ends no other one of the same file and folder`() throws {
        let (first, second) = (ChangeCounter(), ChangeCounter())
        let cancelled = try folder.store().watch { first.add() }
        let watches = try [
            folder.store().watch { second.add() },
            DirectoryWatch(folder.path, namesIn: true) { [changes] in changes.add() },
        ]
        cancelled.cancel()
        _ = try folder.store().apply([.set(key: "a", value: "2")])
        #expect(sees("2"))
        #expect(second.wait { second.count > 0 })
        #expect(first.count == 0)
        withExtendedLifetime(watches) {}
    }

    /// Neither would return if a lock were held while a handler runs.
    @Test func `a handler may end its watch and start another`() throws {
        let watches = Mutex<[DirectoryWatch]>([])
        let store = folder.store()
        let watch = try store.watch { [changes] in
            let next = try? store.watch { changes.add() }
            let ended = watches.withLock { watches in
                defer { watches = [next].compactMap { $0 } }
                return watches
            }
            ended.forEach { $0.cancel() }
        }
        watches.withLock { $0 = [watch] }
        _ = try store.apply([.set(key: "a", value: "2")])
        #expect(Clock.wait { watches.withLock { $0.first !== watch } })
        _ = try store.apply([.set(key: "a", value: "3")])
        #expect(sees("3"))
    }

    #if os(Linux)
    @Test func `a hundred watches share a thread, and each reports its own change`() throws {
        let writer = TortureWriter(
            directory: folder.path, prefix: "a", count: 100, keys: 1, options: ["--watches"])
        let outcome = try writer.run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try #require(outcome.acknowledged.first) <= 2, "more threads")
        #expect(outcome.acknowledged.dropFirst().elementsEqual(stride(from: 0, to: 100, by: 2)), "\(outcome)")
    }
    #endif
}
