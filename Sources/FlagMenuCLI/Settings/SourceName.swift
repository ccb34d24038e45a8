import FlagModel
import FlagStorage

/// Names of sources as arguments and settings spell them.
enum SourceName {
    /// The path of a file source, without the optional `file:`.
    static func path(_ name: String) throws(CommandFailure) -> String {
        if let path = withoutFileScheme(name) { return path }
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
        if let path = withoutFileScheme(name) { return FilePath.resolve(path, in: folder) }
        return scheme(of: name) == nil ? FilePath.resolve(name, in: folder) : name
    }

    /// What stands behind `file:` or `file://`; `nil` for names without it.
    private static func withoutFileScheme(_ name: String) -> String? {
        guard name.hasPrefix("file:") else { return nil }
        return String(name.dropFirst(name.hasPrefix("file://") ? 7 : 5))
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
