import DeveloperMenu
import FlagModel

/// What a run works with. Arguments win over the environment, which wins over the project file, which wins over defaults.
struct Settings {
    let app: String
    /// Absolute paths of file sources, first wins; empty means the built-in sample.
    let sources: [String]
    let defaults: String?
    let storeDirectory: String
    let cacheDirectory: String
    let launch: [String: String]
    let project: ProjectFile?
    let environment: Environment
    let isJSON: Bool
    let isQuiet: Bool
    let isColorAllowed: Bool
    /// The configuration as it is in force, read again while a menu is open: so that what the menu shows and what guards
    /// the store are the same.
    private(set) var followed: FollowedConfiguration

    var configuration: Configuration { followed.configuration }

    /// These settings with the configuration as its file is now, also where it is too broken to be in force.
    var withFileAsItIs: Settings {
        var settings = self
        settings.followed = FollowedConfiguration(configuration.readAgain())
        return settings
    }

    var preferences: Preferences { configuration.preferences }

    /// The sentence with which every change is refused; `nil` where changes are allowed.
    var readOnlyRefusal: String? {
        let configuration = configuration
        guard configuration.preferences.isReadOnly else { return nil }
        if let doubt = configuration.readOnlyDoubt {
            return "\(doubt) It may ask for read-only, so nothing was changed."
        }
        return "Read-only, as \(configuration.origin(of: "readOnly")) asks: nothing was changed."
    }

    /// With what number a refused change ends: being asked to refuse is no mistake, but not knowing it is one.
    var refusalStatus: ExitStatus { configuration.readOnlyDoubt == nil ? .store : .usage }

    /// `true` when nothing names a document of any kind, so that the sample is shown.
    var isSample: Bool { sources.isEmpty && defaults == nil }

    init(_ options: GlobalOptions, environment: Environment = .current()) throws(CommandFailure) {
        let project = try ProjectFile.find(from: environment.workingDirectory)
        self.project = project
        self.environment = environment
        let here = environment.workingDirectory
        let named =
            options.source.isEmpty
            ? environment["FLAGMENU_SOURCE"].map(Self.list) ?? [] : options.source
        let own = named.map { SourceName.resolve($0, in: here) }
        var paths: [String] = []
        for name in own.isEmpty ? project?.sources ?? [] : own { paths.append(try SourceName.path(name)) }
        sources = paths
        defaults =
            (options.defaults ?? environment["FLAGMENU_DEFAULTS"]).map { FilePaths.resolve($0, in: here) }
            ?? project?.defaults
        app = try Self.checked(
            options.app ?? environment["FLAGMENU_APP"] ?? project?.app ?? Self.appName(project, sources: paths))
        storeDirectory =
            (options.store ?? environment["FLAGMENU_STORE"]).map { FilePaths.resolve($0, in: here) }
            ?? project?.store ?? Places.state(app, environment)
        cacheDirectory = Places.cache(app, environment)
        launch = try LaunchValues.read(arguments: options.launch, variable: environment["FLAGMENU_LAUNCH"])
        isJSON = options.json
        isQuiet = options.quiet
        isColorAllowed = !options.noColor && environment["NO_COLOR"] == nil
        followed = FollowedConfiguration(try Configuration(options, environment, project))
    }

    private static func list(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == ";" || $0.isNewline }).map(String.init)
    }

    /// The project's folder, or the first word of the source's file name, or `sample`.
    private static func appName(_ project: ProjectFile?, sources: [String]) -> String {
        guard let first = sources.first else { return "sample" }
        if let project, project.sources.first == first { return FilePaths.name(of: project.folder) }
        return FilePaths.name(of: first).split(separator: ".").first.map(String.init) ?? "app"
    }

    /// An app id becomes the name of a folder, so it may not lead elsewhere.
    private static func checked(_ app: String) throws(CommandFailure) -> String {
        let isName = !app.isEmpty && app != "." && app != ".." && !app.contains("/") && !app.contains("\0")
        guard isName, app.utf8.count <= 200 else {
            throw CommandFailure(
                .usage,
                "\(JSONOutput.quoted(app, limit: 60)) cannot be an app id: it names a folder, so it needs 1 to 200 bytes without \"/\"."
            )
        }
        return app
    }
}

/// Where files are kept, after the XDG Base Directory Specification; on macOS in the Library unless XDG is set.
enum Places {
    /// The folder for an app's overrides and their history.
    static func state(_ app: String, _ environment: Environment) -> String {
        place(app, environment, variable: "XDG_STATE_HOME", unix: ".local/state", mac: "Library/Application Support")
    }

    /// The folder for last good remote values.
    static func cache(_ app: String, _ environment: Environment) -> String {
        place(app, environment, variable: "XDG_CACHE_HOME", unix: ".cache", mac: "Library/Caches")
    }

    /// The user's configuration file. Terminal users expect `~/.config`, on macOS too; where neither that nor
    /// `XDG_CONFIG_HOME` is in use, the Library it is there.
    static func configuration(_ environment: Environment, exists: (String) -> Bool) -> String {
        let dotted = "\(environment.homeDirectory)/.config"
        #if os(macOS)
            if environment["XDG_CONFIG_HOME"] == nil, !exists("\(dotted)/flagmenu") {
                return "\(environment.homeDirectory)/Library/Application Support/flagmenu/config.json"
            }
        #endif
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? dotted
        return "\(base)/flagmenu/config.json"
    }

    private static func place(
        _ app: String, _ environment: Environment, variable: String, unix: String, mac: String
    ) -> String {
        // The specification has relative paths ignored.
        if let base = environment[variable], base.hasPrefix("/") { return "\(base)/flagmenu/\(app)" }
        #if os(macOS)
            return "\(environment.homeDirectory)/\(mac)/flagmenu/\(app)"
        #else
            return "\(environment.homeDirectory)/\(unix)/flagmenu/\(app)"
        #endif
    }
}
