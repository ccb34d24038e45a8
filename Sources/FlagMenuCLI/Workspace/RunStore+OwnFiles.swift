import FlagModel
import FlagRemote
import FlagStorage

extension RunStore {
    /// The files of a run, which no export may replace.
    var ownFiles: [(path: String, role: String)] {
        var roles = store.spared
        roles.append((SessionFile(settings).path, "where the menu's state is kept"))
        roles.append((FilePath.join(settings.stateDirectory, ContextFile.name), "where your contexts are kept"))
        roles.append((settings.configuration.path, "your configuration"))
        if let project = settings.project { roles.append((project.path, "the project's settings")) }
        if let defaults = settings.defaults { roles.append((defaults, "where defaults are read from")) }
        return roles + settings.sources.compactMap(\.path).map { ($0, "a source of this run") }
    }
}
