import FlagStorage

/// The files that a run lives on, which no export may take the place of.
struct OwnFiles {
    private let settings: Settings
    private let store: OverrideStore

    init(_ settings: Settings, _ store: OverrideStore) {
        self.settings = settings
        self.store = store
    }

    /// Refuses to write an export to one of them, by whatever name or link it is reached.
    ///
    /// - Throws: a sentence that names the file.
    func refuse(_ path: String) throws(CommandFailure) {
        for (file, role) in roles where DurableFile.isSame(path, file) {
            throw CommandFailure(.usage, "\(path) is \(role); nothing was written. Choose another name.")
        }
    }

    private var roles: [(path: String, role: String)] {
        var roles = store.paths.map { ($0, "where overrides are kept") }
        roles.append((SessionFile(settings).path, "where the menu's arrangement is kept"))
        roles.append((settings.configuration.path, "your configuration"))
        if let project = settings.project { roles.append((project.path, "the project's settings")) }
        if let defaults = settings.defaults { roles.append((defaults, "where defaults are read from")) }
        return roles + settings.sources.map { ($0, "a source of this run") }
    }
}
