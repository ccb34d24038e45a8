import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage

/// The documents in a folder that can be read as sources. They are offered if the user names no source.
enum ReadableDocuments {
    /// The file names of the documents: typical names first, each group sorted by name.
    static func names(in folder: String) -> [String] { Array(all(in: folder)) }

    /// The first of these names. No further documents are read.
    static func first(in folder: String) -> String? { all(in: folder).first { _ in true } }

    private static func all(in folder: String) -> some Sequence<String> {
        let names = ((try? DurableFile.names(in: folder)) ?? []).sorted().filter(isCandidate).prefix(candidateLimit)
        let ordered = names.filter(hasTypicalName) + names.filter { !hasTypicalName($0) }
        return ordered.lazy.filter { isReadable(FilePath.join(folder, $0)) }
    }

    /// The maximum number of files to try: reading all files of a large folder would take too long.
    private static let candidateLimit = 50
    /// The maximum size in bytes of a document that is offered.
    private static let sizeLimit = 8 << 20
    /// JSON files of other tools, which could be mistaken for keys and values.
    private static let foreignNames: Set<String> = [
        ProjectFile.name, "package.json", "package-lock.json", "composer.json", "tsconfig.json", "manifest.json",
        "google-services.json",
    ]

    private static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".json", ".plist", ".xml"].contains { name.hasSuffix($0) } && !name.hasPrefix(".")
            && !foreignNames.contains(name)
    }

    private static func hasTypicalName(_ name: String) -> Bool {
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
