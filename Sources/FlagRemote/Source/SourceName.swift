import FlagModel

/// Names of sources in arguments and settings. A name of a service begins with its scheme, such as `https:`.
package enum SourceName {
    /// The name of standard input in arguments.
    package static let standardInput = "-"

    /// The source names in the arguments or, if there are none, in a variable, with absolute paths.
    ///
    /// - Parameters:
    ///   - arguments: one name each.
    ///   - variable: the value of the variable: names separated by `;` or line feeds.
    ///   - folder: the folder against which relative paths are resolved.
    ///   - services: the schemes of the supported services.
    package static func named(
        _ arguments: [String], or variable: String?, in folder: String, services: [String] = []
    ) -> [String] {
        let names =
            arguments.isEmpty
            ? variable?.split { $0 == ";" || $0.isNewline }.map(String.init) ?? [] : arguments
        return names.map { $0 == standardInput ? $0 : resolve($0, in: folder, services: services) }
    }

    /// The path of a file source, without the optional `file:`, or the name of a service.
    ///
    /// - Parameter services: the schemes of the supported services.
    /// - Throws: an error if the name begins with the scheme of another service.
    package static func path(_ name: String, services: [String] = []) throws(SourceNameError) -> String {
        if let path = withoutFileScheme(name) { return path }
        guard name.contains(":") else { return name }
        guard let scheme = scheme(of: name, services), !isKnown(scheme, services) else { return name }
        guard !services.isEmpty else {
            throw SourceNameError(
                sentence: "This version does not read sources of \"\(scheme):\". "
                    + "Save the remote document to a file and name that.")
        }
        let schemes = ["file"] + services
        throw SourceNameError(
            sentence: "Unknown source \"\(scheme):\"; known sources: "
                + schemes.map { "\($0):" }.joined(separator: ", ") + "."
                + NearestKeys.suggestion(about: scheme, among: schemes))
    }

    /// Makes the path in the name of a file absolute. The names of services are returned unchanged.
    package static func resolve(_ name: String, in folder: String, services: [String] = []) -> String {
        if let path = withoutFileScheme(name) { return FilePath.resolve(path, in: folder) }
        return name.contains(":") && scheme(of: name, services) != nil ? name : FilePath.resolve(name, in: folder)
    }

    /// The text after `file:` or `file://`; `nil` for other names.
    private static func withoutFileScheme(_ name: String) -> String? {
        guard name.hasPrefix("file:") else { return nil }
        return String(name.dropFirst(name.hasPrefix("file://") ? 7 : 5))
    }

    /// The text before the first colon if it is a known scheme, or if a URL follows; else `nil`, as for a path. An
    /// unknown scheme must have 2 to 30 letters, as errors show it.
    private static func scheme(of name: String, _ services: [String]) -> String? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let (scheme, place) = (String(name[..<colon]), name[colon...].dropFirst().lowercased())
        let isAddress = ["//", "http://", "https://"].contains(where: place.hasPrefix)
        let isWord = 2...30 ~= scheme.utf8.count && scheme.allSatisfy { $0.isASCII && $0.isLetter }
        return isKnown(scheme, services) || isAddress && isWord ? scheme : nil
    }

    /// Whether a scheme is that of a supported service. A source that reads https also reads http, from this machine.
    private static func isKnown(_ scheme: String, _ services: [String]) -> Bool {
        services.contains(scheme == "http" ? "https" : scheme)
    }
}

/// Why a name is not the name of a source.
package struct SourceNameError: Error, Hashable {
    /// The message: what is wrong, and how to fix it.
    package let sentence: String
}
