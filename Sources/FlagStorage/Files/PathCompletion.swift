import FlagModel

/// Completes a typed path, as a shell does.
package enum PathCompletion {
    /// The existing paths that begin with the typed text, sorted, folders with a trailing slash.
    ///
    /// - Parameters:
    ///   - typed: the typed text. Each result begins with this text, even with `~/`.
    ///   - home: the home directory, for `~/`.
    ///   - folder: the folder from which relative paths are resolved.
    package static func paths(completing typed: String, home: String, in folder: String) -> [String] {
        if typed == "~" { return ["~/"] }
        let slash = typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex
        let (typedFolder, prefix) = (String(typed[..<slash]), String(typed[slash...]))
        let searched = typedFolder.isEmpty ? folder : FilePath.typed(typedFolder, home: home, in: folder)
        // A folder that cannot be read has no completions.
        let names = (try? DurableFile.names(in: searched)) ?? []
        return names.filter { $0.hasPrefix(prefix) && (prefix.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted().map {
            typedFolder + $0 + (DurableFile.status(of: FilePath.join(searched, $0))?.kind == .folder ? "/" : "")
        }
    }
}
