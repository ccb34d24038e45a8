import DeveloperMenu
package import FlagRemote
package import FlagStorage

/// What a menu is opened with besides a store.
package struct MenuSettings: Sendable {
    /// What it shows besides flags.
    package var reports: MenuReports
    /// A sentence to show at the start.
    package var greeting: String?
    /// How preferences are read; `nil` for the standard ones.
    package var preferences: PreferencesPort?
    /// How the arrangement of the list is restored and stored; `nil` if it is not.
    package var session: SessionPort?
    /// What it can be opened on instead; `nil` for nothing, as in an app that shows its own flags.
    package var opening: OpenPort?
    /// The folder for values in the user's own editor; `nil` for the system's temporary one.
    package var editing: EditingFolder?
    /// Which sources are requested once the menu shows what is cached.
    package var startFetch = FetchScope.nothing
    /// Whether the menu opens and follows the store, which is not open yet.
    package var isOpeningStore = false
    /// Whether changes are disabled now.
    package var isReadOnly: @Sendable () -> Bool = { false }

    /// Settings with defaults for all but the reports.
    package init(reports: MenuReports) { self.reports = reports }
}
