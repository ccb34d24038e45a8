import FlagModel
import Foundation
import Testing

@testable import FlagStorage

@Suite struct EditingFileTests {
    private let folder = StoreFolder()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }

    private func names() throws -> [String] { try folder.names().filter { $0.hasPrefix(".flagmenu.") } }

    @Test(arguments: ["", "one", "two\nlines", "ends in a line feed\n", "日本 \u{202E}"])
    func `text is read back unchanged, and is removed with the backup file of the editor`(text: String) throws {
        let file = try EditingFile(text, name: "value.txt", in: folder.path)
        #expect(try file.read() == text)
        try Data().write(to: URL(fileURLWithPath: file.path + "~"))
        file.remove()
        #expect(try names() == [])
    }

    @Test func `file is private`() throws {
        let file = try EditingFile("secret", name: "value.txt", in: folder.path)
        defer { file.remove() }
        #expect(try FileOperations.live.statusOfPath(file.path).mode == 0o600)
        #expect(try FileOperations.live.statusOfPath(FilePath.folder(of: file.path)).mode == 0o700)
    }

    @Test func `directory in place of the file is an error and is removed`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/kept", withIntermediateDirectories: true)
        let file = try EditingFile("x", name: "value.txt", in: folder.path)
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.createDirectory(atPath: file.path + "/deep/er", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: file.path + "/deep/value"))
        try FileManager.default.createSymbolicLink(
            atPath: file.path + "/link", withDestinationPath: folder.path + "/kept")
        let error = #expect(throws: StorageError.self) { try file.read() }
        #expect(error?.description == "The editor left a directory in the file's place. The value is unchanged.")
        file.remove()
        #expect(try names() == [])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/kept"), "links are not followed")
    }

    @Test(arguments: [(true, Int64(2), false), (false, 0, false), (false, 2, true)])
    func `leftovers of dead processes are removed after a day`(isRunning: Bool, days: Int64, isSwept: Bool) throws {
        var files = FileOperations.live
        files.isRunning = { _ in isRunning }
        let editing = folder.path + "/deep/editing"
        let file = try EditingFile("secret", name: "value.txt", in: editing, files: files)
        let otherFolder = folder.path + "/deep/editing/.flagmenu.notes.tmp"
        try FileManager.default.createDirectory(atPath: otherFolder, withIntermediateDirectories: true)
        let now = Int64(Date().timeIntervalSince1970)
        EditingFile.sweep(editing, at: FlagTimestamp(seconds: now + days * 86_400), files: files)
        #expect(FileManager.default.fileExists(atPath: file.path) != isSwept)
        #expect(FileManager.default.fileExists(atPath: otherFolder), "a folder with another name is not removed")
    }

    @Test func `invalid or too large or missing text is rejected`() throws {
        let file = try EditingFile("x", name: "value.txt", in: folder.path)
        defer { file.remove() }
        let place = URL(fileURLWithPath: file.path)
        try Data([0xFF]).write(to: place)
        #expect(throws: StorageError.self) { try file.read() }
        try Data(count: EditingFile.sizeLimit + 1).write(to: place)
        #expect(throws: StorageError.self) { try file.read() }
        try FileManager.default.removeItem(at: place)
        let error = #expect(throws: StorageError.self) { try file.read() }
        #expect(error?.description == "The editor left no file. The value is unchanged.")
    }

    @Test func `failed creation leaves nothing`() throws {
        try folder.write("x", to: "file")
        #expect(throws: StorageError.self) {
            try EditingFile("x", name: "value.txt", in: folder.path + "/file/deep")
        }
        let faultless = FaultPlan(step: -1, .error(ENOSPC))
        try EditingFile("x", name: "value.txt", in: folder.path, files: .live(failing: faultless)).remove()
        let steps = faultless.calls.prefix { $0 != "names" }.count
        #expect(steps > 3)
        for step in 0..<steps {
            let plan = FaultPlan(step: step, .error(ENOSPC))
            let file = try? EditingFile("x", name: "value.txt", in: folder.path, files: .live(failing: plan))
            // Some steps may fail without harm, such as closing a file that was only read.
            file?.remove()
            #expect(try names() == [], "step \(step): \(plan.calls)")
        }
    }
}
