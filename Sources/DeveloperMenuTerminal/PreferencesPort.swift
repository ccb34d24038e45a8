package import DeveloperMenu

/// How the menu reaches the preferences of its user.
package struct PreferencesPort: Sendable {
    /// Preferences, and what could not be taken, a sentence each.
    package struct Reading: Sendable {
        package let preferences: Preferences
        package let errors: [String]

        package init(_ preferences: Preferences, errors: [String] = []) {
            (self.preferences, self.errors) = (preferences, errors)
        }

        var event: Event { .settings(.preferencesRead(preferences, errors: errors)) }
    }

    /// The file that is followed.
    package let path: String
    /// What holds at the start.
    package let first: Reading
    /// Reads the file again, off the terminal's thread; `nil` if it says what it said before.
    package let readAgain: @Sendable () -> Reading?

    /// A port on a file.
    package init(path: String, first: Reading, readAgain: @escaping @Sendable () -> Reading?) {
        self.path = path
        self.first = first
        self.readAgain = readAgain
    }
}
