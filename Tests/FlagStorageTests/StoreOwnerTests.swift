import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// Whoever writes a store leaves it to its owner.
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
    func lockAndHistoryAreTheOwnersOfTheFile() throws {
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
    func aNewStoreIsTheOwnersOfTheFolderThatItIsIn() throws {
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
    func whatIsReachedThroughALinkIsNotGivenAway() throws {
        try folder.write(#"{"overrides": {}}"#)
        try folder.write("", to: "secret")
        give("overrides.json", to: 12345, 12346)
        #expect(link(folder.path + "/secret", folder.path + "/history.jsonl") == 0)
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(try owner("secret").user == 0)
    }

    /// Started with sudo in a tester's store, whose links would lead root's writes anywhere.
    @Test(
        .enabled(if: isRoot, "only root is led astray"), arguments: ["overrides.json", "history.jsonl", "."],
        [true, false])
    func aLinkOfTheOwnersIsNotFollowedOutOfTheirFiles(_ name: String, _ isThere: Bool) throws {
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
            #expect("\(error)".hasPrefix("Root does not follow \(folder.path)/\(link), a link of another user"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == before)
        if isThere { #expect(try folder.text(of: "root/" + (before.first ?? "")) == "root's") }
    }

    @Test(.enabled(if: isRoot, "only root is led astray"))
    func aLinkAmongTheOwnersFilesIsFollowed() throws {
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

    @Test func whereNobodyMayGiveAwayTheWriteGoesOn() throws {
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

    /// What may stand in the place of lock or history.
    enum Obstacle: String, CaseIterable, Sendable {
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

    @Test(arguments: Obstacle.allCases) func whatIsInThePlaceOfTheLockIsNamed(_ obstacle: Obstacle) throws {
        try folder.write(#"{"overrides": {}}"#)
        let lock = folder.path + "/overrides.lock"
        #expect(obstacle.make(at: lock) == 0)
        let told = try #require(folder.store().writingObstacle)
        let error = #expect(throws: StorageError.self) { try folder.store().apply([.set(key: "a", value: "1")]) }
        #expect(error == told && told.code == .notAFile && told.path == lock)
        #expect(told.sentence.hasPrefix("'overrides.lock' is \(obstacle.rawValue), not a file."))
        #expect(told.sentence.contains("Move it away") && told.sentence.contains(folder.file))
        #expect(try folder.text() == #"{"overrides": {}}"#)
    }

    @Test(arguments: [Obstacle.directory, .pipe])
    func whatIsInThePlaceOfTheHistoryIsNamed(_ obstacle: Obstacle) throws {
        try folder.write(#"{"overrides": {}}"#)
        #expect(obstacle.make(at: folder.history) == 0)
        let told = try #require(folder.store().writingObstacle)
        let commit = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(commit.table.values == ["a": "1"] && commit.notice == told.sentence)
        #expect(told.sentence.hasPrefix("'history.jsonl' is \(obstacle.rawValue), not a file"))
        #expect(told.sentence.hasSuffix("cannot be undone. Move it away. (\(folder.history))"))
        for read in [{ _ = try folder.store().history() }, { _ = try folder.store().undo() }] {
            let error = #expect(throws: StorageError.self) { try read() }
            #expect(error?.code == .notAFile && error?.path == folder.history)
        }
    }

    @Test(arguments: ["overrides.json", "overrides.lock", "history.jsonl"])
    func whatBelongsToAnotherIsNamed(_ name: String) throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        var files = FileOperations.live
        files.open = { path, flags, mode throws(SystemError) in
            if path.hasSuffix(name) { throw SystemError(call: "open", code: EACCES) }
            return try FileOperations.live.open(path, flags, mode)
        }
        let store = folder.store(files: files)
        let told = try #require(store.writingObstacle)
        #expect(told.sentence.hasPrefix("Permission denied: '\(name)'") && told.path.hasSuffix(name))
        switch Result(catching: { try store.apply([.set(key: "a", value: "2")]) }) {
        case .success(let commit): #expect(name == "history.jsonl" && commit.notice == told.sentence)
        case .failure(let error): #expect(name != "history.jsonl" && (error as? StorageError) == told)
        }
    }

    @Test func aSoundStoreAndAMissingOneHaveNoObstacle() throws {
        #expect(folder.store().writingObstacle == nil)
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(folder.store().writingObstacle == nil)
        try folder.write("damaged")
        #expect(folder.store().writingObstacle == nil, "the next write mends it")
    }

    @Test func aNewerFormatIsAnObstacle() throws {
        try folder.write(#"{"format": 2}"#)
        #expect(folder.store().writingObstacle?.code == .newerFormat)
    }

    /// What fits on a row of 80 columns says what is wrong; the path comes last.
    @Test(arguments: [ENOSPC, EROFS, EACCES, EIO, ELOOP]) func aSentenceBeginsWithItsCause(_ code: Int32) {
        let cause = SystemError(call: "write", code: code)
        let path = "/a/very/long/path/" + String(repeating: "deep/", count: 20) + "overrides.json"
        for error in [StorageError.writing(path, cause), .reading(path, cause), .watching(path, cause)] {
            #expect(error.sentence.hasPrefix("\(cause.text): 'overrides.json' "))
            #expect(error.sentence.hasSuffix("(\(path))"))
        }
    }
}
