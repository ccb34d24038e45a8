import FlagModel

/// Names of sources as arguments and settings spell them.
package enum SourceName {
    /// The names that were meant, with their paths made absolute: those of arguments, or where there are none, those of a
    /// variable, which separates them by `;` or line feeds.
    package static func named(_ arguments: [String], or variable: String?, in folder: String) -> [String] {
        let names =
            arguments.isEmpty
            ? variable?.split { $0 == ";" || $0.isNewline }.map(String.init) ?? [] : arguments
        return names.map { resolve($0, in: folder) }
    }

    /// The path of a file source, without the optional `file:`, or a service as it is named.
    ///
    /// - Parameter services: the services that can be read, such as `ofrep`; looked at only where the name is of any.
    /// - Throws: a sentence where the name is that of another service.
    package static func path(_ name: String, services: @autoclosure () -> [String] = []) throws(SourceNameRefusal)
        -> String
    {
        if let path = withoutFileScheme(name) { return path }
        if let scheme = unknownScheme(of: name) {
            let known = ["file"] + services()
            throw SourceNameRefusal(
                sentence: "There are no sources of \"\(scheme):\"; those that there are: "
                    + known.map { "\($0):" }.joined(separator: ", ") + "."
                    + NearestKeys.question(about: scheme, among: known))
        }
        // What reads https reads http too, from this machine.
        if let scheme = scheme(of: name), !services().contains(scheme == "http" ? "https" : String(scheme)) {
            throw SourceNameRefusal(
                sentence: "This version does not read sources of \"\(scheme):\". "
                    + "Save the remote document to a file and name that.")
        }
        return name
    }

    /// The name with its path made absolute.
    package static func resolve(_ name: String, in folder: String) -> String {
        if let path = withoutFileScheme(name) { return FilePath.resolve(path, in: folder) }
        return scheme(of: name) == nil && unknownScheme(of: name) == nil ? FilePath.resolve(name, in: folder) : name
    }

    /// What stands behind `file:` or `file://`; `nil` for names without it.
    private static func withoutFileScheme(_ name: String) -> String? {
        guard name.hasPrefix("file:") else { return nil }
        return String(name.dropFirst(name.hasPrefix("file://") ? 7 : 5))
    }

    /// What stands before a colon and an address of HTTP, or before `://`, where it looks like the name of a service that there
    /// is not: a path begins otherwise. Only letters and few of them, as it is shown.
    private static func unknownScheme(of name: String) -> String? {
        guard scheme(of: name) == nil, let colon = name.firstIndex(of: ":") else { return nil }
        let (scheme, rest) = (name[..<colon], name[colon...].dropFirst().lowercased())
        guard 2...30 ~= scheme.utf8.count, scheme.allSatisfy({ $0.isASCII && $0.isLetter }),
            ["//", "http://", "https://"].contains(where: rest.hasPrefix)
        else { return nil }
        return String(scheme)
    }

    /// What stands before a colon where it looks like the name of a service: apps without any of them have to know it from the
    /// path of a file as well.
    private static func scheme(of name: String) -> Substring? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let scheme = name[..<colon]
        let isKnown = ["http", "https", "firebase", "cloudkit", "ofrep", "unleash", "launchdarkly", "split"]
            .contains(String(scheme))
        return isKnown ? scheme : nil
    }
}

/// Why a name is that of no source.
package struct SourceNameRefusal: Error, Hashable {
    /// What is wrong, and what to do.
    package let sentence: String
}
