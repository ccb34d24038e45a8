package import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagStorage

extension Settings {
    /// The last session of the menu.
    package var sessionFile: SessionFile { SessionFile(in: stateDirectory) }
}

extension RunStore {
    /// The files that a run reads or writes, each with its role as the end of a sentence. No export may replace them.
    package var ownFiles: [(path: String, role: String)] {
        var files = store.protectedFiles
        files.append((settings.sessionFile.path, "where the menu's state is kept"))
        files.append((settings.configuration.path, "your configuration"))
        if let project = settings.project { files.append((project.path, "the project's settings")) }
        if let defaults = settings.defaults { files.append((defaults, "where defaults are read from")) }
        return files + settings.sources.compactMap(\.path).map { ($0, "a source of this run") }
    }
}
