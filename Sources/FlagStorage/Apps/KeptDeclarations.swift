package import FlagModel
import Platform

/// The last declarations of the programs of an app. They stay known after the programs have ended, also after
/// `kill -9`: each program writes its own file at its start, and not at its end.
package struct KeptDeclarations: Sendable {
    /// The declarations, and what is wrong with other files.
    package struct Reading: Sendable, Equatable {
        /// The programs, the one that was seen last at the start.
        package var programs: [DeclaredFlags.Program] = []
        /// Why files were ignored, one sentence each.
        package var warnings: [String] = []
        /// The files, by which a change is noticed.
        fileprivate var files: [File] = []
    }

    /// A file in the folder, and what `stat` says about it; `nil` if that is not known.
    fileprivate struct File: Sendable, Equatable {
        let name: String
        let status: FileStatus?
    }

    private static let suffix = ".declared.json"
    /// How many programs are known; the ones seen last are.
    static let programLimit = 50

    /// The folder of the declarations.
    package let folder: String
    private let files: FileOperations
    private let user: UInt32

    /// The declarations in an app's state folder.
    package init(in stateFolder: String) { self.init(in: stateFolder, files: .live, user: geteuid()) }

    init(in stateFolder: String, files: FileOperations, user: UInt32) {
        folder = FilePath.join(stateFolder, "declared")
        self.files = files
        self.user = user
    }

    /// Replaces the declaration of a program. Does not wait for the disk: the program writes it again at its next start.
    ///
    /// - Parameter time: when the program was seen.
    package func write(_ program: DeclaredFlags.Program, at time: FlagTimestamp) throws(StorageError) {
        let isName = AppFolders.isName(program.name) && !program.name.hasPrefix(".")
        let name = (isName ? program.name : "program") + Self.suffix
        let path = FilePath.join(folder, name)
        do throws(SystemError) {
            try Folders.create(folder, files: files)
            try replace(path, temporary: FilePath.join(folder, ".\(name)"), with: program.text(seenAt: time))
        } catch {
            throw .writing(path, error)
        }
        removeOldest()
    }

    /// Writes a temporary file, and renames it. Unlike a durable write, this replaces a link instead of its target.
    private func replace(_ path: String, temporary: String, with text: some Sequence<String>) throws(SystemError) {
        // A pipe of that name must not block the announcements of the app.
        let file = try OpenFile(
            temporary, flags: O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: FileReplacement.privateMode,
            files: files)
        // If another process of the program is writing, or has just written, its declaration is as good as this one.
        guard try file.lock(), let named = try? files.statusOfPath(temporary), try file.status().isSameFile(as: named)
        else { return }
        try file.truncate(to: 0)
        try file.write(text)
        try uninterrupted { () throws(SystemError) in try files.rename(temporary, path) }
    }

    private func removeOldest() {
        let names = ((try? files.names(folder)) ?? []).filter { $0.hasSuffix(Self.suffix) }
        guard names.count > Self.programLimit else { return }
        let paths = names.map { FilePath.join(folder, $0) }
        let dated = paths.map { ((try? files.statusOfPath($0))?.modified ?? 0, $0) }.sorted { $0.0 > $1.0 }
        // If this fails, the next write removes the files.
        for (_, path) in dated.dropFirst(Self.programLimit) { _ = try? files.remove(path) }
    }

    /// Reads the declarations.
    ///
    /// - Parameter old: an older reading of the folder, which is returned if no file has changed.
    package func read(after old: Reading? = nil) -> Reading {
        var reading = Reading()
        let allNames: [String]
        do throws(SystemError) {
            allNames = try files.names(folder)
        } catch {
            // Without the folder, no program has ever declared flags.
            if error.code != ENOENT {
                reading.warnings.append(
                    "\(folder) cannot be read (\(error.text)), so the flags of ended apps are not known.")
            }
            return reading
        }
        // Names with a dot are temporary files.
        let names = allNames.filter { !$0.hasPrefix(".") }.sorted()
        // Before the files are read: a change in between is noticed by the next reading.
        reading.files = names.prefix(2 * Self.programLimit).map { name in
            File(name: name, status: try? files.statusOfPath(FilePath.join(folder, name)))
        }
        if let old, old.files == reading.files { return old }
        for name in reading.files.map(\.name) {
            let path = FilePath.join(folder, name)
            do throws(AnnouncementError) {
                guard name.hasSuffix(Self.suffix) else {
                    throw AnnouncementError(reason: "its name is not that of a declaration")
                }
                if let bytes = try content(of: path) { reading.programs.append(try .init(parsing: bytes)) }
            } catch {
                reading.warnings.append("\(path) was ignored as the declaration of a program: \(error.reason).")
            }
        }
        reading.programs.sort { left, right in
            left.seenAt == right.seenAt
                ? left.name < right.name : (left.seenAt?.seconds ?? 0) > (right.seenAt?.seconds ?? 0)
        }
        return reading
    }

    /// The bytes of a file; `nil` if it is empty, as after a power cut, or was removed.
    ///
    /// - Throws: why the file is not trusted.
    private func content(of path: String) throws(AnnouncementError) -> [UInt8]? {
        let (bytes, distrust): ([UInt8], String?)
        do throws(SystemError) {
            // Checked before opening: opening some devices has an effect.
            distrust = try files.statusOfPath(path).distrust(by: user)
            bytes =
                distrust == nil
                ? try OpenFile(unfollowed: path, files: files).read(limit: RunningApps.sizeLimit) : []
        } catch {
            guard error.code != ENOENT else { return nil }
            throw AnnouncementError(reason: "it cannot be read (\(error.text))")
        }
        if let distrust { throw AnnouncementError(reason: distrust) }
        guard bytes.count <= RunningApps.sizeLimit else { throw AnnouncementError(reason: RunningApps.sizeWarning) }
        return bytes.isEmpty ? nil : bytes
    }
}
