import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage

/// The readable documents of a folder, to offer if the user named none.
enum ReadableDocuments {
    /// Their names: typical names first, then by name.
    static func names(in folder: String) -> [String] { Array(all(in: folder)) }

    /// The first of them. No further document is read.
    static func first(in folder: String) -> String? { all(in: folder).first { _ in true } }

    private static func all(in folder: String) -> some Sequence<String> {
        let names = ((try? DurableFile.names(in: folder)) ?? []).sorted().filter(isCandidate).prefix(candidateLimit)
        let ordered = names.filter(isNamedLikeOne) + names.filter { !isNamedLikeOne($0) }
        return ordered.lazy.filter { isReadable(FilePath.join(folder, $0)) }
    }

    /// A folder with more files than this is not for documents; reading them all takes too long.
    private static let candidateLimit = 50
    /// In bytes. Larger files are not documents for a first try.
    private static let sizeLimit = 8 << 20
    /// JSON files of other tools, which could be read as keys and values.
    private static let others: Set<String> = [
        ProjectFile.name, "package.json", "package-lock.json", "composer.json", "tsconfig.json", "manifest.json",
        "google-services.json",
    ]

    private static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".json", ".plist", ".xml"].contains { name.hasSuffix($0) } && !name.hasPrefix(".")
            && !others.contains(name)
    }

    private static func isNamedLikeOne(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["config", "template", "remote", "flag"].contains { name.contains($0) }
    }

    private static func isReadable(_ path: String) -> Bool {
        guard let bytes = try? SourceFileBytes(path: path, limit: sizeLimit).bytes,
            let document = try? FileSource(path: path).decode(bytes)
        else { return false }
        return document.values.count > 0 || document.catalog?.items.isEmpty == false
    }
}
