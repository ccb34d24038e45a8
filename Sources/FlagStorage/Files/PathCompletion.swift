import FlagModel

/// What a path may become that somebody has begun to type, as a shell completes it.
package enum PathCompletion {
    /// The paths that begin like what was typed, in order, folders with a slash at their end.
    ///
    /// - Parameters:
    ///   - typed: the beginning, which stays as it was written: `~/` stays `~/`.
    ///   - home: what `~/` means.
    ///   - folder: where paths start that are not absolute.
    package static func paths(completing typed: String, home: String, in folder: String) -> [String] {
        if typed == "~" { return ["~/"] }
        let slash = typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex
        let (start, begun) = (String(typed[..<slash]), String(typed[slash...]))
        let place = start.isEmpty ? folder : FilePath.typed(start, home: home, in: folder)
        // A folder that cannot be read completes nothing.
        let names = (try? DurableFile.names(in: place)) ?? []
        return names.filter { $0.hasPrefix(begun) && (begun.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted().map {
            start + $0 + (isFolder(FilePath.join(place, $0)) ? "/" : "")
        }
    }

    /// Whether a path leads to a folder, also by links.
    private static func isFolder(_ path: String) -> Bool {
        (try? ResolvedPath(following: path, files: .live))?.status?.kind == .folder
    }
}
