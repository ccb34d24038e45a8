import ArgumentParser
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagStorage
import TerminalUI

/// `flagmenu paths`.
struct PathsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paths", abstract: "Print the paths of all files.", usage: "flagmenu paths [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu paths --json
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options)
        let places = Self.places(of: settings)
        if settings.isJSON {
            let namedPlaces = places.filter { $0.0 != "source" }.map {
                ($0.0, $0.1.isEmpty ? JSONOutput.null : .string($0.1))
            }
            JSONOutput.object(namedPlaces + [("sources", .array(settings.sources.map { .string($0.shown) }))]).print()
            return
        }
        StandardOutput.write(lines: Self.lines(of: settings))
    }

    /// All paths, one file per line.
    static func lines(of settings: Settings) -> [String] {
        places(of: settings).map { name, path in
            DisplayText.padded(name, to: 11) + (path.isEmpty ? "none" : path)
        }
    }

    /// The name of each file with its path; the path is empty if there is no file.
    private static func places(of settings: Settings) -> [(String, String)] {
        var places: [(String, String)] = [
            ("overrides", OverrideStore.path(in: settings.storeDirectory)),
            ("history", FilePath.join(settings.storeDirectory, "history.jsonl")),
            ("cache", settings.cacheDirectory),
            ("session", settings.sessionFile.path),
            ("firebase", FilePath.join(settings.stateDirectory, FirebaseKind.installationsFolder)),
            ("server", RunningServer.file(in: settings.stateDirectory)),
            ("project", settings.project?.path ?? ""),
            ("config", settings.configuration.path), ("trusted", TrustedProjects(settings.environment).path),
        ]
        places += settings.sources.map { ("source", $0.shown) }
        if settings.team != nil { places.append(("team", settings.teamCacheDirectory)) }
        if let defaults = settings.defaults { places.append(("defaults", defaults)) }
        return places
    }
}
