import FlagModel
import Platform

/// The folder that relative paths are meant from.
package enum WorkingDirectory {
    /// Where it is now; the root where it is gone.
    package static var path: String {
        guard let folder = getcwd(nil, 0) else { return "/" }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// A path from the root.
    package static func resolve(_ path: String) -> String { FilePath.resolve(path, in: self.path) }
}
