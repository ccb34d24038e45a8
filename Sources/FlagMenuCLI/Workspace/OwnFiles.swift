import FlagModel
import FlagRemote
import FlagStorage

/// The files that a run lives on, which no export may take the place of.
struct OwnFiles {
    private let settings: Settings
    private let store: OverrideStore

    init(_ settings: Settings, _ store: OverrideStore) {
        self.settings = settings
        self.store = store
    }

    /// A file to export to that is none of them.
    func target(_ path: String) -> ExportTarget { ExportTarget(path, sparing: roles) }

    var roles: [(path: String, role: String)] {
        var roles = store.spared
        roles.append((SessionFile(settings).path, "where the menu's arrangement is kept"))
        roles.append((FilePath.join(settings.stateDirectory, "contexts.json"), "where your contexts are kept"))
        roles.append((settings.configuration.path, "your configuration"))
        if let project = settings.project { roles.append((project.path, "the project's settings")) }
        if let defaults = settings.defaults { roles.append((defaults, "where defaults are read from")) }
        return roles + settings.sources.compactMap(\.path).map { ($0, "a source of this run") }
    }
}
