import DeveloperMenu
package import FlagRemote

/// The settings of a menu.
package struct MenuSettings: Sendable {
    /// The reports of the menu.
    package var reports: MenuReports
    /// A sentence to show at the start.
    package var greeting: String?
    /// How preferences are read; `nil` for the standard preferences.
    package var preferences: PreferencesPort?
    /// The file that the arrangement of the list is restored from and saved to; `nil` to do neither.
    package var session: SessionFile?
    /// The other targets that the menu can be opened on; `nil` in an app that shows only its own flags.
    package var opening: OpenPort?
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

    /// Creates settings with the default for everything except the reports.
    package init(reports: MenuReports) { self.reports = reports }
}
