import FlagModel
import Synchronization

@testable import FlagStorage

/// Records what a power cut would undo: files and folders that have changed and were not synchronized since.
final class UnsynchronizedPaths: Sendable {
    private struct State {
        var paths: Set<String> = []
        var renames: [String: Bool] = [:]
        /// The paths of descriptors, also after they are closed.
        var opened: [Int32: String] = [:]
    }

    private let state = Mutex(State())

    /// The paths now.
    var current: Set<String> { state.withLock { $0.paths } }
    /// For each path to which a file was renamed, whether the file was synchronized before.
    var renames: [String: Bool] { state.withLock { $0.renames } }

    /// The operating system, recorded.
    var files: FileOperations {
        let live = FileOperations.live
        var files = live
        files.open = { path, flags, mode throws(SystemError) in
            let number = try live.open(path, flags, mode)
            self.state.withLock { $0.opened[number] = path }
            return number
        }
        files.write = { number, bytes throws(SystemError) in
            self.state.withLock { state in _ = state.opened[number].map { state.paths.insert($0) } }
            return try live.write(number, bytes)
        }
        files.synchronize = { number throws(SystemError) in
            try live.synchronize(number)
            self.state.withLock { state in _ = state.opened[number].map { state.paths.remove($0) } }
        }
        files.makeFolder = { path, mode throws(SystemError) in
            try live.makeFolder(path, mode)
            self.state.withLock { _ = $0.paths.insert(FilePath.folder(of: path)) }
        }
        files.rename = { path, newPath throws(SystemError) in
            try live.rename(path, newPath)
            self.state.withLock { state in
                state.renames[newPath] = state.paths.remove(path) == nil
                state.paths.insert(FilePath.folder(of: newPath))
            }
        }
        return files
    }
}
