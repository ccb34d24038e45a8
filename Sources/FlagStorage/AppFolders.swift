import FlagModel
import Platform

/// The folders of an app's files, which the app and every menu use. The paths follow the XDG Base Directory
/// Specification; on Apple's systems, the folders are in the Library unless an XDG variable is set.
public struct AppFolders: Sendable, Hashable {
    /// The folder for overrides and their history.
    public let state: String
    /// The folder for last good remote values.
    public let cache: String

    /// The folders of an app.
    ///
    /// - Parameters:
    ///   - app: the app's id, which becomes the name of a folder; see ``isName(_:)``.
    ///   - home: the user's home directory.
    ///   - variable: returns the value of an environment variable; an empty value counts as not set.
    public init(app: String, home: String, variable: (String) -> String?) {
        func folder(_ name: String, unix: String, apple: String) -> String {
            // The specification says to ignore relative paths.
            if let base = variable(name), base.hasPrefix("/") { return "\(base)/flagmenu/\(app)" }
            #if canImport(Darwin)
            return "\(home)/\(apple)/flagmenu/\(app)"
            #else
            return "\(home)/\(unix)/flagmenu/\(app)"
            #endif
        }
        state = folder("XDG_STATE_HOME", unix: ".local/state", apple: "Library/Application Support")
        cache = folder("XDG_CACHE_HOME", unix: ".cache", apple: "Library/Caches")
    }

    /// The folder in which the processes of an app announce themselves, in its state folder.
    package static func running(in state: String) -> String { FilePath.join(state, "running") }

    /// The end of the names of announcements. Each process has the lock of its announcement as long as it runs.
    package static let announcementSuffix = ".app.json"

    /// The ids of the processes that announce themselves in a folder and still run. If that cannot be found out, such as
    /// without a free descriptor, a process counts as running: what depends on it must not end early.
    ///
    /// - Parameter ids: the ids of the processes to look for; `nil` for all.
    static func runningIDs(in folder: String, among ids: Set<String>?, files: FileOperations) -> Set<String> {
        // Without the folder, no process has ever announced itself.
        let names = ids?.map { $0 + announcementSuffix } ?? (try? files.names(folder)) ?? []
        return Set(
            names.filter { name in
                !name.hasPrefix(".") && name.hasSuffix(announcementSuffix)
                    && mayRun(FilePath.join(folder, name), files: files)
            }.map { String($0.dropLast(announcementSuffix.count)) })
    }

    /// Whether the process with an announcement may run.
    private static func mayRun(_ announcement: String, files: FileOperations) -> Bool {
        do throws(SystemError) {
            guard try files.statusIfPresent(announcement)?.kind == .regular else { return false }
            let file = try OpenFile(reading: announcement, files: files)
            guard try file.lockShared() else { return true }
            // A process that runs may have replaced the file, and closed this one, since it was opened.
            return try !files.statusOfPath(announcement).isSameFile(as: file.status())
        } catch {
            return error.code != ENOENT
        }
    }

    /// The app id of the built-in sample.
    public static let sampleApp = "sample"

    /// The app id of a document that is opened without an app: its ``name(ofDocument:)`` and a hash of its path, so that
    /// documents of the same name in two folders do not share their overrides.
    ///
    /// - Parameter path: the absolute path of the document. Links in the path of its folder are followed.
    public static func app(ofDocument path: String) -> String {
        let place = FilePath.join(DurableFile.destination(of: FilePath.folder(of: path)), FilePath.name(of: path))
        return "\(name(ofDocument: path))-\(FNV1a.digits(of: Array(place.utf8)).prefix(8))"
    }

    /// Whether an app id has the form of ``app(ofDocument:)``.
    package static func isOfDocument(_ app: String) -> Bool {
        app.dropLast(8).last == "-" && app.suffix(8).allSatisfy { "0123456789abcdef".contains($0) }
    }

    /// The name of a document's app without its hash: the file name up to the first dot.
    public static func name(ofDocument path: String) -> String {
        let name = FilePath.name(of: path).split(separator: ".").first.map(String.init) ?? "document"
        // The file names of all systems end at 255 bytes, and the hash must fit, too.
        return String(decoding: name.utf8.prefix(180), as: UTF8.self)
    }

    /// Whether an app id is valid as the name of a folder: 1 to 200 bytes without `/`, and neither `.` nor `..`.
    public static func isName(_ app: String) -> Bool {
        // Bytes: a slash with a combining character after it is another `Character`, but still divides a path.
        !app.isEmpty && app != "." && app != ".." && !app.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
            && app.utf8.count <= 200
    }

    /// Why an app id is not valid, as a sentence; `nil` if it is valid.
    package static func invalidReason(to app: String) -> String? {
        if isName(app) { return nil }
        return "\(JSONOutput.quoted(app, limit: 60)) cannot be an app id: use 1 to 200 bytes without \"/\", and not "
            + "\".\" or \"..\"."
    }
}
