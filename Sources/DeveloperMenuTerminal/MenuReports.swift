package import DeveloperMenu
import FlagModel
package import FlagRemote
import FlagStorage
import Flags
import Platform

/// The reports of a menu, and other texts and paths that differ between a menu in an app and the menu of `flagmenu`.
/// The closures may block; they are not called on the terminal's thread.
package struct MenuReports: Sendable {
    /// The lines of a tab of the status sheet.
    package var lines: @Sendable (StatusTab) -> [String]
    /// Warnings about connections, one sentence each.
    package var connectionWarnings: @Sendable () -> [String] = { [] }
    /// Why the menu has no flags to show, as a sentence; `nil` if the errors of the sources explain this.
    package var withoutValues: @Sendable (RemoteState) -> String? = { _ in nil }
    /// The user's home folder, and the working folder, to which typed relative paths are relative.
    package var folders: @Sendable () -> (home: String, working: String) = {
        (ProcessEnvironment.ownHome, WorkingDirectory.path)
    }
    /// The files that an export must not replace, each with its role.
    package var protectedFiles: @Sendable () -> [(path: String, role: String)]

    /// The reports of a menu.
    package init(
        lines: @escaping @Sendable (StatusTab) -> [String],
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

    private static func lines(of tab: StatusTab, _ flags: FlagStore, _ store: OverrideStore) -> [String] {
        switch tab {
        case .sources, .messages, .apps: []
        case .store: store.paths + ["This menu uses the preferences of \(flags.app)."]
        case .checks: flags.issues.isEmpty ? ["No errors found."] : flags.issues
        }
    }
}
