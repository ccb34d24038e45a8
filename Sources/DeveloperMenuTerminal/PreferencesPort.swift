import DeveloperMenu
package import FlagQueries

/// How the menu reads the user's preferences.
package struct PreferencesPort: Sendable {
    /// Preferences, and their errors, one sentence each.
    package typealias Reading = (preferences: Preferences, errors: [String])

    /// The path of the watched file.
    package let path: String
    /// The preferences at the start.
    package let first: Reading
    /// Reads the file again. Returns `nil` if nothing changed. It is not called on the terminal's thread.
    package let readAgain: @Sendable () -> Reading?

    /// A port for a file.
    package init(path: String, first: Reading, readAgain: @escaping @Sendable () -> Reading?) {
        (self.path, self.first, self.readAgain) = (path, first, readAgain)
    }

    static func event(_ reading: Reading) -> Event {
        .settings(.preferencesRead(reading.preferences, errors: reading.errors))
    }
}
