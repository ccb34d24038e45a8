import FlagModel

/// Names of sources in arguments and settings. A name of a service begins with its scheme, such as `https:`.
package enum SourceName {
    /// The source names, with absolute paths: those of the arguments or, if there are none, those of a variable, which
    /// separates them by `;` or line feeds.
    package static func named(
        _ arguments: [String], or variable: String?, in folder: String, services: @autoclosure () -> [String] = []
    ) -> [String] {
        let names =
            arguments.isEmpty
            ? variable?.split { $0 == ";" || $0.isNewline }.map(String.init) ?? [] : arguments
        return names.map { resolve($0, in: folder, services: services()) }
    }

    /// The path of a file source, without the optional `file:`, or the name of a service.
    ///
    /// - Parameter services: the schemes that can be read; evaluated only if the name may begin with one.
    /// - Throws: a sentence if the name is that of another service.
    package static func path(_ name: String, services: @autoclosure () -> [String] = []) throws(SourceNameRefusal)
        -> String
    {
        if let path = withoutFileScheme(name) { return path }
        guard name.contains(":") else { return name }
        let services = services()
        guard let scheme = scheme(of: name, services), !isKnown(scheme, services) else { return name }
        guard !services.isEmpty else {
            throw SourceNameRefusal(
                sentence: "This version does not read sources of \"\(scheme):\". "
                    + "Save the remote document to a file and name that.")
        }
        let known = ["file"] + services
        throw SourceNameRefusal(
            sentence: "Unknown source \"\(scheme):\"; known sources: "
                + known.map { "\($0):" }.joined(separator: ", ") + "."
                + NearestKeys.question(about: scheme, among: known))
    }

    /// The name with an absolute path.
    package static func resolve(
        _ name: String, in folder: String, services: @autoclosure () -> [String] = []
    ) -> String {
        if let path = withoutFileScheme(name) { return FilePath.resolve(path, in: folder) }
        return name.contains(":") && scheme(of: name, services()) != nil ? name : FilePath.resolve(name, in: folder)
    }

    /// What follows `file:` or `file://`; `nil` for names without it.
    package static func withoutFileScheme(_ name: String) -> String? {
        guard name.hasPrefix("file:") else { return nil }
        return String(name.dropFirst(name.hasPrefix("file://") ? 7 : 5))
    }

    /// What precedes a colon if it is a known scheme, or if a URL follows, as paths begin otherwise. Unknown schemes
    /// must be a few letters, as they are shown.
    private static func scheme(of name: String, _ services: [String]) -> String? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let (scheme, rest) = (String(name[..<colon]), name[colon...].dropFirst().lowercased())
        let isAddress = ["//", "http://", "https://"].contains(where: rest.hasPrefix)
        let isWord = 2...30 ~= scheme.utf8.count && scheme.allSatisfy { $0.isASCII && $0.isLetter }
        return isKnown(scheme, services) || isAddress && isWord ? scheme : nil
    }

    /// A source that reads https reads http too, from this machine.
    private static func isKnown(_ scheme: String, _ services: [String]) -> Bool {
        services.contains(scheme == "http" ? "https" : scheme)
    }
}

/// Why a name is not the name of a source.
package struct SourceNameRefusal: Error, Hashable {
    /// What is wrong, and how to fix it.
    package let sentence: String
}
