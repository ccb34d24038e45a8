import FlagModel
import Platform

/// The folder that relative paths are meant from.
package enum WorkingDirectory {
    /// Where it is now; the root if that is not known.
    package static var path: String { known ?? "/" }

    /// Where it is now; `nil` if it was removed or cannot be read.
    package static var known: String? {
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// A path from the root.
    package static func resolve(_ path: String) -> String { FilePath.resolve(path, in: self.path) }
}
