import FlagModel
import Platform
import Synchronization

/// The file by which a process announces that it runs an app.
///
/// The process has the lock of the file as long as it runs. The kernel releases the lock when the process ends, also
/// after `kill -9`, so a file without a lock is the leftover of an ended process. A process id would not prove that,
/// because ids are used again.
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

    /// How often a new temporary file is made because a reader took the one before for a leftover.
    private static let attemptLimit = 100

    /// A file in an app's state folder, which is created by the first write.
    ///
    /// - Parameter id: the id of the process, if it announces itself in several folders.
    package init(in stateFolder: String, id: String? = nil, files: FileOperations = .live) {
        self.id = id ?? Self.makeID()
        folder = RunningApps.folder(in: stateFolder)
        path = FilePath.join(folder, self.id + RunningApps.suffix)
        self.files = files
    }

    /// A new id. All ids have 16 digits.
    private static func makeID() -> String { String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16) }

    deinit { end() }

    /// Whether a file may have been written by this type; other files in the folder are not removed.
    static func isName(_ name: String) -> Bool {
        let id = name.drop { $0 == "." }.dropLast(RunningApps.suffix.count)
        return name.hasSuffix(RunningApps.suffix) && id.utf8.count == 16 && id.allSatisfy(\.isHexDigit)
    }

    /// Whether the announcement has its name.
    package var isPresent: Bool { DurableFile.hasName(path) }

    /// Replaces the announcement. Does not wait for the disk: it is worth nothing after a power cut.
    package func write(_ text: some Sequence<String>) throws(StorageError) {
        let result = state.withLock { state -> SystemError? in
            guard !state.hasEnded else { return nil }
            do throws(SystemError) {
                // The new file is locked before it has its name, so that nobody sees it without a lock. The old file,
                // and with it its lock, is closed after that.
                state.locked = try makeFile(text)
                return nil
            } catch {
                return error
            }
        }
        if let result { throw .writing(path, result) }
    }

    private func makeFile(_ text: some Sequence<String>) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try replace(with: text)
        } catch {
            guard error.code == ENOENT else { throw error }
            // The folder is missing.
            try Folders.create(folder, files: files)
            return try replace(with: text)
        }
    }

    private func replace(with text: some Sequence<String>) throws(SystemError) -> OpenFile {
        for _ in 0..<Self.attemptLimit {
            // The name is new each time, so that a reader of an earlier file does not get in the way.
            let temporary = FilePath.join(folder, ".\(Self.makeID())\(RunningApps.suffix)")
            guard let file = try lockedFile(temporary) else { continue }
            do throws(SystemError) {
                try file.write(text)
                try uninterrupted { () throws(SystemError) in try files.rename(temporary, path) }
            } catch {
                _ = try? files.remove(temporary)
                throw error
            }
            return file
        }
        throw SystemError(call: "flock", code: EWOULDBLOCK)
    }

    /// A new file with its lock; `nil` if a reader was faster with the lock, and removes the file as a leftover.
    private func lockedFile(_ temporary: String) throws(SystemError) -> OpenFile? {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try OpenFile(temporary, flags: flags, mode: FileReplacement.privateMode, files: files)
        // A reader may also have removed the file before it was locked. With the lock, the file stays.
        if try file.lock(), let named = try files.statusIfPresent(temporary), try file.status().isSameFile(as: named) {
            return file
        }
        _ = try? files.remove(temporary)
        return nil
    }

    /// Removes the announcement; later writes have no effect.
    package func end() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            // If this fails, the file is removed later as the leftover of an ended process.
            if state.locked != nil { _ = try? files.remove(path) }
            state.locked = nil
        }
    }
}
