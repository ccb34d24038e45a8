import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// A damaged file is never overwritten, and the last good values stay in use.
@Suite struct DamagedFileTests {
    let folder = StoreFolder()

    /// A running store with `a` = 1 and `b` = 2.
    private func runningStore() throws -> OverrideStore {
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1"), .set(key: "b", value: "2")])
        return store
    }

    private func setAside() throws -> [String] { try folder.names().filter { $0.contains(".corrupt-") } }

    @Test func `running and new stores use the last good values`() throws {
        let running = try runningStore()
        try folder.write("{\"overrides\": {\n  oops")
        for store in [running, folder.store()] {
            let reading = store.read()
            #expect(reading.table.values == ["a": "1", "b": "2"])
            let sentence = try #require(reading.issue)
            #expect(reading.condition == .corrupt(sentence))
            #expect(sentence.hasPrefix("Damaged at line 2, column 3: ") && sentence.hasSuffix("(\(folder.file))"))
        }
        #expect(try setAside() == [], "reading moves nothing")
    }

    @Test(arguments: ["damaged", "{}", "[]", #"{"revision": 3}"#, #"{"name": "somebody else's"}"#])
    func `next write sets the damaged file aside and uses the last good values`(text: String) throws {
        _ = try runningStore()
        try folder.write(text)
        let reading = folder.store().read()
        #expect(reading.table.values == ["a": "1", "b": "2"])
        #expect(reading.condition == .corrupt(try #require(reading.issue)))
        let commit = try folder.store().apply([.set(key: "c", value: "3")])
        #expect(commit.table.values == ["a": "1", "b": "2", "c": "3"])
        #expect(commit.table.revision == 2)
        let aside = "overrides.json.corrupt-20261121T100000Z"
        #expect(try setAside() == [aside])
        #expect(try folder.text(of: aside) == text)
        #expect(try #require(commit.notice).contains(folder.path + "/" + aside))
        #expect(folder.store().read() == StoreReading(table: commit.table, condition: .sound))
    }

    @Test(arguments: [#"{"format": 1}"#, #"{"overrides": {}}"#])
    func `format or overrides member makes a store`(text: String) throws {
        try folder.write(text)
        #expect(folder.store().read().condition == .sound)
    }

    @Test func `damaged files do not replace each other`() throws {
        let store = try runningStore()
        for number in 1...3 {
            try folder.write("damage \(number)")
            _ = try store.apply([.set(key: "a", value: "\(number)")])
        }
        #expect(try setAside().map { try folder.text(of: $0) } == ["damage 1", "damage 2", "damage 3"])
        #expect(store.read().table.values == ["a": "3", "b": "2"])
    }

    @Test func `edit without change repairs the file`() throws {
        _ = try runningStore()
        try folder.write("damaged")
        let commit = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(commit.changes.isEmpty && commit.record != nil && commit.notice != nil)
        #expect(folder.store().read().condition == .sound)
        #expect(try folder.store().undo().table.values == [:])
    }

    @Test func `undo repairs the file`() throws {
        _ = try runningStore()
        _ = try folder.store().apply([.set(key: "a", value: "9")])
        try folder.write("damaged")
        #expect(try folder.store().undo().table.values == ["a": "1", "b": "2"])
        #expect(try setAside().count == 1)
    }

    @Test func `damaged file does not lose newer changes of others`() throws {
        let running = try runningStore()
        _ = running.read()
        _ = try folder.store(author: "bob").apply([.set(key: "b", value: "of bob")])
        try folder.write("damaged")
        #expect(try running.apply([.set(key: "c", value: "3")]).table.values == ["a": "1", "b": "of bob", "c": "3"])
    }

    @Test func `removed overrides stay removed if the file is damaged`() throws {
        let store = try runningStore()
        try FileManager.default.removeItem(atPath: folder.file)
        #expect(store.read() == StoreReading(table: OverrideTable(), condition: .missing))
        try folder.write("damaged")
        #expect(store.read().table.values == [:])
    }

    @Test func `damaged file is renamed if it cannot be linked`() throws {
        let store = try runningStore()
        try folder.write("damaged")
        var files = FileOperations.live
        files.link = { _, _ throws(SystemError) in throw SystemError(call: "link", code: EPERM) }
        let commit = try folder.store(files: files).apply([.set(key: "a", value: "2")])
        #expect(commit.table.values == ["a": "2", "b": "2"])
        #expect(try setAside().map { try folder.text(of: $0) } == ["damaged"])
        try folder.write("damaged again")
        files.synchronize = { _ throws(SystemError) in throw SystemError(call: "fsync", code: EIO) }
        #expect(throws: StorageError.self) { try folder.store(files: files).apply([.clear(key: "a")]) }
        #expect(try folder.text() == "damaged again", "the damaged file gets its name back")
        #expect(store.read().table.values == ["a": "2", "b": "2"])
    }

    /// Cuts the file at every byte: no crash and no wrong values.
    @Test func `truncated file keeps the values`() throws {
        let store = try runningStore()
        let good = try folder.text()
        let table = store.read().table
        for count in 0..<good.utf8.count {
            let part = String(decoding: good.utf8.prefix(count), as: UTF8.self)
            try folder.write(part)
            let reading = store.read()
            #expect(reading.table == table, "cut at \(count)")
            if count < good.utf8.count - 1 {
                #expect(reading.condition != .sound, "cut at \(count)")
            }
            #expect(try folder.text() == part)
        }
        try folder.write(good)
        #expect(store.read().condition == .sound)
    }

    @Test func `flipped bits never crash or lose good values`() throws {
        let table = try runningStore().read().table
        let good = Array(try folder.text().utf8)
        var damageCount = 0
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 1 << (index % 8)
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file))
            let reading = folder.store().read()
            guard case .corrupt = reading.condition else { continue }
            damageCount += 1
            #expect(reading.table == table, "byte \(index)")
        }
        #expect(damageCount > 0)
    }

    @Test func `newer format is read but not written`() throws {
        let text = #"{"format": 3, "revision": 9, "overrides": {"a": {"value": "1"}, "b": ["1"]}, "new": {}}"#
        try folder.write(text)
        let store = folder.store()
        #expect(store.read().condition == .newerFormat(3))
        #expect(store.read().table == OverrideTable(revision: 9, overrides: ["a": FlagOverride(value: "1")]))
        #expect(store.writeBlocker?.code == .newerFormat)
        for edit in [OverrideEdit.set(key: "a", value: "2"), .clearAll] {
            let error = #expect(throws: StorageError.self) { try store.apply([edit]) }
            #expect(error?.code == .newerFormat)
            #expect(error?.sentence.contains("format 3") == true)
        }
        #expect(throws: StorageError.self) { try store.undo() }
        #expect(try folder.text() == text)
    }

    @Test func `too large file is not read`() throws {
        try folder.write("{}" + String(repeating: " ", count: 100))
        #expect(try DurableFile.read(folder.file, limit: 102)?.count == 102)
        let error = #expect(throws: StorageError.self) { try DurableFile.read(folder.file, limit: 101) }
        #expect(error?.code == .tooLarge)
    }
}
