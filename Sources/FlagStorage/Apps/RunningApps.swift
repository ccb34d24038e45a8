package import FlagModel
import Platform

/// Reads which processes run an app; see ``PresenceFile``.
package struct RunningApps: Sendable {
    /// The running processes, and what is wrong with other files.
    package struct Reading: Sendable, Equatable {
        /// The processes, the one that started first at the start.
        package var apps: [RunningApp] = []
        /// Why files were ignored, one sentence each.
        package var warnings: [String] = []
        /// Whether an app may run that is not among ``apps``, because its announcement cannot be read or trusted.
        package var isIncomplete = false

        package init(apps: [RunningApp] = [], warnings: [String] = []) { (self.apps, self.warnings) = (apps, warnings) }

        mutating func sort() { apps.sort { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) } }
    }

    /// The end of the names of announcements.
    static let suffix = ".app.json"
    /// The maximum size of an announcement in bytes: about 10,000 declared flags.
    static let sizeLimit = 4 * 1_048_576
    /// The maximum number of files that are read.
    private static let fileLimit = 1_000
    /// The maximum number of other files in the folder that warnings name.
    private static let namedLimit = 20
    /// How often a file is opened again that was replaced between opening and checking it.
    private static let attemptLimit = 20

    /// The folder of the announcements.
    package let folder: String
    private let files: FileOperations
    private let user: UInt32

    /// The apps that announce themselves in a state folder.
    package init(in stateFolder: String) { self.init(in: stateFolder, files: .live, user: geteuid()) }

    init(in stateFolder: String, files: FileOperations, user: UInt32) {
        folder = Self.folder(in: stateFolder)
        self.files = files
        self.user = user
    }

    static func folder(in stateFolder: String) -> String { FilePath.join(stateFolder, "running") }

    /// Calls a handler after an app has started, ended, or changed what it announces.
    package func watch(_ handler: @escaping @Sendable () -> Void) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(namesIn: folder, files: files, onChange: handler)
    }

    /// Reads the announcements, and removes those of ended processes.
    package func read() -> Reading {
        var reading = Reading()
        let allNames: [String]
        do throws(SystemError) {
            allNames = try files.names(folder).sorted()
        } catch {
            // Without the folder, no app has ever announced itself.
            guard error.code != ENOENT else { return reading }
            reading.warnings.append("\(folder) cannot be read (\(error.text)), so running apps are not known.")
            reading.isIncomplete = true
            return reading
        }
        for name in allNames.filter({ !PresenceFile.isName($0) }).prefix(Self.namedLimit) {
            let path = FilePath.join(folder, name)
            reading.warnings.append(Self.warning(path, "its name is not that of an announcement"))
        }
        let names = allNames.filter(PresenceFile.isName)
        for name in names.prefix(Self.fileLimit) {
            let path = FilePath.join(folder, name)
            // A temporary file has a dot; it is only removed after its process has ended.
            let isTemporary = name.hasPrefix(".")
            switch content(of: path, isWanted: !isTemporary) {
            case .announcement(let bytes) where !isTemporary:
                do throws(AnnouncementError) {
                    let app = try RunningApp(parsing: bytes)
                    // A copy of another process's announcement would show it twice.
                    guard name == app.id + Self.suffix else {
                        throw AnnouncementError(reason: "its name is not that of the process in it")
                    }
                    reading.apps += app.apps(at: WallClock.milliseconds)
                } catch {
                    reading.warnings.append(Self.warning(path, error.reason))
                    reading.isIncomplete = true
                }
            case .announcement, .ended: break
            case .ignored(let reason):
                reading.warnings.append(Self.warning(path, reason))
                reading.isIncomplete = true
            }
        }
        if names.count > Self.fileLimit {
            reading.warnings.append("\(folder) has \(names.count) files; only \(Self.fileLimit) of them were read.")
            reading.isIncomplete = true
        }
        reading.sort()
        return reading
    }

    /// Removes the announcements of ended processes, without reading any.
    package func removeLeftovers() {
        for name in (try? files.names(folder)) ?? [] where PresenceFile.isName(name) {
            _ = content(of: FilePath.join(folder, name), isWanted: false)
        }
    }

    private static func warning(_ path: String, _ reason: String) -> String {
        "\(path) was ignored as the announcement of a running app: \(reason)."
    }

    /// The content of a file in the folder.
    private enum Content {
        case announcement([UInt8])
        /// The process has ended.
        case ended
        /// The file is not trusted; the reason is the end of a sentence.
        case ignored(reason: String)
    }

    /// The content of an announcement. Removes the file if its process has ended.
    ///
    /// - Parameter isWanted: whether the bytes are read; if not, they are empty.
    private func content(of path: String, isWanted: Bool) -> Content {
        do throws(SystemError) {
            for _ in 0..<Self.attemptLimit {
                if let content = try contentUnlessReplaced(path, isWanted) { return content }
            }
            return .ignored(reason: "it is replaced all the time")
        } catch {
            return error.code == ENOENT ? .ended : .ignored(reason: "it cannot be read (\(error.text))")
        }
    }

    /// The content of a file; `nil` if the file was replaced meanwhile.
    private func contentUnlessReplaced(_ path: String, _ isWanted: Bool) throws(SystemError) -> Content? {
        // Checked before opening: opening some devices has an effect.
        let named = try files.statusOfPath(path)
        if let reason = named.distrust(by: user) { return .ignored(reason: reason) }
        let file = try OpenFile(unfollowed: path, files: files)
        guard try file.status().isSameFile(as: named) else { return nil }
        guard try file.lockShared() else {
            guard isWanted else { return .announcement([]) }
            let bytes = try file.read(limit: Self.sizeLimit)
            guard bytes.count <= Self.sizeLimit else { return .ignored(reason: Self.sizeWarning) }
            return .announcement(bytes)
        }
        // The process has ended, or has replaced the file since it was opened.
        guard try files.statusOfPath(path).isSameFile(as: named) else { return nil }
        // If this fails, the next reader removes the file.
        _ = try? files.remove(path)
        return .ended
    }

    /// Why a file is ignored that is too large, as the end of a sentence.
    static let sizeWarning = "it has more than \(sizeLimit) bytes"
}

// Files that other processes wrote.
extension FileStatus {
    /// Why a user does not trust what is at a path, as the end of a sentence; `nil` for a regular file of the user.
    func distrust(by user: UInt32) -> String? {
        guard kind == .regular else { return "it is \(kind.rawValue)" }
        return owner == user ? nil : "it belongs to another user"
    }
}

extension OpenFile {
    /// Opens `path` for reading, without following a link or waiting for a writer.
    init(unfollowed path: String, files: FileOperations) throws(SystemError) {
        try self.init(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, files: files)
    }
}
