import DeveloperMenuTerminal
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace
import TerminalUI

/// The paths of all files of a run, and every preference and who set it.
struct FilesReport {
    let settings: Settings

    /// The files, then the preferences, a line each.
    var lines: [String] {
        let configuration = settings.configuration
        let state = configuration.file != .missing ? "" : " (not found)"
        return paths.map { DisplayText.padded($0, to: 11) + ($1.isEmpty ? "none" : $1) } + [""]
            + [DisplayText.padded("file", to: 18) + configuration.path + state]
            + Preference.all.map { preference in
                let value = preference.json(configuration.preferences).filled(to: 12)
                return DisplayText.padded(preference.name, to: 18) + value + " "
                    + configuration.origin(of: preference.name)
            }
    }

    var json: JSONOutput {
        let configuration = settings.configuration
        let paths = paths.filter { $0.name != "source" }.map { ($0, $1.isEmpty ? JSONOutput.null : .string($1)) }
        let preferences = Preference.all.map { preference in
            let origin = JSONOutput.string(configuration.origin(of: preference.name))
            let value = JSONOutput.raw(preference.json(configuration.preferences))
            return (preference.name, JSONOutput.object([("value", value), ("from", origin)]))
        }
        return .object([
            ("paths", .object(paths)), ("sources", .array(settings.sources.map { .string($0.shown) })),
            ("preferences", .object(preferences)),
            ("issues", .array(configuration.issues.map { .string($0.description) })),
        ])
    }

    /// The name of each file with its path; the path is empty if there is no file.
    private var paths: [(name: String, path: String)] {
        var paths: [(String, String)] = [
            ("overrides", OverrideStore.path(in: settings.storeDirectory)),
            ("history", FilePath.join(settings.storeDirectory, "history.jsonl")),
            ("cache", settings.cacheDirectory),
            ("session", settings.sessionFile.path),
            ("firebase", FilePath.join(settings.stateDirectory, FirebaseKind.installationsFolder)),
            ("server", RunningServer.file(in: settings.stateDirectory)),
            ("project", settings.project?.path ?? ""),
            ("config", settings.configuration.path), ("trusted", ProjectTrust.list(settings.environment)),
        ]
        paths += settings.sources.map { ("source", $0.shown) }
        if settings.team != nil { paths.append(("team", settings.teamCacheDirectory)) }
        if let defaults = settings.defaults { paths.append(("defaults", defaults)) }
        return paths
    }
}
