package import DeveloperMenu
import FlagModel
package import FlagRemote
import FlagStorage
import Flags
import Platform

/// The reports of a menu, and other texts and paths that differ between a menu in an app and the menu of `flagmenu`.
/// The closures may block; they are not called on the terminal's thread.
package struct MenuReports: Sendable {
    /// The lines of a report.
    package var lines: @Sendable (Report) -> [String]
    /// Warnings about connections, one sentence each.
    package var connectionWarnings: @Sendable () -> [String] = { [] }
    /// Why the menu has no flags to show, as a sentence; `nil` if the errors of the sources explain this.
    package var withoutValues: @Sendable (RemoteState) -> String? = { _ in nil }
    /// The user's home folder, and the working folder, to which typed relative paths are relative.
    package var folders: @Sendable () -> (home: String, working: String) = {
        let working = WorkingDirectory.path
        return (getenv("HOME").map { String(cString: $0) } ?? working, working)
    }
    /// The files that an export must not replace, each with its role.
    package var protectedFiles: @Sendable () -> [(path: String, role: String)]

    /// The reports of a menu.
    package init(
        lines: @escaping @Sendable (Report) -> [String],
        protectedFiles: @escaping @Sendable () -> [(path: String, role: String)]
    ) {
        self.lines = lines
        self.protectedFiles = protectedFiles
    }
}

extension MenuReports {
    /// The reports of a menu in an app.
    init(_ flags: FlagStore, _ store: OverrideStore) {
        self.init(lines: { Self.lines(of: $0, flags, store) }, protectedFiles: { store.protectedFiles })
    }

    private static func lines(of report: Report, _ flags: FlagStore, _ store: OverrideStore) -> [String] {
        switch report {
        case .log, .sources: []
        case .status: statusLines(flags, store)
        case .doctor: flags.issues.isEmpty ? ["No errors found."] : flags.issues
        case .paths: store.paths
        case .config: ["This menu uses the preferences of \(flags.app)."]
        case .shell:
            ["In another terminal, flagmenu --app \(flags.app) changes the same overrides; it also has commands."]
        }
    }

    private static func statusLines(_ flags: FlagStore, _ store: OverrideStore) -> [String] {
        let count = flags.activeOverrides.count
        let sources = flags.remote.current.sources.map(\.name)
        let remote =
            switch flags.remoteStatus {
            case .idle: "nothing was fetched yet"
            case .loading: "being fetched"
            case .loaded(let moment): "fetched \(moment.age(at: flags.now()))"
            case .failed(let sentence): sentence
            }
        let activation =
            switch flags.activation {
            case .manual: "manually"
            case .immediately: "immediately"
            case .nextLaunch: "at the next launch"
            }
        return [
            "app        \(flags.app)",
            "source     \(sources.isEmpty ? "none" : sources.joined(separator: ", "))",
            "remote     \(remote)",
            "activates  \(activation)",
            "overrides  \(count == 0 ? "none" : String(count))",
            "store      \(store.path)",
        ]
    }
}
