import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// Writing a store as root does not change who owns it.
@Suite struct StoreOwnerTests {
    let folder = StoreFolder()
    private static let isRoot = geteuid() == 0

    private func owner(_ name: String) throws -> FileOwner {
        FileOwner(of: try FileOperations.live.statusOfPath(folder.path + "/" + name))
    }

    private func give(_ name: String, to user: UInt32, _ group: UInt32) {
        #expect(chown(folder.path + "/" + name, user, group) == 0)
    }

    @Test(.enabled(if: isRoot, "only root can give files away"))
    func lockAndHistoryGetTheOwnerOfTheFile() throws {
        try folder.write(#"{"overrides": {}}"#)
        give("overrides.json", to: 12345, 12346)
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try folder.names() == ["history.jsonl", "overrides.json", "overrides.lock"])
        for name in try folder.names() {
            let owner = try owner(name)
            #expect(owner.user == 12345 && owner.group == 12346, "\(name)")
        }
    }

    @Test(.enabled(if: isRoot, "only root can give files away"))
    func newStoreGetsTheOwnerOfItsFolder() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        give("", to: 12345, 12346)
        let store = OverrideStore(directory: folder.path + "/x/y", author: "root", now: { StoreFolder.time })
        _ = try store.apply([.set(key: "a", value: "1")])
        for name in ["x", "x/y"] + ["history.jsonl", "overrides.json", "overrides.lock"].map({ "x/y/" + $0 }) {
            let owner = try owner(name)
            #expect(owner.user == 12345 && owner.group == 12346, "\(name)")
        }
    }

    @Test(.enabled(if: isRoot, "only root can give files away"))
    func hardLinkedFileKeepsItsOwner() throws {
        try folder.write(#"{"overrides": {}}"#)
        try folder.write("", to: "secret")
        give("overrides.json", to: 12345, 12346)
        #expect(link(folder.path + "/secret", folder.path + "/history.jsonl") == 0)
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try owner("secret").user == 0)
    }

    /// With sudo, links in a tester's store could lead root's writes to any file.
    @Test(
        .enabled(if: isRoot, "only root refuses to follow another user's link"),
        arguments: ["overrides.json", "history.jsonl", "."],
        [true, false])
    func rootDoesNotFollowLinksToFilesOfOthers(_ name: String, _ isThere: Bool) throws {
        let root = folder.path + "/root"
        for path in ["root", "store"] {
            try FileManager.default.createDirectory(atPath: folder.path + "/" + path, withIntermediateDirectories: true)
        }
        if isThere { try folder.write("root's", to: "root/" + (name == "." ? "overrides.json" : name)) }
        let (link, target) = name == "." ? ("store/inner", root) : ("store/" + name, root + "/" + name)
        #expect(symlink(target, folder.path + "/" + link) == 0)
        give("store", to: 12345, 12346)
        #expect(lchown(folder.path + "/" + link, 12345, 12346) == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: root)
        let store = OverrideStore(
            directory: folder.path + (name == "." ? "/store/inner" : "/store"), author: "root",
            now: { StoreFolder.time })
        let commit = Result { try store.apply([.set(key: "a", value: "1")]) }
        switch commit {
        // The history is not needed for a change.
        case .success(let commit):
            #expect(name == "history.jsonl" && commit.notice?.contains("Root does not follow") == true)
        case .failure(let error):
            #expect("\(error)".hasPrefix("Root does not follow \(folder.path)/\(link), another user's link"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == before)
        if isThere { #expect(try folder.text(of: "root/" + (before.first ?? "")) == "root's") }
    }

    @Test(.enabled(if: isRoot, "only root refuses to follow another user's link"))
    func rootFollowsLinksToFilesOfTheSameOwner() throws {
        try folder.write("{\"overrides\": {}}", to: "overrides.json")
        try FileManager.default.createDirectory(atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
        for name in ["overrides.json", "history.jsonl"] {
            try? FileManager.default.moveItem(
                atPath: folder.path + "/" + name, toPath: folder.path + "/elsewhere/" + name)
            #expect(symlink("elsewhere/" + name, folder.path + "/" + name) == 0)
            #expect(lchown(folder.path + "/" + name, 12345, 12346) == 0)
        }
        for name in ["elsewhere", "elsewhere/overrides.json"] { give(name, to: 12345, 12346) }
        #expect(try folder.store().apply([.set(key: "a", value: "1")]).notice == nil)
        #expect(try folder.text(of: "elsewhere/overrides.json").contains("\"a\""))
    }

    @Test func writeSucceedsIfTheOwnerCannotBeSet() throws {
        try folder.write(#"{"overrides": {}}"#)
        var files = FileOperations.live
        files.status = { number throws(SystemError) in
            var status = try FileOperations.live.status(number)
            status.owner += 1
            return status
        }
        files.changeOwner = { _, _, _ throws(SystemError) in throw SystemError(call: "fchown", code: EPERM) }
        let commit = try folder.store(files: files).apply([.set(key: "a", value: "1")])
        #expect(commit.table.values == ["a": "1"] && commit.notice == nil)
    }

    /// What may be in place of the lock or the history.
    enum Blocker: String, CaseIterable, Sendable {
        case directory = "a directory"
        case pipe = "a named pipe"
        case link = "a symbolic link"

        func make(at path: String) -> Int32 {
            switch self {
            case .directory: mkdir(path, 0o700)
            case .pipe: mkfifo(path, 0o600)
            case .link: symlink("/dev/null", path)
            }
        }
    }

    @Test(arguments: Blocker.allCases) func errorNamesWhatIsInPlaceOfTheLock(_ blocker: Blocker) throws {
        try folder.write(#"{"overrides": {}}"#)
        let lock = folder.path + "/overrides.lock"
        #expect(blocker.make(at: lock) == 0)
        let reported = try #require(folder.store().writeBlocker)
        let error = #expect(throws: StorageError.self) { try folder.store().apply([.set(key: "a", value: "1")]) }
        #expect(error == reported && reported.code == .notAFile && reported.path == lock)
        #expect(reported.sentence.hasPrefix("'overrides.lock' is \(blocker.rawValue), not a file."))
        #expect(reported.sentence.contains("Move it away") && reported.sentence.contains(folder.file))
        #expect(try folder.text() == #"{"overrides": {}}"#)
    }

    @Test(arguments: [Blocker.directory, .pipe])
    func noticeNamesWhatIsInPlaceOfTheHistory(_ blocker: Blocker) throws {
        try folder.write(#"{"overrides": {}}"#)
        #expect(blocker.make(at: folder.history) == 0)
        let reported = try #require(folder.store().writeBlocker)
        let commit = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(commit.table.values == ["a": "1"] && commit.notice == reported.sentence)
        #expect(reported.sentence.hasPrefix("'history.jsonl' is \(blocker.rawValue), not a file"))
        #expect(reported.sentence.hasSuffix("cannot be undone. Move it away. (\(folder.history))"))
        for read in [{ _ = try folder.store().history() }, { _ = try folder.store().undo() }] {
            let error = #expect(throws: StorageError.self) { try read() }
            #expect(error?.code == .notAFile && error?.path == folder.history)
        }
    }

    @Test(arguments: ["overrides.json", "overrides.lock", "history.jsonl"])
    func errorNamesTheInaccessibleFile(_ name: String) throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        var files = FileOperations.live
        files.open = { path, flags, mode throws(SystemError) in
            if path.hasSuffix(name) { throw SystemError(call: "open", code: EACCES) }
            return try FileOperations.live.open(path, flags, mode)
        }
        let store = folder.store(files: files)
        let reported = try #require(store.writeBlocker)
        #expect(reported.sentence.hasPrefix("Permission denied: '\(name)'") && reported.path.hasSuffix(name))
        switch Result(catching: { try store.apply([.set(key: "a", value: "2")]) }) {
        case .success(let commit): #expect(name == "history.jsonl" && commit.notice == reported.sentence)
        case .failure(let error): #expect(name != "history.jsonl" && (error as? StorageError) == reported)
        }
    }

    @Test func validOrMissingStoreHasNoWriteBlocker() throws {
        #expect(folder.store().writeBlocker == nil)
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(folder.store().writeBlocker == nil)
        try folder.write("damaged")
        #expect(folder.store().writeBlocker == nil, "a damaged file does not block writes")
    }

    @Test func newerFormatIsAWriteBlocker() throws {
        try folder.write(#"{"format": 2}"#)
        #expect(folder.store().writeBlocker?.code == .newerFormat)
    }

    /// The first 80 columns say what is wrong; the path comes last.
    @Test(arguments: [ENOSPC, EROFS, EACCES, EIO, ELOOP]) func errorBeginsWithItsCause(_ code: Int32) {
        let cause = SystemError(call: "write", code: code)
        let path = "/a/very/long/path/" + String(repeating: "deep/", count: 20) + "overrides.json"
        for error in [StorageError.writing(path, cause), .reading(path, cause), .watching(path, cause)] {
            #expect(error.sentence.hasPrefix("\(cause.text): 'overrides.json' "))
            #expect(error.sentence.hasSuffix("(\(path))"))
        }
    }
}
