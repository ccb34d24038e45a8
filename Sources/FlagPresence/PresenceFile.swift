import FlagModel
package import FlagStorage
import Platform
import Synchronization

/// The file by which a process announces that it runs an app.
///
/// The process has the lock of the file as long as it runs. The kernel releases the lock when the process ends, also
/// after `kill -9`, so a file without a lock is that of an ended process. A process id would not prove that, because ids
/// are used again. The file stays: it is how menus know what the code of an ended program declares.
package final class PresenceFile: Sendable {
    private struct State: ~Copyable {
        /// The open file with the lock; `nil` before the first write and after the end.
        var locked: OpenFile?
        var hasEnded = false
    }

    /// Identifies this process among all that ever ran.
    package let id: String
    private let path: String
    private let folder: String
    private let files: FileOperations
    private let state = Mutex(State())

    /// How often a new temporary file is made because a reader took the one before for that of an ended process.
    private static let attemptLimit = 100

    /// A file in an app's state folder, which is created by the first write.
    ///
    /// - Parameter id: the id of the process, if it announces itself in several folders.
    package init(in stateFolder: String, id: String = PresenceFile.makeID(), files: FileOperations = .live) {
        self.id = id
        folder = AppFolders.running(in: stateFolder)
        path = FilePath.join(folder, id + RunningApps.suffix)
        self.files = files
    }

    /// A new id. All ids have 16 digits.
    package static func makeID() -> String { String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16) }

    /// Whether a file has the name of an announcement or, with a dot before it, of a temporary file. Other files in the
    /// folder are not removed.
    static func isName(_ name: String) -> Bool {
        let id = name.drop { $0 == "." }.dropLast(RunningApps.suffix.count)
        return name.hasSuffix(RunningApps.suffix) && id.utf8.count == 16 && id.allSatisfy(\.isHexDigit)
    }

    /// Replaces the announcement. Does not wait for the disk: it is worth nothing after a power cut.
    package func write(_ text: String) throws(StorageError) {
        do throws(SystemError) {
            try state.withLock { state throws(SystemError) in
                guard !state.hasEnded else { return }
                // The new file is locked before it has its name, so that nobody sees it without a lock. The old file,
                // and with it its lock, is closed after that.
                state.locked = try replace(with: text)
            }
        } catch {
            throw .writing(path, error)
        }
    }

    private func replace(with text: String) throws(SystemError) -> OpenFile {
        try Folders.create(folder, files: files)
        for _ in 0..<Self.attemptLimit {
            // The name is new each time, so that a reader of an earlier file does not get in the way.
            let temporary = FilePath.join(folder, ".\(Self.makeID())\(RunningApps.suffix)")
            guard let file = try OpenFile.createLocked(temporary, files: files) else { continue }
            do throws(SystemError) {
                try file.write(Array(text.utf8))
                try files.rename(temporary, path)
            } catch {
                _ = try? files.remove(temporary)
                throw error
            }
            return file
        }
        throw SystemError(call: "flock", code: EWOULDBLOCK)
    }

    /// Releases the lock, so that the process counts as ended; later writes have no effect.
    package func end() {
        state.withLock { state in
            state.locked = nil
            state.hasEnded = true
        }
    }
}
