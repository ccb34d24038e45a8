import FlagModel

/// The folders of an app's files, which the app and every menu use. The paths follow the XDG Base Directory
/// Specification; on Apple's systems, the folders are in the Library unless an XDG variable is set.
public struct AppFolders: Sendable, Hashable {
    /// The folder for overrides and their history.
    public let state: String
    /// The folder for last good remote values.
    public let cache: String

    /// The folders of an app.
    ///
    /// - Parameters:
    ///   - app: the app's id, which becomes the name of a folder; see ``isName(_:)``.
    ///   - home: the user's home directory.
    ///   - variable: returns the value of an environment variable; an empty value counts as not set.
    public init(app: String, home: String, variable: (String) -> String?) {
        func folder(_ name: String, unix: String, apple: String) -> String {
            // The specification says to ignore relative paths.
            if let base = variable(name), base.hasPrefix("/") { return "\(base)/flagmenu/\(app)" }
            #if canImport(Darwin)
            return "\(home)/\(apple)/flagmenu/\(app)"
            #else
            return "\(home)/\(unix)/flagmenu/\(app)"
            #endif
        }
        state = folder("XDG_STATE_HOME", unix: ".local/state", apple: "Library/Application Support")
        cache = folder("XDG_CACHE_HOME", unix: ".cache", apple: "Library/Caches")
    }

    /// The default app id: the file name of a source up to its first dot, or `sample` without a source.
    ///
    /// - Parameter source: the path of the first source.
    public static func app(of source: String?) -> String {
        guard let source else { return "sample" }
        return FilePath.name(of: source).split(separator: ".").first.map(String.init) ?? "app"
    }

    /// Whether an app id is valid as the name of a folder: 1 to 200 bytes without `/`, and neither `.` nor `..`.
    public static func isName(_ app: String) -> Bool {
        // Bytes: a slash with a combining character after it is another `Character`, but still divides a path.
        !app.isEmpty && app != "." && app != ".." && !app.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
            && app.utf8.count <= 200
    }

    /// The rule for app ids, as the end of a sentence.
    package static let rule =
        "use 1 to 200 bytes without \"/\", and not \".\" or \"..\"."

    /// Why an app id is not valid, as a sentence; `nil` if it is valid.
    package static func invalidReason(to app: String) -> String? {
        if isName(app) { return nil }
        return "\(JSONOutput.quoted(app, limit: 60)) cannot be an app id: \(rule)"
    }
}
