import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// Root ignores permissions, so some tests cannot run as root.
private let isRoot = geteuid() == 0

@Suite struct DurableFileTests {
    let folder = StoreFolder()
    private let manager = FileManager.default

    init() throws { try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true) }

    private func status(_ path: String) throws -> FileStatus { try FileOperations.live.statusOfPath(path) }

    private func replace(_ path: String, with text: String) throws {
        #expect(try DurableFile.replace(path, with: Array(text.utf8)) == nil)
    }

    @Test func `next write removes leftovers of killed writers`() throws {
        let names = [
            ".file.999999999.abc.tmp", ".file.\(getpid()).abc.tmp", ".file.\(getppid()).abc.tmp",
            ".other.999999999.abc.tmp",
        ]
        for name in names { try folder.write("", to: name) }
        try replace(folder.path + "/file", with: "text")
        // A file with the ID of this process may belong to another thread.
        #expect(try Set(folder.names()) == Set(["file"] + names.dropFirst()))
    }

    @Test func `has name is true for every link`() throws {
        #expect(!DurableFile.hasName(folder.path + "/none") && !DurableFile.hasName(folder.path + "/none/below"))
        for target in ["loop", "nowhere", "/"] {
            let path = folder.path + "/loop"
            try? manager.removeItem(atPath: path)
            try manager.createSymbolicLink(atPath: path, withDestinationPath: target)
            #expect(DurableFile.hasName(path), "a link to \(target)")
        }
    }

    @Test(.disabled(if: isRoot, "root ignores folder permissions"))
    func `has name is false in an unreadable folder`() throws {
        try replace(folder.path + "/closed/file", with: "text")
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path + "/closed")
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path + "/closed") }
        #expect(!DurableFile.hasName(folder.path + "/closed/file"))
    }

    @Test func `update gets the newest content, and what it creates is private`() throws {
        let path = folder.path + "/x/y/numbers"
        DispatchQueue.concurrentPerform(iterations: 20) { _ in
            for _ in 0..<5 {
                #expect(throws: Never.self) {
                    try DurableFile.update(path) { bytes in (bytes ?? []) + [UInt8(ascii: ".")] }
                }
            }
        }
        #expect(try folder.text(of: "x/y/numbers") == String(repeating: ".", count: 100))
        #expect(try status(path).mode == 0o600)
        #expect(try status(folder.path + "/x").mode == 0o700 && status(folder.path + "/x/y").mode == 0o700)
        let before = try status(path)
        try DurableFile.update(path) { _ in nil }
        #expect(try status(path).inode == before.inode)
        #expect(try Set(manager.contentsOfDirectory(atPath: folder.path + "/x/y")) == ["numbers", "numbers.lock"])
        #expect(throws: StorageError.self) { try DurableFile.update(folder.path + "/x") { $0 } }
        #expect(throws: StorageError.self) { try DurableFile.update(path, limit: 99) { $0 } }
    }

    @Test(arguments: [0o600, 0o644, 0o640, 0o400, 0o666] as [UInt32])
    func `replace keeps the mode`(_ mode: UInt32) throws {
        try folder.write("old")
        #expect(chmod(folder.file, mode_t(mode)) == 0)
        try replace(folder.file, with: "new")
        #expect(try status(folder.file).mode == mode)
        #expect(try folder.text() == "new")
    }

    @Test func `chain of links is followed`() throws {
        try folder.write("old", to: "real")
        try manager.createDirectory(atPath: folder.path + "/sub", withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: folder.path + "/sub/second", withDestinationPath: "../real")
        try manager.createSymbolicLink(atPath: folder.file, withDestinationPath: folder.path + "/sub/second")
        try replace(folder.file, with: "new")
        #expect(try folder.text(of: "real") == "new")
        #expect(try status(folder.file).kind == .link && status(folder.path + "/sub/second").kind == .link)
        #expect(try folder.names() == ["overrides.json", "real", "sub"])
    }

    @Test func `write through dangling link creates its target and its folder, which are private`() throws {
        try manager.createSymbolicLink(atPath: folder.file, withDestinationPath: "dotfiles/real.json")
        #expect(try DurableFile.read(folder.file) == nil)
        try replace(folder.file, with: "new")
        #expect(try folder.text(of: "dotfiles/real.json") == "new")
        #expect(try status(folder.path + "/dotfiles").mode == 0o700)
        #expect(try status(folder.path + "/dotfiles/real.json").mode == 0o600)
        #expect(try status(folder.file).kind == .link)
    }

    @Test func `loop of links is an error`() throws {
        try manager.createSymbolicLink(atPath: folder.file, withDestinationPath: "other")
        try manager.createSymbolicLink(atPath: folder.path + "/other", withDestinationPath: "overrides.json")
        let error = #expect(throws: StorageError.self) { try DurableFile.replace(folder.file, with: []) }
        #expect(error?.sentence.contains(SystemError(call: "", code: ELOOP).text) == true)
        #expect(throws: StorageError.self) { try DurableFile.read(folder.file) }
        let reading = folder.store().read()
        #expect(reading.condition == .unreadable(try #require(reading.issue)))
    }

    @Test(arguments: [Blocker.directory, .pipe, .device, .socket])
    func `non file is rejected and unchanged`(_ blocker: Blocker) throws {
        #expect(blocker.make(at: folder.file) == 0)
        let before = try status(folder.file)
        let store = folder.store()
        let sentence = try #require(store.read().issue)
        #expect(store.read().condition == .unreadable(sentence))
        #expect(sentence.hasPrefix("'overrides.json' is \(blocker.rawValue), not a file."))
        let error = #expect(throws: StorageError.self) { try store.apply([.set(key: "a", value: "1")]) }
        #expect(error?.code == .notAFile)
        #expect(sentence.hasPrefix(try #require(error?.sentence)))
        #expect(throws: StorageError.self) { try DurableFile.replace(folder.file, with: []) }
        #expect(try status(folder.file) == before)
        #expect(try folder.names() == ["overrides.json"])
    }

    @Test func `nothing is created beside a linked pipe`() throws {
        try manager.createDirectory(atPath: folder.path + "/sub", withIntermediateDirectories: false)
        #expect(Blocker.pipe.make(at: folder.path + "/sub/pipe") == 0)
        try manager.createSymbolicLink(atPath: folder.file, withDestinationPath: "sub/pipe")
        #expect(throws: StorageError.self) { try folder.store().apply([.clearAll]) }
        #expect(try manager.contentsOfDirectory(atPath: folder.path + "/sub") == ["pipe"])
    }

    @Test func `file in place of the folder is an error`() throws {
        try folder.write("", to: "file")
        let store = OverrideStore(directory: folder.path + "/file", author: "ana", now: { StoreFolder.time })
        let error = #expect(throws: StorageError.self) { try store.apply([.clearAll, .set(key: "a", value: "1")]) }
        #expect(error?.sentence.contains(folder.path + "/file/overrides.json") == true)
    }

    @Test(.disabled(if: isRoot, "root ignores folder permissions")) func `read only folder is an error`() throws {
        try folder.write(#"{"overrides": {}}"#)
        #expect(chmod(folder.path, 0o500) == 0)
        defer { chmod(folder.path, 0o700) }
        let error = #expect(throws: StorageError.self) { try folder.store().apply([.set(key: "a", value: "1")]) }
        #expect(error?.code == .readOnly)
        #expect(folder.store().read().condition == .sound)
    }

    @Test(.disabled(if: isRoot, "root ignores file permissions")) func `unreadable file is unchanged`() throws {
        try folder.write("{}")
        #expect(chmod(folder.file, 0) == 0)
        #expect(throws: StorageError.self) { try folder.store().apply([.set(key: "a", value: "1")]) }
        #expect(chmod(folder.file, 0o600) == 0)
        #expect(try folder.text() == "{}")
    }

    @Test func `atomic only does not synchronize`() throws {
        let counter = FaultPlan(step: -1, .error(0))
        try DurableFile.replace(
            folder.file, with: [1], durability: .atomicOnly, files: .live(failing: counter))
        #expect(!counter.calls.contains("synchronize"))
        #expect(try DurableFile.read(folder.file) == [1])
    }

    @Test func `unusual names work`() throws {
        for name in ["with space", "line\nbreak", "ümläut 😀", "-dash", ".hidden", "'quote\""] {
            try replace(folder.path + "/" + name, with: name)
            #expect(try DurableFile.read(folder.path + "/" + name) == Array(name.utf8))
        }
    }
}

/// What may be in place of a file.
enum Blocker: String, Sendable {
    case directory = "a directory"
    case pipe = "a named pipe"
    case device = "a device"
    case socket = "a socket"
    case link = "a symbolic link"

    /// Creates the blocker; returns 0 on success.
    func make(at path: String) -> Int32 {
        switch self {
        case .directory: mkdir(path, 0o700)
        case .pipe: mkfifo(path, 0o600)
        case .device, .link: symlink("/dev/full", path)
        case .socket: bindSocket(path)
        }
    }
}

/// Creates a socket at `path`; returns 0 on success.
private func bindSocket(_ path: String) -> Int32 {
    #if canImport(Glibc)
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let number = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    defer { close(number) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
