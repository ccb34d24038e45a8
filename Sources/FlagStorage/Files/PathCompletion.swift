import FlagModel

/// Completes a typed path, as a shell does.
package enum PathCompletion {
    /// The paths that begin with the typed text, in order, folders with a trailing slash.
    ///
    /// - Parameters:
    ///   - typed: the typed text, which is preserved: `~/` stays `~/`.
    ///   - home: what `~/` stands for.
    ///   - folder: where relative paths start.
    package static func paths(completing typed: String, home: String, in folder: String) -> [String] {
        if typed == "~" { return ["~/"] }
        let slash = typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex
        let (start, begun) = (String(typed[..<slash]), String(typed[slash...]))
        let place = start.isEmpty ? folder : FilePath.typed(start, home: home, in: folder)
        // A folder that cannot be read has no completions.
        let names = (try? DurableFile.names(in: place)) ?? []
        return names.filter { $0.hasPrefix(begun) && (begun.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted().map {
            start + $0 + (isFolder(FilePath.join(place, $0)) ? "/" : "")
        }
    }

    /// Whether a path is a folder, also through links.
    private static func isFolder(_ path: String) -> Bool {
        (try? ResolvedPath(following: path, files: .live))?.status?.kind == .folder
    }
}
