import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagStorage
@testable import FlagWorkspace

/// Faults while a project file is read: the error has the true cause.
@Suite struct ProjectFaultTests {
    private let workplace = Workplace()
    private var path: String { workplace.place("flagmenu.json") }

    /// The operating system, with an error in one `lstat`; later ones work.
    private func files(failing step: Int, _ code: Int32) -> FileOperations {
        let count = Counter()
        var files = FileOperations.live
        files.statusOfPath = { path throws(SystemError) in
            guard count.next() != step else { throw SystemError(call: "lstat", code: code) }
            return try FileOperations.live.statusOfPath(path)
        }
        return files
    }

    private final class Counter: Sendable {
        private let count = Mutex(-1)
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Nothing, a file, a link to a file, or a link to nothing.
    @Test(arguments: [nil, "", "target", "nowhere"] as [String?])
    func `an error of the disk is not a missing file or a link to nothing`(target: String?) throws {
        workplace.write("{}", to: "target")
        switch target {
        case nil: break
        case "": workplace.write("{}", to: "flagmenu.json")
        case let target?: try #require(symlink(target, path) == 0)
        }
        for code in [EIO, ELOOP, ENOMEM] {
            for step in 0..<(target?.isEmpty == false ? 2 : 1) {
                do throws(CommandFailure) {
                    _ = try ProjectFile.read(path, files: files(failing: step, code))
                    Issue.record("step \(step) was not noticed")
                } catch {
                    #expect(error.sentence.hasPrefix(SystemError(call: "", code: code).text), "\(error.sentence)")
                }
            }
        }
    }

    @Test func `a missing file is none`() throws {
        #expect(try ProjectFile.read(path) == nil)
    }
}
