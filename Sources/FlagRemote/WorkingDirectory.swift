import FlagModel
import Platform

/// The folder against which relative paths are resolved.
package enum WorkingDirectory {
    /// The path of the current working directory; `/` if it is not known.
    package static var path: String { known ?? "/" }

    /// The path of the current working directory; `nil` if it was removed or cannot be read.
    package static var known: String? {
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// Makes a path absolute.
    package static func resolve(_ path: String) -> String { FilePath.resolve(path, in: self.path) }
}
