import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// What keeps a store from being written, and what does not.
@Suite struct WriteBlockerTests {
    let folder = StoreFolder()

    @Test(arguments: [Blocker.directory, .pipe, .link])
    func `error names what is in place of the lock`(_ blocker: Blocker) throws {
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
    func `notice names what is in place of the history`(_ blocker: Blocker) throws {
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
    func `error names the inaccessible file`(_ name: String) throws {
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

    @Test func `valid or missing store has no write blocker`() throws {
        #expect(folder.store().writeBlocker == nil)
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        #expect(folder.store().writeBlocker == nil)
        try folder.write("damaged")
        #expect(folder.store().writeBlocker == nil, "a damaged file does not block writes")
    }

    @Test func `a folder that cannot be checked is not writable`() throws {
        try folder.write("", to: "empty")
        #expect(DurableFile.blocker(toWritingIn: folder.path + "/new/folder") == nil)
        try #require(symlink("loop", folder.path + "/loop") == 0)
        for place in ["loop", "loop/below"] {
            let blocker = DurableFile.blocker(toWritingIn: "\(folder.path)/\(place)")
            #expect(blocker?.hasPrefix(SystemError(call: "", code: ELOOP).text) == true, "\(blocker ?? "none")")
        }
    }

    @Test func `a lock that cannot be checked is reported`() throws {
        _ = try folder.store().apply([.set(key: "a", value: "1")])
        var files = FileOperations.live
        files.statusOfPath = { path throws(SystemError) in
            guard !path.hasSuffix("overrides.lock") else { throw SystemError(call: "lstat", code: EIO) }
            return try FileOperations.live.statusOfPath(path)
        }
        let blocker = folder.store(files: files).writeBlocker
        #expect(blocker?.sentence.hasPrefix(SystemError(call: "", code: EIO).text) == true, "\(blocker as Any)")
    }

    /// The first 80 columns say what is wrong; the path comes last.
    @Test(arguments: [ENOSPC, EROFS, EACCES, EIO, ELOOP]) func `error begins with its cause`(_ code: Int32) {
        let cause = SystemError(call: "write", code: code)
        let path = "/a/very/long/path/" + String(repeating: "deep/", count: 20) + "overrides.json"
        for error in [StorageError.writing(path, cause), .reading(path, cause), .watching(path, cause)] {
            #expect(error.sentence.hasPrefix("\(cause.text): 'overrides.json' "))
            #expect(error.sentence.hasSuffix("(\(path))"))
        }
    }
}
