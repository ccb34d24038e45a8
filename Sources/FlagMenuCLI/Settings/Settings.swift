import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage

/// The settings of a run. Arguments win over the environment, which wins over the project file, which wins over
/// defaults.
struct Settings {
    let app: String
    /// The remote sources, the first wins; if empty, the built-in sample.
    let sources: [SourceSettings]
    /// The available kinds of sources.
    let registry: SourceRegistry
    let defaults: String?
    let storeDirectory: String
    /// The app's own state folder, even if the store is elsewhere.
    let stateDirectory: String
    let cacheDirectory: String
    let launch: [String: String]
    let project: ProjectFile?
    /// Whether the project's settings come from the user's own input rather than a file.
    private let isProjectGiven: Bool
    /// Whether arguments or the environment name the sources.
    private let areSourcesTyped: Bool
    let environment: Environment
    let isJSON: Bool
    let isQuiet: Bool
    /// The current configuration, read again while a menu is open, so that the menu and the store use the same.
    private(set) var followed: FollowedConfiguration

    var configuration: Configuration { followed.configuration }

    /// These settings with the current configuration file, even if it is too broken to be used.
    var withFileAsItIs: Settings {
        var settings = self
        settings.followed = FollowedConfiguration(configuration.readAgain())
        return settings
    }

    var preferences: Preferences { configuration.preferences }
    var isColorAllowed: Bool { configuration.colorRefusal == nil }

    /// The sentence that rejects every change; `nil` if changes are allowed.
    var readOnlyRefusal: String? { configuration.readOnlyRefusal }

    /// The exit code of a rejected change.
    var refusalStatus: ExitStatus { configuration.refusalStatus }

    /// `true` if no document of any kind is named, so that the sample is shown.
    var isSample: Bool { sources.isEmpty && defaults == nil }
    /// The sources, or the sample instead, in words.
    var sourceNames: [String] { isSample ? ["built-in sample"] : sources.map(\.shown) }

    /// - Parameter project: the project's settings; by default, they are searched from the working directory upward.
    init(
        _ options: GlobalOptions, environment: Environment = .current(), project given: ProjectFile? = nil,
        registry: SourceRegistry = .standard
    ) throws(CommandFailure) {
        let found: ProjectFile?
        isProjectGiven = given != nil
        if let given {
            found = given
        } else {
            found = try ProjectFile.find(environment, registry)
        }
        let project = found
        self.project = project
        self.environment = environment
        self.registry = registry
        let here = environment.workingDirectory
        let own = SourceName.named(
            options.source, or: environment["FLAGMENU_SOURCE"], in: here, services: registry.schemes)
        areSourcesTyped = !own.isEmpty
        sources = try Self.sources(own, project, registry).map { source throws(CommandFailure) in
            try Self.checked(source, registry, environment.sources)
        }
        defaults =
            (options.defaults ?? environment["FLAGMENU_DEFAULTS"]).map { FilePath.resolve($0, in: here) }
            ?? project?.defaults
        app = try Self.checked(
            options.app ?? environment["FLAGMENU_APP"] ?? project?.app ?? Self.appName(project, sources: sources))
        let folders = AppFolders(app: app, environment)
        storeDirectory =
            (options.store ?? environment["FLAGMENU_STORE"]).map { FilePath.resolve($0, in: here) }
            ?? project?.store ?? folders.state
        stateDirectory = folders.state
        cacheDirectory = folders.cache
        launch = try LaunchValues.read(arguments: options.launch, variable: environment["FLAGMENU_LAUNCH"])
        isJSON = options.json
        isQuiet = options.quiet
        followed = FollowedConfiguration(try Configuration(options, environment, project))
    }

    /// Requires that the user has allowed what the project file does with credentials.
    ///
    /// - Parameter isAsking: whether to prompt the user on a terminal.
    /// - Throws: what is not allowed, and how to allow it.
    func requireTrust(isAsking: Bool = true) throws(CommandFailure) {
        guard let project, !isProjectGiven else { return }
        let uses = sources.flatMap {
            $0.usesDecidedByProject(of: $0.presentCredentials, isNameTyped: areSourcesTyped)
        }
        try ProjectTrust(project.path, environment).require(
            storePermissions + uses.map(\.permission), isAsking: isAsking)
    }

    /// Requires permission for further credentials that a command sends besides those for reading values.
    func requireTrust(toSend credentials: [CredentialPlace], by source: SourceSettings) throws(CommandFailure) {
        guard let project, !isProjectGiven else { return }
        let uses = source.usesDecidedByProject(of: credentials, isNameTyped: areSourcesTyped)
        try ProjectTrust(project.path, environment).require(uses.map(\.permission), isAsking: true)
    }

    /// The permissions that the project file needs for its store: none for a folder in the project, or among the user's
    /// store folders.
    private var storePermissions: [ProjectPermission] {
        guard let project, storeDirectory == project.store else { return [] }
        return project.storePermissions(besides: FilePath.folder(of: stateDirectory))
    }

    /// Prints a sentence, unless `--quiet` is set.
    func say(_ sentence: String) {
        if !isQuiet { StandardError.say(sentence) }
    }

    /// The sources of arguments or the environment, else those of the project. The project's options apply to the same
    /// source under another name.
    private static func sources(
        _ own: [String], _ project: ProjectFile?, _ registry: SourceRegistry
    ) throws(CommandFailure) -> [SourceSettings] {
        let listed = project?.sources ?? []
        guard !own.isEmpty else { return listed }
        return try own.map { name throws(CommandFailure) in
            if let meant = listed.first(where: { $0.isNamed(name) }) { return meant }
            let candidates = listed.filter { $0.name == name }
            guard candidates.count <= 1 else {
                let names = candidates.map { ShellCommand.word($0.shown) }.joined(separator: ", ")
                throw CommandFailure(
                    .usage, "flagmenu.json has several sources of this name; name one with --source: \(names).")
            }
            return candidates.first ?? registry.settings(name)
        }
    }

    private static func checked(
        _ source: SourceSettings, _ registry: SourceRegistry, _ environment: SourceEnvironment
    ) throws(CommandFailure) -> SourceSettings {
        do throws(SourceNameRefusal) {
            let name = try SourceName.path(source.name, services: registry.schemes)
            return registry.settings(
                name, source.options, in: source.folder, label: source.label, environment: environment)
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
    }

    /// The default app id: the project's folder, or the service's host, or the first word of the source's file name, or
    /// `sample`.
    static func appName(_ project: ProjectFile?, sources: [SourceSettings]) -> String {
        if let project, let first = sources.first, project.sources.first?.name == first.name {
            return FilePath.name(of: project.folder)
        }
        if let service = sources.first, service.kind != nil, AppFolders.isName(service.place) { return service.place }
        return AppFolders.app(of: sources.first?.path)
    }

    /// An app id becomes the name of a folder, so it must not be a path.
    private static func checked(_ app: String) throws(CommandFailure) -> String {
        if let objection = AppFolders.objection(to: app) { throw CommandFailure(.usage, objection) }
        return app
    }
}
