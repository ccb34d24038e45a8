package import FlagModel
package import FlagStorage
import Platform

/// Reads which processes run an app, and what the code of programs that have ended declared; see ``PresenceFile``.
package struct RunningApps: Sendable {
    /// The processes of an app, and what is wrong with other files.
    package struct Reading: Sendable, Equatable {
        /// The running processes, the one that started first at the start.
        package var apps: [RunningApp] = []
        /// The programs that have ended, the one that was seen last at the start.
        package var ended: [DeclaredFlags.Program] = []
        /// Why files were ignored, one sentence each.
        package var warnings: [String] = []
        /// Whether an app may run that is not among ``apps``, because its announcement cannot be read or trusted.
        package var isIncomplete = false
        /// The announcements by path, which the next reading does not read again.
        fileprivate var files: [String: Announcement] = [:]

        package init(apps: [RunningApp] = [], warnings: [String] = []) { (self.apps, self.warnings) = (apps, warnings) }

        /// The flags that the code of the app declares, also in programs that have ended.
        package var declared: DeclaredFlags {
            // The process that started last has the newest code.
            DeclaredFlags(apps.reversed().map { DeclaredFlags.Program($0, seenAt: nil) } + ended)
        }

        fileprivate mutating func ignore(_ path: String, _ reason: String) {
            warnings.append("\(path) was ignored as the announcement of a running app: \(reason).")
        }
    }

    /// The content of a file, which is replaced as a whole, and never changed.
    fileprivate struct Announcement: Sendable, Equatable {
        let file: FileStatus
        let app: RunningApp
    }

    /// The end of the names of announcements.
    static let suffix = AppFolders.announcementSuffix
    /// The maximum size of an announcement in bytes: about 10,000 declared flags.
    private static let sizeLimit = 4 * 1_048_576
    /// The maximum number of files that are read in a folder.
    private static let fileLimit = 1_000
    /// The maximum number of other files in the folder that warnings name.
    private static let namedLimit = 20
    /// How many ended programs are known; the ones seen last are.
    private static let programLimit = 50
    /// How often a file is opened again that was replaced between opening and checking it.
    private static let attemptLimit = 20

    /// The state folders of the app.
    private let stateFolders: [String]
    private let files: FileOperations

    /// The apps that announce themselves in state folders.
    package init(in stateFolders: [String], files: FileOperations = .live) {
        self.stateFolders = stateFolders.map(FilePath.trimmed)
        self.files = files
    }

    /// The state folders in which an app announces itself, and in which menus look: its own, and the folder of its
    /// overrides. A menu may have another home folder than the app.
    package static func stateFolders(state: String, store: String) -> [String] {
        DurableFile.isSame(state, store) ? [store] : [state, store]
    }

    private var folders: [String] { stateFolders.map(AppFolders.running) }

    /// Calls a handler after an app has started, ended, or changed what it announces.
    package func watch(_ handler: @escaping @Sendable () -> Void) throws(StorageError) -> [DirectoryWatch] {
        var watches: [DirectoryWatch] = []
        for folder in folders {
            watches.append(try DirectoryWatch(folder, namesIn: true, files: files, onChange: handler))
        }
        return watches
    }

    /// Whether a program has ever announced itself.
    package var hasAny: Bool { folders.contains(where: DurableFile.hasName) }

    /// Reads the announcements, and removes those of ended processes except the newest of each program.
    ///
    /// - Parameter old: an older reading, whose unchanged announcements are not read again.
    package func read(after old: Reading? = nil) -> Reading {
        var reading = Reading()
        for folder in folders { read(folder, after: old, into: &reading) }
        // A process that announces itself in several folders is listed once.
        var ids: Set<String> = []
        reading.apps = reading.apps.filter { ids.insert($0.id).inserted }.map(withKnownFolder)
            .sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
        reading.ended.sort { ($1.seenAt?.seconds ?? 0, $0.name) < ($0.seenAt?.seconds ?? 0, $1.name) }
        return reading
    }

    /// An app that uses the overrides in one of the folders by another path, with the path of this folder.
    private func withKnownFolder(_ app: RunningApp) -> RunningApp {
        guard let used = app.overrideFolder, !stateFolders.contains(used),
            let folder = stateFolders.first(where: { DurableFile.isSame($0, used) })
        else { return app }
        var app = app
        app.overrideFolder = folder
        return app
    }

    private func read(_ folder: String, after old: Reading?, into reading: inout Reading) {
        let allNames: [String]
        do throws(SystemError) {
            allNames = try files.names(folder).sorted()
        } catch {
            // Without the folder, no app has ever announced itself.
            guard error.code != ENOENT else { return }
            reading.warnings.append("\(folder) cannot be read (\(error.text)), so running apps are not known.")
            return reading.isIncomplete = true
        }
        for name in allNames.filter({ !PresenceFile.isName($0) }).prefix(Self.namedLimit) {
            reading.ignore(FilePath.join(folder, name), "its name is not that of an announcement")
        }
        let names = allNames.filter(PresenceFile.isName)
        var ended: [(path: String, announcement: Announcement)] = []
        for name in names.prefix(Self.fileLimit) {
            let path = FilePath.join(folder, name)
            do {
                guard let found = try announcement(at: path, after: old?.files[path]) else { continue }
                reading.files[path] = found.announcement
                if found.hasEnded {
                    ended.append((path, found.announcement))
                } else {
                    reading.apps.append(found.announcement.app)
                }
            } catch let error as SystemError where error.code == ENOENT {
                // Another reader has removed the file of an ended process.
                continue
            } catch {
                let cause = (error as? SystemError).map { "it cannot be read (\($0.text))" }
                reading.ignore(path, cause ?? (error as? InvalidText)?.sentence ?? "\(error)")
                reading.isIncomplete = true
            }
        }
        if names.count > Self.fileLimit {
            reading.warnings.append("\(folder) has \(names.count) files; only \(Self.fileLimit) of them were read.")
            reading.isIncomplete = true
        }
        reading.ended += keepNewest(ended, running: Set(reading.apps.filter { !$0.flags.isEmpty }.map(\.name)))
    }

    /// Removes the announcements of ended processes, except the newest of each program that declares flags, if no running
    /// process of the program does. Returns these programs.
    private func keepNewest(
        _ ended: [(path: String, announcement: Announcement)], running: Set<String>
    ) -> [DeclaredFlags.Program] {
        var known = running
        return ended.sorted { $0.announcement.file.modified > $1.announcement.file.modified }.compactMap {
            path, content in
            let (app, time) = (content.app, content.file.modified)
            guard !app.flags.isEmpty, known.count < running.count + Self.programLimit, known.insert(app.name).inserted
            else {
                // If this fails, the next reader removes the file.
                _ = try? files.remove(path)
                return nil
            }
            return DeclaredFlags.Program(app, seenAt: FlagTimestamp(seconds: time / 1_000_000_000))
        }
    }

    /// The announcement in a file, and whether its process has ended; `nil` if the file is being written, or an ended
    /// process did not complete it, so that it is removed.
    ///
    /// - Throws: a `SystemError`, or an `InvalidText` if the file is not trusted.
    private func announcement(
        at path: String, after old: Announcement?
    ) throws -> (announcement: Announcement, hasEnded: Bool)? {
        for _ in 0..<Self.attemptLimit {
            // Checked before opening: opening some devices has an effect.
            let named = try files.statusOfPath(path)
            guard named.kind == .regular else { throw InvalidText(sentence: "it is \(named.kind.rawValue)") }
            let file = try OpenFile(
                path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, files: files)
            guard try file.status().isSameFile(as: named) else { continue }
            // With the lock, the process has ended, or has replaced the file since it was opened.
            let hasEnded = try file.lockShared()
            if hasEnded, try !files.statusOfPath(path).isSameFile(as: named) { continue }
            let isTemporary = FilePath.name(of: path).hasPrefix(".")
            if isTemporary, !hasEnded { return nil }
            do {
                if isTemporary { throw InvalidText(sentence: "it is not complete") }
                let announcement = if let old, old.file == named { old } else { try read(file, named, at: path) }
                return (announcement, hasEnded)
            } catch {
                guard hasEnded else { throw error }
                _ = try? files.remove(path)
                return nil
            }
        }
        throw InvalidText(sentence: "it is replaced all the time")
    }

    private func read(_ file: borrowing OpenFile, _ status: FileStatus, at path: String) throws -> Announcement {
        let bytes = try file.read(limit: Self.sizeLimit)
        guard bytes.count <= Self.sizeLimit else {
            throw InvalidText(sentence: "it has more than \(Self.sizeLimit) bytes")
        }
        let app = try RunningApp(parsing: bytes)
        // A copy of another process's announcement would show it twice.
        guard FilePath.name(of: path) == app.id + Self.suffix else {
            throw InvalidText(sentence: "its name is not that of the process in it")
        }
        return Announcement(file: status, app: app)
    }
}
