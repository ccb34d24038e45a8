import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// An error of the system does not count as a missing file.
@Suite struct TrueCauseTests {
    private let folder = StoreFolder()

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
        #expect(folder.store().writeBlocker == nil)
        var files = FileOperations.live
        files.statusOfPath = { path throws(SystemError) in
            guard !path.hasSuffix("overrides.lock") else { throw SystemError(call: "lstat", code: EIO) }
            return try FileOperations.live.statusOfPath(path)
        }
        let blocker = folder.store(files: files).writeBlocker
        #expect(
            blocker?.sentence.hasPrefix(SystemError(call: "", code: EIO).text) == true, "\(blocker?.sentence ?? "")")
    }
}
