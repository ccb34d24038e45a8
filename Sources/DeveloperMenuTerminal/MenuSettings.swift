package import DeveloperMenu
import FlagModel
package import FlagQueries
package import FlagRemote
package import FlagStorage
import Flags
import Platform

/// The settings of a menu, and the texts and paths that differ between a menu in an app and the menu of `flagmenu`.
/// The closures may block; they are not called on the terminal's thread.
package struct MenuSettings: Sendable {
    /// The lines of a tab of the status sheet.
    package var statusLines: @Sendable (StatusTab) -> [String] = { _ in [] }
    /// The files that an export must not replace, each with its role.
    package var protectedFiles: @Sendable () -> [(path: String, role: String)] = { [] }
    /// Warnings about connections, one sentence each.
    package var connectionWarnings: @Sendable () -> [String] = { [] }
    /// Why the menu has no flags to show, as a sentence; `nil` if the errors of the sources explain this.
    package var withoutValues: @Sendable (RemoteState) -> String? = { _ in nil }
    /// The user's home folder, and the working folder, to which typed relative paths are relative.
    package var folders: @Sendable () -> (home: String, working: String) = {
        (ProcessEnvironment.ownHome, WorkingDirectory.path)
    }
    /// Where the scenarios are; `nil` for the state folder alone, as in an app.
    package var scenarioFolders: ScenarioFolders?
    /// A sentence to show at the start.
    package var greeting: String?
    /// The path of the watched file of preferences, the preferences at the start, and a function that reads the file
    /// again and returns `nil` if nothing changed; `nil` for the preferences of the app. The function is not called on
    /// the terminal's thread.
    package var preferences: (path: String, first: SettingsEvent, readAgain: @Sendable () -> SettingsEvent?)?
    /// The preferences that an app passes to its menu instead of a configuration file; `nil` in `flagmenu`.
    var appPreferences: Preferences?
    /// The file that the arrangement of the list is restored from and saved to; `nil` to do neither.
    package var session: SessionFile?
    /// Returns the targets that the menu can be opened on; `nil` in an app that shows only its own flags. The function
    /// may block; it is not called on the terminal's thread.
    package var openChoices: (@Sendable () -> [OpenChoice])?
    /// Reads a target before the menu closes to open the target. Returns `nil` if the target can be opened, otherwise a
    /// sentence with the reason. The function may block; it is not called on the terminal's thread.
    package var prepareOpening: @Sendable (OpenTarget) -> String? = { _ in nil }
    /// Whether the menu offers the targets at the start.
    package var offersOpening = false
    /// The folder for the temporary files of the user's own editor; `nil` for the system's temporary folder.
    package var editingFolder: String?
    /// The sources to request at the start, after cached values are shown.
    package var startFetch = FetchScope.nothing
    /// Whether the menu watches the store for changes; `false` if an app already watches it.
    package var isOpeningStore = false
    /// The folders in which apps announce themselves.
    package var presenceFolders: [String] = []
    /// Whether the menu is read-only now.
    package var isReadOnly: @Sendable () -> Bool = { false }

    /// The default settings.
    package init() {}

    /// The settings of a menu in an app.
    init(_ flags: FlagStore, _ store: OverrideStore) {
        statusLines = { tab in
            switch tab {
            case .sources, .messages, .apps: []
            case .store: store.paths + ["This menu uses the preferences of \(flags.app)."]
            case .checks: flags.issues.isEmpty ? ["No errors found."] : flags.issues
            }
        }
        protectedFiles = { store.protectedFiles }
        presenceFolders = flags.presenceFolder.map { [$0] } ?? []
    }
}
