import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage

/// The documents of flags in a folder and up to two folders below it. They are offered if the user names no source.
package enum ReadableDocuments {
    /// The paths of the documents, relative to the folder: the template that `firebase.json` names, then those with
    /// typical names, then others.
    package static func names(in folder: String) -> [String] {
        var places: Set<String> = []
        let names = (firebaseTemplates(in: folder) + candidates(in: folder)).prefix(candidateLimit).filter { name in
            let path = FilePath.join(folder, name)
            // A link may lead out of the folder, or to a document that is listed already.
            return DurableFile.isInside(path, folder) && places.insert(DurableFile.destination(of: path)).inserted
                && isOfFlags(path)
        }
        // A name in a cloned repository must not be read as that of a service, standard input, or the home folder.
        return names.map { $0.contains(":") || $0.hasPrefix("~") || $0 == "-" ? "./\($0)" : $0 }
    }

    /// The keys of the flags of a document; `nil` if it cannot be read.
    static func keys(of path: String) -> Set<FlagText>? {
        guard !PipeSource.isPipe(path), let document = document(at: path) else { return nil }
        return Set(document.values.keys).union(document.catalog?.items.map(\.key) ?? [])
    }

    private static func document(at path: String) -> RemoteDocument? {
        (try? SourceFileBytes(path: path, limit: sizeLimit).bytes).flatMap { try? FileSource(path: path).decode($0) }
    }

    /// The maximum number of files to read: reading all files of a large folder would take too long.
    private static let candidateLimit = 50
    /// The maximum number of folders to search.
    private static let folderLimit = 200
    /// The maximum size in bytes of a document that is offered.
    private static let sizeLimit = 2 << 20
    /// Files of other tools, which could be mistaken for keys and values.
    private static let foreignNames: Set<String> = [
        ProjectFile.name, "package.json", "package-lock.json", "composer.json", "tsconfig.json", "jsconfig.json",
        "manifest.json", "google-services.json", "firebase.json", "prettier.json", "settings.json", "mkdocs.yml",
    ]
    /// Folders that tools fill.
    private static let foreignFolders: Set<String> = [
        "node_modules", "pods", "carthage", "deriveddata", "build", "dist", "target", "vendor", "out", "coverage",
        "venv", "third_party",
    ]

    /// Where Android apps have their in-app defaults, deeper than folders are searched.
    private static let deepNames = ["", "android/"].map { "\($0)app/src/main/res/xml/remote_config_defaults.xml" }

    /// The templates of Remote Config that the `firebase.json` of a folder names.
    private static func firebaseTemplates(in folder: String) -> [String] {
        guard let bytes = try? SourceFileBytes(path: FilePath.join(folder, "firebase.json"), limit: sizeLimit).bytes,
            let config = (try? JSONDocument(parsing: bytes))?.root["remoteconfig"]
        else { return [] }
        let configs = config.kind == .array ? Array(config.elements) : [config]
        return configs.compactMap { $0["template"]?.text?.string }.map {
            $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0
        }
    }

    /// The paths that may be documents: typical names first, each group from the outer folders to the inner ones.
    private static func candidates(in folder: String) -> [String] {
        var candidates: [String] = []
        var folders = [""]
        var searchedCount = 0
        for _ in 0...2 {
            var inner: [String] = []
            for place in folders {
                searchedCount += 1
                guard searchedCount <= folderLimit else { break }
                let names = ((try? DurableFile.names(in: FilePath.join(folder, place))) ?? []).sorted()
                candidates += names.filter(isCandidate).map { place + $0 }
                inner += names.filter(mayBeFolder).map { "\(place)\($0)/" }
            }
            folders = inner
        }
        candidates += deepNames
        return (0...typicalNames.count).flatMap { rank in candidates.filter { self.rank(of: $0) == rank } }
    }

    /// Whether a name may be that of a folder with documents. Names with a dot, which are mostly files, are not.
    private static func mayBeFolder(_ name: String) -> Bool {
        !name.contains(".") && !foreignFolders.contains(name.lowercased())
    }

    private static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".json", ".jsonc", ".yaml", ".yml", ".plist", ".xml"].contains { name.hasSuffix($0) }
            && !name.hasPrefix(".") && !foreignNames.contains(name)
    }

    /// Parts of typical names: of flags, then of what may be flags.
    private static let typicalNames = [
        ["flag", "remote", "toggle", "feature", "experiment", "template"], ["default", "config"],
    ]

    /// The place of a path among the typical names; their number for other names.
    private static func rank(of path: String) -> Int {
        let name = FilePath.name(of: path).lowercased()
        return typicalNames.firstIndex { $0.contains(where: name.contains) } ?? typicalNames.count
    }

    private static func hasTypicalName(_ path: String) -> Bool { rank(of: path) < typicalNames.count }

    /// Whether a file contains flags. Every JSON object can be one of keys and values, so without a catalog its name or
    /// its values must say so.
    private static func isOfFlags(_ path: String) -> Bool {
        guard let document = document(at: path) else { return false }
        let hasCatalog = document.catalog?.items.isEmpty == false
        guard hasCatalog || document.values.count > 0 else { return false }
        switch document.kind {
        case .template, .evaluated, .definitions, .catalogOnly, .announced: return true
        case .defaults: return hasTypicalName(path)
        case .values:
            let values = document.values
            let boolCount = values.keys.count { ["true", "false"].contains(values[$0]?.string) }
            // JSON in a text is usual for Remote Config.
            let hasStructure = document.types.values.contains(.json)
            // A file with the schema of another tool needs a name that says flags, not only configuration.
            let hasOtherSchema = values["$schema"].map { !$0.string.lowercased().contains("flag") } ?? false
            if hasCatalog { return true }
            if hasOtherSchema || hasStructure { return rank(of: path) == 0 && (boolCount > 0 || !hasStructure) }
            return hasTypicalName(path) || boolCount * 2 >= values.count
        }
    }
}
