/// Paths as text; nothing here looks at the disk.
enum FilePaths {
    /// The folder that a path lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// A path as it is meant from a folder.
    static func resolve(_ path: String, in folder: String) -> String {
        if path.hasPrefix("/") { return path }
        let trimmed = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return join(folder, trimmed)
    }
}

/// Names of sources as arguments and settings spell them.
enum SourceName {
    /// The path of a file source, without the optional `file:`.
    static func path(_ name: String) throws(CommandFailure) -> String {
        if name.hasPrefix("file:") { return String(name.dropFirst(name.hasPrefix("file://") ? 7 : 5)) }
        if let scheme = scheme(of: name) {
            throw CommandFailure(
                .usage,
                "This version reads sources from files only, not from \"\(scheme):\". "
                    + "Save the remote document to a file and name that.")
        }
        return name
    }

    /// The name with its path made absolute.
    static func resolve(_ name: String, in folder: String) -> String {
        if name.hasPrefix("file:") {
            return FilePaths.resolve(String(name.dropFirst(name.hasPrefix("file://") ? 7 : 5)), in: folder)
        }
        return scheme(of: name) == nil ? FilePaths.resolve(name, in: folder) : name
    }

    /// What stands before a colon where it looks like the name of a service.
    private static func scheme(of name: String) -> Substring? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let scheme = name[..<colon]
        let isKnown = ["http", "https", "firebase", "cloudkit", "ofrep", "unleash", "launchdarkly", "split"]
            .contains(String(scheme))
        return isKnown ? scheme : nil
    }
}
