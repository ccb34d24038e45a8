import DeveloperMenuTerminal
import FlagModel
package import FlagQueries
import FlagRemote
package import FlagStorage
import FlagTeamEtcd
import Flags

/// The settings of a run. Arguments win over the environment, then the project file, then defaults.
package struct Settings {
    package let app: String
    /// Whether the user or the project names the app.
    let isAppNamed: Bool
    /// Why this app is used although nothing names it, as a sentence; `nil` if it is named.
    package let foundAppReason: String?
    /// Whether nothing says which flags are meant: no option, variable or project names them, and no app was found.
    package let hasNothing: Bool
    /// The folder that was typed as the source, whose documents are offered, as a path; `nil` if none was.
    let sourceFolder: String?
    /// The remote sources, in order of precedence.
    package let sources: [SourceSettings]
    /// The available kinds of sources.
    package let registry: SourceRegistry
    package let defaults: String?
    /// The overrides that a team shares; `nil` without a team.
    package let team: SourceSettings?
    package let storeDirectory: String
    /// The app's own state folder, even if the store is elsewhere.
    package let stateDirectory: String
    package let cacheDirectory: String
    let launch: FlagTable<String>
    package let project: ProjectFile?
    /// The check of what the project file is allowed to do; `nil` without a file. Settings that the caller passed need no
    /// permissions.
    private let trust: ProjectTrust?
    /// Whether arguments or the environment name the sources, instead of the project file.
    package let areSourcesTyped: Bool
    /// Whether arguments or the environment name the team, instead of the project file.
    private let isTeamTyped: Bool
    /// Whether arguments or the environment name the defaults, instead of the project file.
    private let areDefaultsTyped: Bool
    /// Whether arguments or the environment name the store, instead of the project file.
    private let isStoreTyped: Bool
    package let environment: Environment
    package let isJSON: Bool
    package let isQuiet: Bool
    /// The configuration, which is read again while a menu is open; the menu and the store share it.
    package private(set) var liveConfiguration: LiveConfiguration

    package var configuration: Configuration { liveConfiguration.configuration }

    /// These settings with the configuration file read again, even if it is invalid.
    package var withCurrentFile: Settings {
        var settings = self
        settings.liveConfiguration = LiveConfiguration(configuration.readAgain())
        return settings
    }

    package var preferences: Preferences { configuration.preferences }
    package var isColorAllowed: Bool { configuration.colorDisabler == nil }

    /// The sentence that rejects every change of the store; `nil` if changes are allowed.
    package var readOnlyReason: String? { configuration.readOnlyReason ?? rootReason }

    /// Why root does not change this store; `nil` if it may. Its owner could not write to what root creates. As in Git,
    /// a path that is typed is consent.
    private var rootReason: String? {
        guard !isStoreTyped, ProcessEnvironment.userNumber == 0,
            let owner = DurableFile.nearestOwner(of: storeDirectory), owner != 0
        else { return nil }
        let command = (["flagmenu"] + CommandLine.arguments.dropFirst().map(ShellCommand.word)).joined(separator: " ")
        return "\(storeDirectory) belongs to \(ProcessEnvironment.userName(of: owner)), not to root. Nothing was "
            + "changed. Run this as its owner: sudo -u '#\(owner)' \(command), or name the folder with --store."
    }

    /// The app's scenarios: those beside the project file, then those beside the changes. The app of the sample has those
    /// of the sample also if it is opened without `--sample`, as the only app that runs.
    package var scenarioFolders: ScenarioFolders {
        let hasSamples = isSample || hasOnlyCode && app == AppFolders.sampleApp
        return ScenarioFolders(
            project: project?.folder, state: storeDirectory, builtIn: hasSamples ? SampleSource.scenarios : [:])
    }

    /// Throws why root does not change files beside the store; read-only settings do not matter.
    package func requireOwner() throws(CommandFailure) {
        if let rootReason { throw CommandFailure(.store, rootReason) }
    }

    /// Throws the error of a rejected change of something else than the store if changes are not allowed.
    package func requireChanges() throws(CommandFailure) { try configuration.requireChanges() }

    /// Whether the built-in sample is shown.
    package let isSample: Bool
    /// Whether only code says which flags there are: neither a source nor defaults are named, nor is the sample shown.
    package var hasOnlyCode: Bool { sources.isEmpty && defaults == nil && !isSample && !hasNothing }
    /// The app as titles name it: the id, for a document that is opened without an app its name without the hash, and
    /// empty if nothing is open.
    package let appTitle: String
    /// The names of the sources, or of the built-in sample.
    package var sourceNames: [String] { isSample ? ["built-in sample"] : sources.map(\.shown) }
    /// The titles of all sources in one text.
    package var sourceTitle: String {
        if isSample { return "built-in sample" }
        return hasOnlyCode ? "flags in code" : TerminalMenu.title(of: sources.map(\.title))
    }

    /// Combines the settings of a run.
    ///
    /// - Parameters:
    ///   - project: the project's settings; `nil` to search for the file from the working directory upward.
    ///   - otherSources: the names of sources that the command reads with other settings, and that must not get the same
    ///     credentials.
    ///   - offersDocuments: whether the user can choose from the documents of a folder that is typed as the source.
    /// - Throws: an error if a setting is not valid, or a file cannot be read.
    package init(
        _ options: RunOptions, environment: Environment = .current(), project given: ProjectFile? = nil,
        registry: SourceRegistry = .standard, besides otherSources: [String] = [], offersDocuments: Bool = false
    ) throws(CommandFailure) {
        let folder = environment.workingDirectory
        let typedFolder = options.source.count == 1 ? FilePath.resolve(options.source[0], in: folder) : ""
        sourceFolder = offersDocuments && DurableFile.status(of: typedFolder)?.kind == .folder ? typedFolder : nil
        var project = given
        if project == nil, sourceFolder == nil {
            let other = options.source.isEmpty ? options.defaults.map { _ in "--defaults" } : "--source"
            if options.sample, let other {
                throw CommandFailure(
                    .usage, "--sample and \(other) name different flags. Nothing was done; use one of them.")
            }
            project = try options.sample ? nil : ProjectFile.find(environment, registry)
        }
        self.project = project
        trust = given == nil ? project.map { ProjectTrust($0.path, environment) } : nil
        (self.environment, self.registry) = (environment, registry)
        let typedNames =
            sourceFolder != nil
            ? []
            : SourceName.named(
                options.source, or: options.sample ? nil : environment["FLAGMENU_SOURCE"], in: folder,
                services: registry.schemes)
        areSourcesTyped = !typedNames.isEmpty
        try Self.checkCount(of: typedNames.count, in: options.source.isEmpty ? "FLAGMENU_SOURCE" : "--source")
        let usedSources = try Self.sources(typedNames, project, registry, environment)
        for source in usedSources {
            _ = try CommandFailure.converting(to: .usage) { () throws(SourceNameError) in
                try SourceName.path(source.name, services: registry.schemes)
            } sentence: {
                $0.sentence
            }
        }
        let others = SourceName.named(otherSources, or: nil, in: folder, services: registry.schemes).map {
            registry.settings($0, environment: environment)
        }
        sources = SourceSettings.separatingCredentials(usedSources, from: (project?.sources ?? []) + others)
        let typedDefaults = options.defaults ?? (options.sample ? nil : environment["FLAGMENU_DEFAULTS"])
        areDefaultsTyped = typedDefaults != nil
        if let typedDefaults, PipeSource.isPipe(typedDefaults) {
            throw CommandFailure(
                .usage,
                "--defaults reads files only, and \(typedDefaults) is a pipe. Nothing was done; save it as a file.")
        }
        defaults = typedDefaults.map { FilePath.resolve($0, in: folder) } ?? project?.defaults
        let typedTeam = options.team ?? environment["FLAGMENU_TEAM"]
        isTeamTyped = typedTeam != nil
        team = try (typedTeam ?? project?.team).map { address throws(CommandFailure) in
            _ = try CommandFailure.converting(to: .usage, { try EtcdAddress(address) }, sentence: { $0.asSentence })
            return SourceSettings(name: address, kind: SourceRegistry.team, environment: environment)
        }
        let namedApp = options.app ?? (options.sample ? nil : environment["FLAGMENU_APP"] ?? project?.app)
        isAppNamed = namedApp != nil
        let typedStore = options.store ?? environment["FLAGMENU_STORE"]
        isStoreTyped = typedStore != nil
        let named = namedApp ?? Self.appName(project, sources, defaults, hasTeam: team != nil)
        let document = Self.document(sources, defaults)
        var found: (app: String, reason: String)?
        if named == nil, !options.sample, sourceFolder == nil {
            found = FoundApps(environment).onlyApp
        } else if namedApp == nil, typedStore == nil, let document, named == AppFolders.app(ofDocument: document) {
            found = FoundApps(environment).app(ofDocument: document)
        }
        foundAppReason = found?.reason
        let store = typedStore.map { FilePath.resolve($0, in: folder) } ?? project?.store
        let storeApp = store.map { AppFolders.app(ofDocument: $0) }
        app = found?.app ?? named ?? (options.sample ? AppFolders.sampleApp : storeApp) ?? Self.noApp
        if let invalidReason = AppFolders.invalidReason(to: app) { throw CommandFailure(.usage, invalidReason) }
        isSample = options.sample
        hasNothing = named == nil && found == nil && store == nil && !isSample
        appTitle =
            document.flatMap { [app] in AppFolders.app(ofDocument: $0) == app ? AppFolders.name(ofDocument: $0) : nil }
            ?? (hasNothing ? "" : app)
        let folders = AppFolders(app: app, environment)
        storeDirectory = store ?? folders.state
        stateDirectory = folders.state
        cacheDirectory = folders.cache
        launch = try Self.launchValues(options.launch, environment["FLAGMENU_LAUNCH"])
        isJSON = options.json
        isQuiet = options.quiet
        liveConfiguration = LiveConfiguration(try Configuration(options, environment, project))
    }

    /// The folder of the cached values of the team.
    package var teamCacheDirectory: String { FilePath.join(cacheDirectory, "team") }

    /// Requires the user's permission for the files outside its folder that the project file names, and for the
    /// credentials that it sends.
    ///
    /// - Parameters:
    ///   - isPrompting: whether to prompt the user on a terminal.
    ///   - sendsRequests: whether credentials may be sent. If not, they need no permission, unless one for a file is
    ///     missing.
    /// - Throws: an error that names the missing permissions, and how to give them.
    package func requireTrust(isPrompting: Bool = true, sendsRequests: Bool = true) throws(CommandFailure) {
        guard let project, let trust else { return }
        // A path that the user has typed needs no permission.
        let documents =
            (areSourcesTyped ? [] : sources.compactMap(\.path)) + (areDefaultsTyped ? [] : [defaults].compactMap { $0 })
        let files =
            (isStoreTyped ? [] : project.storePermissions(besides: FilePath.folder(of: stateDirectory)))
            + project.permissions(toRead: documents + sources.flatMap(\.namedFiles))
        // If the user is prompted anyway, it is about everything at once.
        guard sendsRequests || !trust.allows(files) else { return }
        let services = sources.map { ($0, areSourcesTyped) } + [team].compactMap { $0 }.map { ($0, isTeamTyped) }
        let uses = services.flatMap { service, isTyped in
            service.usesSetByProject(of: service.presentCredentials, isNameTyped: isTyped)
        }
        try trust.require(files + uses, isPrompting: isPrompting)
    }

    /// Requires permission for further credentials that a command sends besides those for reading values.
    package func requireTrust(toSend credentials: [CredentialPlace], by source: SourceSettings) throws(CommandFailure) {
        let uses = source.usesSetByProject(of: credentials, isNameTyped: areSourcesTyped)
        try trust?.require(uses, isPrompting: true)
    }

    /// Prints a sentence, unless `--quiet` is set.
    package func printLine(_ sentence: String) {
        if !isQuiet { StandardError.printLine(sentence) }
    }

    /// Prints warnings, unless `--quiet` is set.
    package func warn(_ sentences: @autoclosure () throws -> [String]) rethrows {
        if !isQuiet { try sentences().forEach(StandardError.warn) }
    }

    /// The maximum number of sources.
    static let sourceLimit = 64

    /// Throws an error if there are too many sources.
    ///
    /// - Parameter origin: what names the sources.
    static func checkCount(of sources: Int, in origin: String) throws(CommandFailure) {
        guard sources > sourceLimit else { return }
        throw CommandFailure(
            .usage,
            "\(origin) names \(sources) sources, and the limit is \(sourceLimit). None of them was read; name fewer.")
    }

    /// The sources that the user named, else the sources of the project file. A named source gets its options from the
    /// project file, if the file lists the source.
    ///
    /// - Parameter typedNames: the names in arguments or the environment.
    private static func sources(
        _ typedNames: [String], _ project: ProjectFile?, _ registry: SourceRegistry, _ environment: Environment
    ) throws(CommandFailure) -> [SourceSettings] {
        let listed = project?.sources ?? []
        guard !typedNames.isEmpty else { return listed }
        return try typedNames.map { name throws(CommandFailure) in
            if let match = listed.first(where: { $0.isNamed(name) }) { return match }
            let candidates = listed.filter { $0.name == name }
            guard candidates.count <= 1 else {
                let names = candidates.map { ShellCommand.word($0.shown) }.joined(separator: ", ")
                throw CommandFailure(
                    .usage, "flagmenu.json has several sources of this name; name one with --source: \(names).")
            }
            return candidates.first
                ?? registry.settings(name, in: project?.folder ?? "/", environment: environment)
        }
    }

    /// The values of `FLAGMENU_LAUNCH` and `--launch`. Arguments override the environment.
    private static func launchValues(
        _ arguments: [String], _ variable: String?
    ) throws(CommandFailure) -> FlagTable<String> {
        var origin = "FLAGMENU_LAUNCH"
        do throws(InvalidText) {
            var values = try LaunchText.values(in: variable ?? "")
            origin = "--launch"
            for argument in arguments {
                let (key, value) = try LaunchText.pair(argument)
                values[key] = value
            }
            return values
        } catch {
            throw CommandFailure(.usage, "\(origin) \(error.asSentence)")
        }
    }

    /// The app id that the sources imply: the name of the project's folder if they are those of the project, else that
    /// of the document, the place of a service such as its host, or the kind of service; `nil` without sources, defaults
    /// and a team.
    static func appName(
        _ project: ProjectFile?, _ sources: [SourceSettings], _ defaults: String?, hasTeam: Bool
    ) -> String? {
        let hasAny = !sources.isEmpty || defaults != nil || hasTeam
        if let project, hasAny, project.sources.first?.name == sources.first?.name,
            !sources.isEmpty || project.defaults == defaults
        {
            return FilePath.name(of: project.folder)
        }
        guard let service = sources.first, let kind = service.kind else {
            return document(sources, defaults).map { path in
                PipeSource.isPipe(path) ? pipedApp : AppFolders.app(ofDocument: path)
            } ?? (hasTeam ? "team" : nil)
        }
        // The address may be in a variable, or the service's own.
        let places = [service.place, service.addresses.first?.authority].compactMap { $0 }
        return places.first { AppFolders.isName($0) } ?? kind.scheme
    }

    /// The document whose flags are meant: the first source, unless it is a service, else the defaults.
    static func document(_ sources: [SourceSettings], _ defaults: String?) -> String? {
        sources.first.map(\.path) ?? defaults
    }

    /// The app id of documents that are read from a pipe.
    static let pipedApp = "standard-input"
    /// The app id if nothing names an app. Nothing is stored under it.
    private static let noApp = "-"
}
