import FlagModel
import Platform

/// The folder that relative paths start from.
package enum WorkingDirectory {
    /// The current one; the root if it is not known.
    package static var path: String { known ?? "/" }

    /// The current one; `nil` if it was removed or cannot be read.
    package static var known: String? {
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// Makes a path absolute.
    package static func resolve(_ path: String) -> String { FilePath.resolve(path, in: self.path) }
}
