import FlagModel
import Platform

// Where a path leads, after all links in it are followed. Files that are created or replaced after such a check are not
// covered.
extension DurableFile {
    /// Whether a path leads to a folder, or to a place inside it, existing or not. `false` if that is not known.
    ///
    /// This is the only decision about what is inside a folder. It compares bytes: Swift considers a name in two Unicode
    /// forms equal, but these may be two files.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        guard let place = try? realPath(path), let folder = try? realPath(folder) else { return false }
        return FilePath.join(place, "").utf8.starts(with: FilePath.join(folder, "").utf8)
    }

    /// The absolute path with all links followed. If the file is missing, the path where a write would create it; if
    /// the path cannot be followed, the path itself.
    package static func destination(of path: String) -> String { (try? realPath(path)) ?? path }

    /// Follows an absolute path part by part, as the system does: `link/..` is the folder above the target of the link.
    ///
    /// - Throws: why a part of the path is not known.
    static func realPath(_ path: String, files: FileOperations = .live) throws(SystemError) -> String {
        // The system would end the path there.
        guard !path.utf8.contains(0) else { throw SystemError(call: "lstat", code: EINVAL) }
        var place = "/"
        var names = reversedNames(in: path)
        var linkCount = 0
        while let name = names.popLast() {
            let inner = FilePath.join(place, name)
            if name == "." {
                continue
            } else if name == ".." {
                place = FilePath.folder(of: place)
            } else if try files.isLink(inner) {
                guard linkCount < ResolvedPath.linkLimit else { throw SystemError(call: "readlink", code: ELOOP) }
                linkCount += 1
                let target = try uninterrupted(files.linkTarget(inner))
                if target.utf8.first == UInt8(ascii: "/") { place = "/" }
                names += reversedNames(in: target)
            } else {
                // Below a missing folder, nothing is a link. A write would create the folder.
                place = inner
            }
        }
        return place
    }

    /// The names in a path, the last one first. Split as bytes, because a slash with a combining character after it is
    /// another `Character`.
    private static func reversedNames(in path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
    }
}

extension FileOperations {
    /// Whether a path is that of a link. It is not if it cannot exist, because a part of it is a file or too long.
    fileprivate func isLink(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return try statusIfPresent(path)?.kind == .link
        } catch {
            guard error.code == ENOTDIR || error.code == ENAMETOOLONG else { throw error }
            return false
        }
    }
}
