import FlagModel

/// The folders to watch for changes of a file: the folder of the file, the folders of symbolic links to the file, and
/// all folders above these, because a folder may be moved or removed.
struct WatchRoute: Sendable, Equatable {
    /// A name in a folder: the name of the file, or of a folder or link on its path. The name may not exist yet.
    struct Stop: Sendable, Hashable {
        let folder: String
        /// The name; `nil` for every name in the folder.
        let name: String?
    }

    /// The names whose changes matter.
    private(set) var stops: Set<Stop> = []
    /// The folders that are watched only for being moved or removed.
    private(set) var ancestors: Set<String> = []

    /// The maximum number of paths to follow: the given path, and one for each of the 40 links that the kernel follows.
    private static let pathLimit = 41

    /// The current route to `path`, or to the names in it if it is a folder.
    init(to path: String, namesIn isFolder: Bool = false, files: FileOperations) {
        var pending = [path]
        var seen: Set<String> = []
        while let next = pending.popLast(), seen.count < Self.pathLimit {
            guard seen.insert(next).inserted else { continue }
            pending += add(next, files: files)
        }
        if isFolder, files.kind(of: path) == .folder { stops.insert(Stop(folder: path, name: nil)) }
    }

    /// Adds the stop of one path; returns the links on the path and the target of the path, which need stops, too.
    private mutating func add(_ path: String, files: FileOperations) -> [String] {
        var stop = Stop(folder: FilePath.folder(of: path), name: FilePath.name(of: path))
        var links: [String] = []
        for folder in Self.folders(above: path) {
            // A folder that cannot be checked counts as missing, as nothing below it can be watched, either.
            switch files.kind(of: folder) {
            case .folder: ancestors.insert(folder)
            case .link: links.append(folder)
            // A missing folder will appear in its parent folder.
            default: stop = Stop(folder: FilePath.folder(of: folder), name: FilePath.name(of: folder))
            }
        }
        stops.insert(stop)
        if files.kind(of: path) == .link, let target = try? files.linkTarget(path) {
            links.append(FilePath.join(FilePath.folder(of: path), FilePath.trimmed(target)))
        }
        return links
    }

    /// The folders above `path`, the nearest first.
    private static func folders(above path: String) -> [String] {
        var folders = [FilePath.folder(of: path)]
        while let last = folders.last, FilePath.folder(of: last) != last { folders.append(FilePath.folder(of: last)) }
        return folders
    }
}
