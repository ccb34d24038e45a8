package import DeveloperMenu

/// How the menu reads the user's preferences.
package struct PreferencesPort: Sendable {
    /// The path of the watched file.
    package let path: String
    /// The preferences at the start.
    package let first: SettingsEvent
    /// Reads the file again. Returns `nil` if nothing changed. It is not called on the terminal's thread.
    package let readAgain: @Sendable () -> SettingsEvent?

    /// A port for a file.
    package init(path: String, first: SettingsEvent, readAgain: @escaping @Sendable () -> SettingsEvent?) {
        (self.path, self.first, self.readAgain) = (path, first, readAgain)
    }
}
