public import DeveloperMenu

/// How the menu reaches the preferences of its user.
public struct PreferencesPort: Sendable {
    /// The file that is followed.
    public let path: String
    /// What holds at the start.
    public let first: Event
    /// Reads the file again, off the terminal's thread; `nil` where it says what it said before.
    public let readAgain: @Sendable () -> Event?

    /// A port on a file.
    public init(path: String, first: Event, readAgain: @escaping @Sendable () -> Event?) {
        self.path = path
        self.first = first
        self.readAgain = readAgain
    }
}
