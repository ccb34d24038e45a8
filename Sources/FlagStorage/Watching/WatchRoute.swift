import FlagModel

/// What must be looked at to notice every change of a file: the folder that it is in, the folders of symbolic links that
/// lead to it, and the folders above, which may be moved or removed under it.
struct WatchRoute: Sendable, Equatable {
    /// A name in a folder where the file, or something that leads to it, stands or may appear.
    struct Stop: Sendable, Hashable {
        let folder: String
        let name: String
    }

    /// Changes of these names matter.
    private(set) var stops: Set<Stop> = []
    /// Folders that matter when they are moved or removed themselves.
    private(set) var ancestors: Set<String> = []

    /// As many paths as are looked at: one for each link, of which the kernel follows 40 in one path.
    private static let pathLimit = 41

    /// The route to `path` as things are now.
    init(to path: String, files: FileOperations) {
        var pending = [path]
        var seen: Set<String> = []
        while let next = pending.popLast(), seen.count < Self.pathLimit {
            guard seen.insert(next).inserted else { continue }
            pending += add(next, files: files)
        }
    }

    /// Adds the stop of one path; returns the links on it and what it leads to, which need stops of their own.
    private mutating func add(_ path: String, files: FileOperations) -> [String] {
        var stop = Stop(folder: FilePath.folder(of: path), name: FilePath.name(of: path))
        var links: [String] = []
        for folder in Self.folders(above: path) {
            // What cannot be looked at counts as missing: nothing below it can be watched either.
            switch files.kind(of: folder) {
            case .folder: ancestors.insert(folder)
            case .link: links.append(folder)
            // What is missing appears in the nearest folder that is there.
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
